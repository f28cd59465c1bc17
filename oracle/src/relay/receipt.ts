import { Transaction } from "ethers";
import { elapsed, gapBelow } from "../core/index.ts";
import type { RelayReceipt } from "../judge/index.ts";
import { RpcResponseError, raised } from "../rpc/index.ts";
import { relayLane, type Found, type Handler, type Services, type Waiting } from "../run/index.ts";
import type { AttemptRow, OutboxRow, SignedTransaction } from "../store/index.ts";
import { handOver, journalledRelay, relayReceipt, sentNow, type JournalledRelay } from "./outbox.ts";

/** Milliseconds between two deliveries of the same bytes while no receipt is known. */
const RESEND_MILLISECONDS = 30_000;
/** Milliseconds without a receipt after which the same call is offered at a higher price. */
const BUMP_MILLISECONDS = 60_000;
/**
 * Sets of bytes that are tried before the nonce is given to a transfer of nothing. Only one of them all can get into a
 * block, so whichever does decides, and nothing is sent twice.
 */
const MAX_ATTEMPTS = 5;
/** Milliseconds that a nonce has to look used, or unclaimed, before that is believed: replicas differ for a while. */
const SETTLING_MILLISECONDS = 60_000;
/** The price is never raised above this many times the first one. */
const MAX_FACTOR = 10n;

/** Waits for the receipt of a journalled send, which holds the GenLayer transaction's id; unsticks what gets none. */
export function createReceiptHandler(services: Services): Handler {
  return async (work) => {
    const relay = await journalledRelay(work);
    const receipt = await relayReceipt(services, relay.outbox);
    if (receipt !== null) return included(relay.outbox, receipt);
    return services.judge.network.kind === "testnet" ? unstick(services, relay) : again(services, relay);
  };
}

function included(outbox: OutboxRow, { succeeded, judgeTx }: RelayReceipt): Found {
  if (succeeded && judgeTx !== null)
    return {
      events: [{ type: "JudgeTransactionFound", judgeTx }],
      change: { outboxStatus: [{ outboxId: outbox.id, status: "included", judgeTx }] },
    };
  return failedSend(
    outbox,
    succeeded
      ? "the send's receipt announces no GenLayer transaction"
      : "the send was reverted by ConsensusMain",
  );
}

/** The nonce is used, so it can't be given out again. */
export function failedSend(outbox: OutboxRow, reason: string): Found {
  return {
    events: [{ type: "RelayFailed", reason }],
    change: { outboxStatus: [{ outboxId: outbox.id, status: "included" }] },
  };
}

/** A null receipt may be another replica's view: the same bytes again are harmless, other ones would not be. */
export async function again(services: Services, { attempt }: JournalledRelay): Promise<Waiting> {
  if (attempt.sentAt !== null && elapsed(services.clock.now(), attempt.sentAt) < RESEND_MILLISECONDS)
    return { wait: "poll" };
  await handOver(services, attempt);
  return { wait: "poll", change: sentNow(attempt) };
}

/** Where nonces are strict, one send without a receipt keeps every later one of the key from getting into a block. */
export async function unstick(services: Services, relay: JournalledRelay): Promise<Found | Waiting> {
  const { judge, clock } = services;
  const { outbox, attempt } = relay;
  const chainNonce = await judge.nonce();
  const waited = attempt.sentAt === null ? 0 : elapsed(clock.now(), attempt.sentAt);
  if (chainNonce > outbox.nonce) {
    // A used nonce is never sent again, so the time of the last send stands still.
    if (waited < SETTLING_MILLISECONDS)
      return { wait: "poll", note: "the send's nonce is used, no receipt yet" };
    return failedSend(outbox, "another transaction of the relayer's account took the send's nonce");
  }
  if (attempt.sentAt !== null && age(outbox, clock.now()) > SETTLING_MILLISECONDS)
    await fillGap(services, outbox.nonce, attempt.fee);
  const replacement = chainNonce === outbox.nonce ? await replace(services, relay) : null;
  if (replacement !== null)
    return { wait: "poll", change: { bumps: [{ outboxId: outbox.id, transaction: replacement }] } };
  return again(services, relay);
}

/**
 * Uses up a nonce below this one that nobody holds any more. In the lane, so that nobody is given it meanwhile. Not
 * journalled: it moves nothing, and a second one only competes with the first.
 */
async function fillGap(services: Services, below: number, fee: bigint): Promise<void> {
  const { judge, store, logger } = services;
  const { chain, signer } = relayLane(services);
  await store.withSigner(chain, signer, async () => {
    const nonce = gapBelow(below, await judge.nonce(), await store.openNonces(chain, signer));
    if (nonce === null) return;
    const filler = await judge.prepareFiller(nonce, raised(fee));
    logger.warn({ chain: judge.network.name, nonce }, "Filled a gap in the relayer's nonces");
    await judge.sendRaw(filler.raw).catch((error: unknown) => {
      if (!(error instanceof RpcResponseError)) throw error;
    });
  });
}

/** What takes the place of bytes that have waited long enough: the same call for more, or in the end a filler. */
async function replace(
  { judge, clock }: Services,
  { outbox, attempt }: JournalledRelay,
): Promise<SignedTransaction | null> {
  const [first] = outbox.attempts;
  if (first === undefined || attempt.sentAt === null) return null;
  if (elapsed(clock.now(), attempt.signedAt) < BUMP_MILLISECONDS) return null;
  const fee = raised(attempt.fee);
  const isAffordable = fee <= raised(first.fee) * MAX_FACTOR;
  if (isFiller(attempt)) return isAffordable ? judge.reprice(attempt.raw, fee) : null;
  if (outbox.attempts.length >= MAX_ATTEMPTS) return judge.prepareFiller(outbox.nonce, fee);
  return isAffordable ? judge.reprice(attempt.raw, fee) : null;
}

function isFiller({ raw }: AttemptRow): boolean {
  return Transaction.from(raw).data === "0x";
}

/** Milliseconds since the first of the bytes were signed. */
function age({ attempts }: OutboxRow, now: number): number {
  const [first] = attempts;
  return first === undefined ? 0 : elapsed(now, first.signedAt);
}
