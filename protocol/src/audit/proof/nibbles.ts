import { hexlify } from "ethers";
import { bytesOf, type Hex } from "../../primitives/hex.ts";

/** Half bytes, each 0 to 15: the alphabet of a trie's paths. */
export type Nibbles = readonly number[];

/** The nibbles of bytes, high ones first. */
export function toNibbles(bytes: Hex): number[] {
  return [...bytesOf(bytes)].flatMap((byte) => [byte >> 4, byte & 15]);
}

/** Hex-prefix encoding of a path: whether it ends in a leaf, and whether it is odd, in the first nibble. */
export function encodePath(path: Nibbles, isLeaf: boolean): Hex {
  const flag = (isLeaf ? 2 : 0) + (path.length % 2);
  const padded = path.length % 2 === 1 ? [flag, ...path] : [flag, 0, ...path];
  const bytes = Uint8Array.from({ length: padded.length / 2 }, (_, index) => {
    return ((padded[2 * index] ?? 0) << 4) | (padded[2 * index + 1] ?? 0);
  });
  return hexlify(bytes) as Hex;
}

/** Reads a hex-prefix encoded path. */
export function decodePath(encoded: Hex): { readonly path: Nibbles; readonly isLeaf: boolean } {
  const [flag = 0, ...rest] = toNibbles(encoded);
  return { path: flag % 2 === 1 ? rest : rest.slice(1), isLeaf: flag >= 2 };
}

/** How many nibbles both begin with. */
export function sharedLength(one: Nibbles, other: Nibbles): number {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length += 1;
  return length;
}
