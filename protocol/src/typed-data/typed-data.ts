import { TypedDataEncoder, id } from "ethers";
import type { Address } from "../primitives/address.ts";
import { bytesOf, type Hex } from "../primitives/hex.ts";
import { keccak256 } from "../primitives/keccak256.ts";

/** One member of an EIP-712 struct. */
export interface TypedDataField {
  name: string;
  type: string;
}

/** EIP-712 domain that binds a signature to one contract on one chain. */
export interface Domain {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly verifyingContract: Address;
}

/** Everything that a signer needs; ethers' `signTypedData` takes `domain`, `types` and `message` as they are. */
export interface TypedData {
  readonly domain: Domain;
  /** Without the domain's own type, which signers add. */
  readonly types: Record<string, TypedDataField[]>;
  readonly primaryType: string;
  readonly message: Readonly<Record<string, unknown>>;
}

/** The 32 bytes that are signed. */
export function typedDataDigest(typedData: TypedData): Hex {
  const [separator, structHash] = [separatorOf(typedData.domain), structHashOf(typedData)];
  return keccak256(bytesOf(`0x1901${separator.slice(2)}${structHash.slice(2)}`));
}

/** Hash of the last domain of each name: nearly always the same one again. */
const separators = new Map<string, { readonly domain: Domain; readonly hash: string }>();

function separatorOf(domain: Domain): string {
  const last = separators.get(domain.name);
  if (
    last?.domain.chainId === domain.chainId &&
    last.domain.verifyingContract === domain.verifyingContract &&
    last.domain.version === domain.version
  )
    return last.hash;
  const hash = TypedDataEncoder.hashDomain(domain);
  separators.set(domain.name, { domain, hash });
  return hash;
}

/** Encoders by their types, with the hash of the primary type: making them costs more than using them. */
const encoders = new WeakMap<
  TypedData["types"],
  { readonly encoder: TypedDataEncoder; readonly typeHash: string }
>();

function structHashOf({ types, primaryType, message }: TypedData): string {
  let known = encoders.get(types);
  if (known === undefined) {
    const encoder = TypedDataEncoder.from(types);
    known = { encoder, typeHash: id(encoder.encodeType(primaryType)) };
    encoders.set(types, known);
  }
  let encoded = known.typeHash;
  for (const { name, type } of types[primaryType] ?? []) {
    const word = wordOf(type, message[name]);
    // Text, lists and structs are hashed by the library; so are values that do not fit, which it refuses.
    if (word === null) return known.encoder.hash(message);
    encoded += word;
  }
  return keccak256(bytesOf(encoded));
}

/** A value of one word, as 64 hexadecimal digits; null when it is none. */
function wordOf(type: string, value: unknown): string | null {
  if (type === "bytes32" || type === "address") {
    const digits = type === "address" ? 40 : 64;
    const fits = typeof value === "string" && value.length === digits + 2 && /^0x[0-9a-fA-F]+$/.test(value);
    return fits ? value.slice(2).padStart(64, "0") : null;
  }
  const bits = Number(/^uint(\d+)$/.exec(type)?.[1] ?? 0);
  if (typeof value !== "bigint" && !Number.isSafeInteger(value)) return null;
  const number = BigInt(value as bigint | number);
  return number >= 0n && number < 1n << BigInt(bits) ? number.toString(16).padStart(64, "0") : null;
}
