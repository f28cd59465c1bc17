import { classifySendError, type Receipt } from "../rpc/index.ts";
import { NotYetError, type Services, type Work } from "../run/index.ts";
import type { AttemptRow, Commit, OutboxRow } from "../store/index.ts";

/** The settlement that a submission has under way. */
export async function journalled({ journal }: Work): Promise<OutboxRow> {
  const outbox = await journal.open("settle");
  if (outbox === null) throw new NotYetError("the journal lacks the settlement");
  return outbox;
}

/** The newest of the bytes that were signed for an intent. */
export function newest(outbox: OutboxRow): AttemptRow {
  const attempt = outbox.attempts.at(-1);
  if (attempt === undefined) throw new NotYetError("the journal lacks the settlement's bytes");
  return attempt;
}

/**
 * The receipt of whichever of the signed bytes is in a block. A receipt is one endpoint's word; it counts only when the
 * block that it names is the one that the endpoints agree on.
 */
export async function receiptOf({ chain }: Services, outbox: OutboxRow): Promise<Receipt | null> {
  for (const attempt of outbox.attempts.toReversed()) {
    const receipt = await chain.receipt(attempt.transactionHash);
    if (receipt === null) continue;
    const header = await chain.header(receipt.block.number);
    if (header?.hash === receipt.block.hash) return receipt;
  }
  return null;
}

/** Hands bytes to the node. What it refuses for a reason that watching resolves counts as handed over. */
export async function deliver({ chain }: Services, attempt: Pick<AttemptRow, "raw">): Promise<void> {
  try {
    await chain.sendRaw(attempt.raw);
  } catch (error) {
    const outcome = classifySendError(error);
    if (outcome === "unknown" || outcome === "insufficientFunds") throw error;
  }
}

/** The note that these bytes left. */
export function sentNow(services: Services, attempt: AttemptRow): Pick<Commit, "sent"> {
  return {
    sent: [{ transactionHash: attempt.transactionHash, block: services.view()?.latest.number ?? null }],
  };
}
