import type { Hex } from "@assay/protocol";

/** Somewhere that documents may be had. Nothing is believed: the caller hashes what comes back. */
export interface Source {
  /** For messages. */
  readonly name: string;
  /** The document of that SHA-256, or null. @throws when the source can't be asked. */
  document(hash: Hex): Promise<Uint8Array | null>;
  /** The text of the verdict record of that Keccak-256, or null. */
  verdictRecord(agreementId: Hex, verdictHash: Hex): Promise<string | null>;
}
