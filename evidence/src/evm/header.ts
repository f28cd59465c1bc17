import { encodeRlp, keccak256 } from "ethers";
import { quantityBytes, type Hex } from "@assay/protocol";

/** Fields of a header in the order of its RLP list. Later forks appended theirs; a node sends those that there are. */
const FIELDS = [
  "parentHash",
  "sha3Uncles",
  "miner",
  "stateRoot",
  "transactionsRoot",
  "receiptsRoot",
  "logsBloom",
  "difficulty",
  "number",
  "gasLimit",
  "gasUsed",
  "timestamp",
  "extraData",
  "mixHash",
  "nonce",
  "baseFeePerGas",
  "withdrawalsRoot",
  "blobGasUsed",
  "excessBlobGas",
  "parentBeaconBlockRoot",
  "requestsHash",
] as const;

const QUANTITIES: readonly string[] = [
  "difficulty",
  "number",
  "gasLimit",
  "gasUsed",
  "timestamp",
  "baseFeePerGas",
  "blobGasUsed",
  "excessBlobGas",
];

/** The header's RLP, or null when the fields that the node sent do not amount to the block's hash. */
export function headerOf(block: Readonly<Record<string, unknown>>): Hex | null {
  const fields = FIELDS.flatMap((field) => {
    const value = block[field];
    if (typeof value !== "string") return [];
    return [QUANTITIES.includes(field) ? quantityBytes(value as Hex) : value];
  });
  const encoded = encodeRlp(fields) as Hex;
  return keccak256(encoded) === block["hash"] ? encoded : null;
}
