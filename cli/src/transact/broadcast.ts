import { setTimeout as sleep } from "node:timers/promises";
import { RpcError } from "@assay/evidence";
import { type Hex, durationInWords } from "@assay/protocol";
import { PendingError, RefusedError, UnavailableError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Included, Intent } from "./intent.ts";
import type { Entry, Journal } from "./journal.ts";
import type { Node, Receipt } from "./node.ts";
import { isOutOfGasMoney } from "./refusal.ts";

/** Answers that mean: it is there already, or was; its receipt will tell. */
const SENT_BEFORE = /already known|known transaction|already imported|nonce too low|already exists/i;
/** How often a node is asked whether a block holds the transaction. */
const POLL_MILLISECONDS = 1_000;
/** How often progress is told. */
const TELL_SECONDS = 15;
/** How long a receipt may trail behind its block at endpoints of several nodes. */
const SETTLING_POLLS = 5;

/** What sending needs. */
export interface Broadcasting {
  readonly io: Io;
  readonly node: Node;
  readonly journal: Journal;
  /** How long to wait for a block, in seconds. */
  readonly waitSeconds: number;
}

/** A transaction of an earlier run lost its place to another one of the same account. */
export const REPLACED = Symbol("replaced");

/**
 * Sends a journalled transaction, again if need be, and waits until a block holds it. The same signed bytes each time,
 * so that it can't be done twice.
 *
 * @returns REPLACED when another transaction took its nonce; then it can never be included.
 * @throws RefusedError when it was included and failed; PendingError when nobody knows yet.
 */
export async function broadcast(
  context: Broadcasting,
  intent: Intent,
  entry: Pick<Entry, "raw" | "transactionHash" | "from" | "nonce">,
  resumed: boolean,
): Promise<Included | typeof REPLACED> {
  const { io, node, journal } = context;
  const { transactionHash } = entry;
  const earlier = resumed ? await ask(() => node.receipt(transactionHash), transactionHash) : null;
  if (earlier === null) {
    await send(context, intent, entry);
    io.diagnose(`${intent.title}: sent ${transactionHash}, waiting for a block`);
  }
  const receipt = earlier ?? (await untilIncluded(context, entry));
  await journal.remove(intent);
  if (receipt === null) return REPLACED;
  if (receipt.status !== 1)
    throw new RefusedError(
      "transaction_failed",
      `${intent.title}: the transaction ${transactionHash} is in block ${receipt.blockNumber}, and failed there`,
      "Something changed between its simulation and its block; run the command again to hear what.",
    );
  return {
    action: intent.action,
    subject: intent.subject,
    transactionHash,
    blockNumber: receipt.blockNumber,
    gasUsed: receipt.gasUsed,
    resumed,
  };
}

async function send(
  { io, node, journal }: Broadcasting,
  intent: Intent,
  { raw, transactionHash }: Pick<Entry, "raw" | "transactionHash">,
): Promise<void> {
  try {
    await node.send(raw as Hex);
  } catch (error) {
    if (error instanceof RpcError && SENT_BEFORE.test(error.reason)) return;
    if (error instanceof RpcError) {
      // The node looked at it and would not have it, so nobody else will get it from there.
      await journal.remove(intent);
      const [reason, hint] = isOutOfGasMoney(error)
        ? ["gas_money_missing", "Send the account some of the network's own coin (ETH) for gas."]
        : ["node_refused", "Nothing was sent; run the command again, or use another endpoint."];
      throw new RefusedError(reason, `${intent.title}: the node says: ${error.reason}`, hint, {
        cause: error,
      });
    }
    if (!(error instanceof UnavailableError)) throw error;
    io.diagnose(error.message);
    throw pending(transactionHash, "may have been sent", error);
  }
}

/** Null when another transaction has taken its nonce. */
async function untilIncluded(
  { io, node, waitSeconds }: Broadcasting,
  { transactionHash, from, nonce }: Pick<Entry, "transactionHash" | "from" | "nonce">,
): Promise<Receipt | null> {
  const started = performance.now();
  let told = 0;
  let overtaken = 0;
  for (;;) {
    const receipt = await ask(() => node.receipt(transactionHash), transactionHash);
    if (receipt !== null) return receipt;
    overtaken = (await ask(() => node.nonce(from), transactionHash)) > nonce ? overtaken + 1 : 0;
    if (overtaken >= SETTLING_POLLS) return null;
    const waited = (performance.now() - started) / 1_000;
    if (waited >= waitSeconds)
      throw pending(transactionHash, `is in no block after ${durationInWords(waitSeconds)}`);
    if (waited - told >= TELL_SECONDS) {
      told = waited;
      io.diagnose(`Still waiting for a block after ${durationInWords(waited)}`);
    }
    await sleep(POLL_MILLISECONDS);
  }
}

async function ask<T>(question: () => Promise<T>, transactionHash: Hex): Promise<T> {
  try {
    return await question();
  } catch (error) {
    if (error instanceof UnavailableError)
      throw pending(transactionHash, "was sent, but the node is gone", error);
    throw error;
  }
}

function pending(transactionHash: Hex, what: string, cause?: unknown): PendingError {
  return new PendingError(
    transactionHash,
    `transaction ${transactionHash} ${what}`,
    "Run the same command again: it goes on with this transaction and never makes a second one beside it.",
    { cause },
  );
}
