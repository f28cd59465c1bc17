import { Transaction } from "ethers";
import { toAddress, type Hex } from "@assay/protocol";
import { elapsed, gapBelow, type SubmissionState } from "../core/index.ts";
import { holdsSubmission } from "../judge/index.ts";
import { capped, replacing } from "../rpc/index.ts";
import { SETTLE_CHAIN, chainView, type Handler, type Services, type Step } from "../run/index.ts";
import type { AttemptRow, Commit, OutboxRow, SignedTransaction } from "../store/index.ts";
import { venueOf } from "../venue/index.ts";
import { deliver, journalled, newest, receiptOf, sentNow } from "./outbox.ts";

/** The same bytes go out again once the chain made this many blocks without them, or this many milliseconds passed. */
const RESEND = { blocks: 3, milliseconds: 10_000 };
/** Milliseconds that a nonce has to look unclaimed before it is filled: replicas differ for a while. */
const SETTLING_MILLISECONDS = 60_000;
/** Gas of a transfer of nothing, with head-room for chains that count differently. */
const FILLER_GAS = 50_000n;

/** Sends the journalled bytes for the first time, or again after a crash. */
export function createBroadcastHandler(services: Services): Handler {
  return async (work) => {
    const outbox = await journalled(work);
    const attempt = newest(outbox);
    if ((await receiptOf(services, outbox)) === null) await deliver(services, attempt);
    return {
      events: [{ type: "SettlementBroadcast" }],
      change: sentNow(services, attempt),
    };
  };
}

/** Follows a settlement to its block and through reorganisations; sends it again, and for more, while it is missing. */
export function createWatchHandler(services: Services): Handler {
  const { chain, submitter } = services;
  return async (work) => {
    const { state } = work;
    const outbox = await journalled(work);
    const { final } = chainView(services);
    const receipt = await receiptOf(services, outbox);
    if (receipt === null) return state.name === "SETTLE_INCLUDED" ? vanished(state, outbox) : missing(outbox);

    if (receipt.succeeded) {
      if (state.name === "SETTLE_SENT")
        return {
          events: [{ type: "SettlementIncluded", block: receipt.block }],
          change: { outboxStatus: [{ outboxId: outbox.id, status: "included" }] },
        };
      // The escrow's log leads on; here only the block can change.
      return state.includedIn?.hash === receipt.block.hash
        ? { wait: "poll" }
        : { events: [{ type: "SettlementReorged" }, { type: "SettlementIncluded", block: receipt.block }] };
    }
    if (receipt.block.number > final.number)
      return { wait: "poll", note: "the settlement reverted, not final yet" };
    const escrow = await (await venueOf(services, state)).state(state, final.number);
    // Somebody else was faster: its log leads on.
    if (!holdsSubmission(escrow, state.submissionHash)) return { wait: "poll" };
    return failed(outbox, "the settlement reverted although the escrow waits for it");
  };

  /** A receipt that was there is gone: only the header tells a reorganisation from a replica that lags. */
  async function vanished(state: SubmissionState, outbox: OutboxRow): Promise<Step> {
    const header = state.includedIn === null ? null : await chain.header(state.includedIn.number);
    if (header === null || header.hash === state.includedIn?.hash) return { wait: "poll" };
    const attempt = newest(outbox);
    await deliver(services, attempt);
    return {
      events: [{ type: "SettlementReorged" }],
      change: { ...reopened(outbox), ...sentNow(services, attempt) },
    };
  }

  async function missing(outbox: OutboxRow): Promise<Step> {
    const { final } = chainView(services);
    if ((await chain.nonceAt(submitter.address, final.number)) > outbox.nonce) {
      // One more look: the receipt may have come between the two questions.
      if ((await receiptOf(services, outbox)) !== null) return { wait: "poll" };
      return failed(outbox, "another transaction of the account took the settlement's nonce");
    }
    const attempt = newest(outbox);
    // It was seen in a block that is gone: it is under way again.
    if (outbox.status === "included") {
      await deliver(services, attempt);
      return { wait: "poll", change: { ...reopened(outbox), ...sentNow(services, attempt) } };
    }
    await fillGap(services, outbox);
    const bumped = await bump(services, outbox, attempt);
    if (bumped !== null)
      return { wait: "poll", change: { bumps: [{ outboxId: outbox.id, transaction: bumped }] } };
    const blocks = chainView(services).latest.number - (attempt.sentAtBlock ?? 0);
    const milliseconds = elapsed(services.clock.now(), attempt.sentAt ?? 0);
    if (blocks < RESEND.blocks && milliseconds < RESEND.milliseconds) return { wait: "poll" };
    await deliver(services, attempt);
    return { wait: "poll", change: sentNow(services, attempt) };
  }
}

/**
 * The same call at a higher price, once the last one has waited long enough. Null when it has not, or when the price
 * is at its cap: the same bytes are then sent again, and land when the market falls.
 */
async function bump(
  services: Services,
  outbox: OutboxRow,
  attempt: AttemptRow,
): Promise<SignedTransaction | null> {
  const { chain, config, submitter, clock } = services;
  if (attempt.sentAt === null || elapsed(clock.now(), attempt.signedAt) < config.evm.bumpAfterSeconds * 1_000)
    return null;
  const previous = Transaction.from(attempt.raw);
  const fees = replacing(
    {
      maxFeePerGas: previous.maxFeePerGas ?? 0n,
      maxPriorityFeePerGas: previous.maxPriorityFeePerGas ?? 0n,
    },
    await chain.fees(),
    config.evm.maxFeePerGas,
  );
  if (fees === null) return null;
  return submitter.signTransaction({
    chainId: config.evm.chainId,
    nonce: outbox.nonce,
    to: toAddress(previous.to ?? ""),
    data: previous.data as Hex,
    gasLimit: previous.gasLimit,
    fees,
  });
}

/**
 * Uses up a nonce that keeps the settlement from getting into a block and that nobody holds any more. In the lane, so
 * that nobody is given it meanwhile. Not journalled: it moves nothing, and a second one only competes with the first.
 */
async function fillGap(services: Services, outbox: OutboxRow): Promise<void> {
  const { chain, store, config, submitter, clock, logger } = services;
  const [first] = outbox.attempts;
  if (first === undefined || elapsed(clock.now(), first.signedAt) < SETTLING_MILLISECONDS) return;
  await store.withSigner(SETTLE_CHAIN, submitter.address, async () => {
    const open = await store.openNonces(SETTLE_CHAIN, submitter.address);
    const nonce = gapBelow(outbox.nonce, await chain.nonce(submitter.address), open);
    if (nonce === null) return;
    const filler = await submitter.signTransaction({
      chainId: config.evm.chainId,
      nonce,
      to: submitter.address,
      data: "0x",
      gasLimit: FILLER_GAS,
      fees: capped(await chain.fees(), config.evm.maxFeePerGas),
    });
    logger.warn({ chain: SETTLE_CHAIN, nonce }, "Filled a gap in the submitter's nonces");
    await deliver(services, filler);
  });
}

function reopened(outbox: OutboxRow): Pick<Commit, "outboxStatus"> {
  return { outboxStatus: [{ outboxId: outbox.id, status: "open" }] };
}

/** The settlement is over without having settled. Its nonce is used, so it can't be given out again. */
function failed(outbox: OutboxRow, reason: string): Step {
  return {
    events: [{ type: "SettlementFailed", reason }],
    change: { outboxStatus: [{ outboxId: outbox.id, status: "included" }] },
  };
}
