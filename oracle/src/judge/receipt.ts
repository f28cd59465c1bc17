import type { GenLayerNetwork } from "@assay/protocol";
import { z } from "zod";
import { wireAddress, wireHash } from "../rpc/index.ts";
import type { RelayReceipt } from "./judge.ts";

/** `NewTransaction(bytes32 indexed txId, address indexed recipient, address indexed activator)`. */
export const NEW_TRANSACTION = "0xdab9102861c7483a187584d6371d88316f005af507982ccf95c110879f3ed5a5";
/** `CreatedTransaction(bytes32 indexed txId, uint256)`. */
const CREATED_TRANSACTION = "0x8620e7f03a280a3d2aa84bd41ba19524c2d7f1dbfa9d79cb81877b0f8c963f9b";

const receiptSchema = z
  .object({
    status: z.union([z.string(), z.number()]).optional(),
    logs: z.array(z.object({ address: wireAddress, topics: z.array(wireHash) })).default([]),
  })
  .nullable();

/** Reads a receipt of the network's EVM layer; null when there is none, undefined when it is malformed. */
export function readReceipt(answer: unknown, network: GenLayerNetwork): RelayReceipt | null | undefined {
  const parsed = receiptSchema.safeParse(answer);
  if (!parsed.success) return undefined;
  const receipt = parsed.data;
  if (receipt === null) return null;
  // On Studio the log's address is the contract's own.
  const created = receipt.logs.find(
    (log) =>
      [NEW_TRANSACTION, CREATED_TRANSACTION].includes(log.topics[0] ?? "") &&
      (network.kind === "studio" || log.address === network.consensusMain),
  );
  return {
    succeeded: receipt.status === undefined || Number(receipt.status) === 1,
    judgeTx: created?.topics[1] ?? null,
  };
}
