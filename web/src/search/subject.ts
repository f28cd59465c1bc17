import { isHash, toAddress, type Address, type Hex } from "@assay/protocol";

/** What somebody looks for. */
export type Subject =
  | { readonly kind: "party"; readonly address: Address }
  | { readonly kind: "hash"; readonly hash: Hex }
  /** Nothing that can be looked for; says what would be. */
  | { readonly kind: "nothing"; readonly words: string };

const HEX = /0x[0-9a-fA-F]{64}(?![0-9a-fA-F])|0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g;

/** Reads what was typed or pasted: an address or a hash, alone, without its 0x, or somewhere in a link. */
export function subjectOf(text: string): Subject {
  const trimmed = text.trim();
  if (trimmed === "") return nothing("Type or paste an agreement's id, an address, or a hash.");
  const bare = /^(?:[0-9a-fA-F]{64}|[0-9a-fA-F]{40})$/.test(trimmed) ? `0x${trimmed}` : trimmed;
  const found = [...new Set(bare.match(HEX) ?? [])];
  const [only, ...others] = found;
  if (only === undefined)
    return nothing(
      /^(0x)?[0-9a-fA-F]+$/.test(trimmed)
        ? `That has ${trimmed.replace(/^0x/, "").length} hexadecimal digits. An address has 40; an id or a hash has 64.`
        : "That is neither an address (0x and 40 hexadecimal digits) nor an id or a hash (0x and 64).",
    );
  if (others.length > 0) return nothing("There is more than one address or hash in that. Leave one.");
  const lower = only.toLowerCase();
  if (isHash(lower)) return { kind: "hash", hash: lower };
  try {
    return { kind: "party", address: toAddress(only) };
  } catch {
    return nothing("The letters' case of that address is not what its checksum says. Was it mistyped?");
  }
}

function nothing(words: string): Subject {
  return { kind: "nothing", words };
}
