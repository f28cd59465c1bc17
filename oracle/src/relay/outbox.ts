import type { RelayReceipt } from "../judge/index.ts";
import { RpcResponseError, classifySendError, isRateLimit } from "../rpc/index.ts";
import { NotYetError, type Services, type Work } from "../run/index.ts";
import type { AttemptRow, Commit, OutboxRow } from "../store/index.ts";

/** A send under way, with the newest of the bytes that were signed for it. */
export interface JournalledRelay {
  readonly outbox: OutboxRow;
  readonly attempt: AttemptRow;
}

/** The send that a submission has under way. */
export async function journalledRelay({ state, journal }: Work): Promise<JournalledRelay> {
  const outbox = await journal.open("relay");
  const attempt = outbox?.attempts.at(-1);
  const known = outbox?.attempts.some((entry) => entry.transactionHash === state.relayTx);
  if (outbox === null || attempt === undefined || known !== true)
    throw new NotYetError(`the journal lacks send ${String(state.relayTx)}`);
  return { outbox, attempt };
}

/** The receipt of whichever of the signed bytes is in a block; null when none is. */
export async function relayReceipt({ judge }: Services, outbox: OutboxRow): Promise<RelayReceipt | null> {
  for (const attempt of outbox.attempts.toReversed()) {
    const receipt = await judge.receipt(attempt.transactionHash);
    if (receipt !== null) return receipt;
  }
  return null;
}

/**
 * Hands journalled bytes to the network. What a node refuses for a reason of its own is left to whoever watches the
 * send: it sends the bytes again, raises the price, or gives the nonce to something else.
 *
 * @throws the endpoint's error when there was no answer, or the key has no money, or is asked too often.
 */
export async function handOver({ judge }: Services, attempt: AttemptRow): Promise<void> {
  try {
    await judge.sendRaw(attempt.raw);
  } catch (error) {
    const isRefusal = error instanceof RpcResponseError && !isRateLimit(error);
    if (!isRefusal || classifySendError(error) === "insufficientFunds") throw error;
  }
}

/** The note that these bytes left. */
export function sentNow(attempt: AttemptRow): Pick<Commit, "sent"> {
  return { sent: [{ transactionHash: attempt.transactionHash, block: null }] };
}
