import { bytesOf, keccak256, type Address, type Hex } from "@assay/protocol";

/** Bytes of a block's bloom filter. */
const BYTES = 256;
/** Bits that one address or topic sets. */
const BITS = 3;

/** Bits of the filter that an address sets: eleven bits each of the first three pairs of its hash's bytes. */
function bitsOf(address: Address): readonly number[] {
  const digest = bytesOf(keccak256(bytesOf(address)));
  return Array.from(
    { length: BITS },
    (_none, index) => (((digest[2 * index] ?? 0) << 8) | (digest[2 * index + 1] ?? 0)) & (8 * BYTES - 1),
  );
}

/**
 * Whether a block with this bloom filter may hold a log of the contract. Never false for one that does, when the chain
 * keeps filters at all: some send nothing but zeros.
 */
export function mayHoldLogOf(contract: Address, bloom: Hex): boolean {
  const filter = bytesOf(bloom);
  return (
    filter.length !== BYTES ||
    bitsOf(contract).every((bit) => ((filter[BYTES - 1 - (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0)
  );
}

/** Whether the filter tells anything: an empty one may mean that the chain keeps none. */
export function isEmptyBloom(bloom: Hex): boolean {
  return /^0x0*$/.test(bloom);
}
