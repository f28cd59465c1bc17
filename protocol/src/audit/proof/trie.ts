import { type RlpStructuredData, dataLength, decodeRlp, encodeRlp, keccak256 } from "ethers";
import type { Hex } from "../../primitives/hex.ts";
import { type Nibbles, decodePath, encodePath, sharedLength, toNibbles } from "./nibbles.ts";

/** A node's fields: two for a leaf or an extension, seventeen for a branch. */
type Node = RlpStructuredData[];

/** Nodes whose RLP is shorter than this stand in their parent instead of being named by hash. */
const HASH_BYTES = 32;
const BRANCH_FIELDS = 17;

/** One key with its value, as bytes. */
export type TrieEntry = readonly [key: Hex, value: Hex];

/**
 * The root of Ethereum's Merkle Patricia trie over the entries, and the nodes on the way to one key.
 *
 * @param entries with distinct keys, none of which begins another; values are not empty.
 * @param key that of one of the entries.
 */
export function proveInTrie(entries: readonly TrieEntry[], key: Hex): { root: Hex; proof: Hex[] } {
  const proof: Hex[] = [];
  const leaves = entries.map(([entryKey, value]) => ({ path: toNibbles(entryKey), value }));
  const root = encodeRlp(build(leaves, toNibbles(key), proof)) as Hex;
  return { root: keccak256(root) as Hex, proof: [root, ...proof] };
}

interface Leaf {
  readonly path: Nibbles;
  readonly value: Hex;
}

/** The node over leaves; hashed nodes below it on the way along `target` are added to `proof`, from the top down. */
function build(leaves: readonly Leaf[], target: Nibbles | null, proof: Hex[]): Node {
  const [first] = leaves;
  if (first === undefined) return [];
  if (leaves.length === 1) return [encodePath(first.path, true), first.value];
  const shared = Math.min(...leaves.map(({ path }) => sharedLength(path, first.path)));
  if (shared > 0) {
    const below = leaves.map(({ path, value }) => ({ path: path.slice(shared), value }));
    const follows = target !== null && sharedLength(target, first.path) >= shared;
    return [
      encodePath(first.path.slice(0, shared), false),
      reference(below, follows ? target.slice(shared) : null, proof),
    ];
  }
  const branch: Node = Array.from({ length: 16 }, (_, nibble) => {
    const below = leaves
      .filter(({ path }) => path[0] === nibble)
      .map(({ path, value }) => ({ path: path.slice(1), value }));
    if (below.length === 0) return "0x";
    return reference(below, target?.[0] === nibble ? target.slice(1) : null, proof);
  });
  return [...branch, leaves.find(({ path }) => path.length === 0)?.value ?? "0x"];
}

function reference(leaves: readonly Leaf[], target: Nibbles | null, proof: Hex[]): RlpStructuredData {
  const below: Hex[] = [];
  const node = build(leaves, target, below);
  const encoded = encodeRlp(node) as Hex;
  const isHashed = dataLength(encoded) >= HASH_BYTES;
  if (target !== null) proof.push(...(isHashed ? [encoded] : []), ...below);
  return isHashed ? keccak256(encoded) : node;
}

/**
 * The value under `key` in the trie with that root, or null when the nodes do not prove one.
 *
 * @param proof the hashed nodes from the root down.
 */
export function valueInTrie(root: Hex, key: Hex, proof: readonly Hex[]): Hex | null {
  const nodes = new Map(proof.map((node) => [keccak256(node), node]));
  const used = new Set<string>();
  const load = (pointer: RlpStructuredData): Node | null => {
    if (typeof pointer !== "string") return pointer;
    const encoded = nodes.get(pointer);
    if (encoded === undefined) return null;
    used.add(pointer);
    const node = decodeRlp(encoded);
    return typeof node === "string" ? null : node;
  };
  let path: Nibbles = toNibbles(key);
  let node = load(root);
  while (node !== null) {
    if (node.length === BRANCH_FIELDS) {
      const [nibble, ...rest] = path;
      // A longer proof than needed is refused too: nothing unexamined rides along.
      if (nibble === undefined) return used.size === proof.length ? valueOf(node[16]) : null;
      path = rest;
      node = load(node[nibble] ?? "0x");
      continue;
    }
    const [encodedPath, below] = node;
    if (node.length !== 2 || typeof encodedPath !== "string" || below === undefined) return null;
    const { path: part, isLeaf } = decodePath(encodedPath as Hex);
    if (sharedLength(part, path) < part.length) return null;
    path = path.slice(part.length);
    if (isLeaf) return path.length === 0 && used.size === proof.length ? valueOf(below) : null;
    node = load(below);
  }
  return null;
}

function valueOf(field: RlpStructuredData | undefined): Hex | null {
  return typeof field === "string" && field !== "0x" ? (field as Hex) : null;
}
