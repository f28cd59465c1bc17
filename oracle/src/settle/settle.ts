import { Transaction } from "ethers";
import { deliveryCalldata, type Hex } from "@assay/protocol";
import { certificateOf } from "../attest/index.ts";
import type { SubmissionState } from "../core/index.ts";
import { holdsSubmission, termsOf } from "../judge/index.ts";
import {
  RpcResponseError,
  classifySendError,
  escrowInterface,
  quorumInterface,
  type Fees,
  type Receipt,
} from "../rpc/index.ts";
import {
  NotYetError,
  SETTLE_CHAIN,
  chainView,
  rankOf,
  type Handler,
  type Services,
  type Step,
} from "../run/index.ts";
import type { AttemptRow, Commit, OutboxRow, SignedTransaction } from "../store/index.ts";

/** Settlements of one account that may be without a receipt at the same time. */
const MAX_IN_FLIGHT = 16;
/** The same bytes go out again once the chain made this many blocks without them, or this many milliseconds passed. */
const RESEND = { blocks: 3, milliseconds: 10_000 };

function keyOf(state: SubmissionState) {
  return { agreementId: state.agreementId, submissionHash: state.submissionHash };
}

/** Signs and journals the delivery of a certificate, when it is this operator's turn and the escrow still waits. */
export function createSettlementHandler(services: Services): Handler {
  const { chain, store, config, submitter, attester } = services;

  /** The chain is the floor; what is signed and not yet there counts too. */
  async function nextNonce(): Promise<number> {
    const highest = await store.highestNonce(SETTLE_CHAIN, submitter.address);
    return Math.max(await chain.nonce(submitter.address), (highest ?? -1) + 1);
  }

  return async ({ state, attempts }) => {
    const halt = services.haltReason();
    if (halt !== null) throw new NotYetError(`signing is halted: ${halt}`);
    const { latest, final } = chainView(services);
    if (latest.timestamp > state.adjudicateBy)
      return { wait: "finality", note: "the adjudication window is over" };
    const rank = rankOf(state.agreementId, attester.address, config.members.addresses) ?? 0;
    if (latest.timestamp < state.turnFrom + rank * config.rankSeconds)
      return { wait: "poll", note: `member number ${rank + 1} of the agreement, waiting for its turn` };
    for (const at of [final.number, "latest"] as const) {
      const escrow = await chain.escrowState(state.agreementId, at);
      if (!holdsSubmission(escrow, state.submissionHash))
        return { wait: "poll", note: `the escrow is ${escrow.status}` };
    }
    const open = await store.openOutboxOf(SETTLE_CHAIN, submitter.address);
    if (open.length >= MAX_IN_FLIGHT) return { wait: "poll", note: "too many settlements without a receipt" };

    const data = await deliveryOf(services, state);
    const call = { from: submitter.address, to: config.evm.quorum, data };
    let gas: bigint;
    try {
      gas = await chain.estimateGas(call);
    } catch (error) {
      return refusedByChain(error, attempts);
    }
    const transaction = await submitter.signTransaction({
      chainId: config.evm.chainId,
      nonce: await nextNonce(),
      to: call.to,
      data,
      gasLimit: (gas * 5n) / 4n + 20_000n,
      fees: capped(await chain.fees(), config.evm.maxFeePerGas),
    });
    return {
      events: [{ type: "SettlementSigned", transactionHash: transaction.transactionHash }],
      change: {
        outbox: [
          {
            key: keyOf(state),
            purpose: "settle",
            chain: SETTLE_CHAIN,
            signer: submitter.address,
            transaction,
          },
        ],
      },
    };
  };
}

/** Sends the journalled bytes for the first time, or again after a crash. */
export function createBroadcastHandler(services: Services): Handler {
  return async ({ state }) => {
    const outbox = await journalled(services, state);
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
  return async ({ state }) => {
    const outbox = await journalled(services, state);
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
    const escrow = await chain.escrowState(state.agreementId, final.number);
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
      change: { outboxStatus: [{ outboxId: outbox.id, status: "open" }], ...sentNow(services, attempt) },
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
    const bumped = await bump(services, outbox, attempt);
    if (bumped !== null)
      return { wait: "poll", change: { bumps: [{ outboxId: outbox.id, transaction: bumped }] } };
    const blocks = chainView(services).latest.number - (attempt.sentAtBlock ?? 0);
    const milliseconds = services.clock.now() - (attempt.sentAt ?? 0);
    if (blocks < RESEND.blocks && milliseconds < RESEND.milliseconds) return { wait: "poll" };
    await deliver(services, attempt);
    return { wait: "poll", change: sentNow(services, attempt) };
  }
}

/** Waits until the block that reports the settlement is final. */
export function createConfirmHandler(services: Services): Handler {
  const { chain } = services;
  return async ({ state }) => {
    if (state.seen === null) throw new NotYetError("no settlement is known");
    const { block } = state.seen;
    if (block.number > chainView(services).final.number) return { wait: "finality" };
    const header = await chain.header(block.number);
    if (header?.hash !== block.hash)
      throw new NotYetError(`block ${block.number} reads as ${header?.hash ?? "missing"}, not ${block.hash}`);
    return { events: [{ type: "SettlementFinal" }] };
  };
}

/** Calldata of the delivery: exactly as many signatures as are needed, each at its member's place. */
async function deliveryOf(services: Services, state: SubmissionState): Promise<Hex> {
  const { store, config } = services;
  const { addresses: members, threshold } = config.members;
  const { verdict, digest } = await certificateOf(services, state);
  const held = (await store.attestations(keyOf(state))).filter((row) => row.digest === digest);
  const used = held.slice(0, threshold);
  if (used.length < threshold) throw new NotYetError(`${used.length} of ${threshold} signatures`);
  const signatures = members.map((member) => used.find((row) => row.operator === member)?.signature ?? "0x");
  return deliveryCalldata({ terms: await termsOf(services, state), verdict, members, threshold, signatures });
}

/**
 * A simulation that failed. Without revert data it is the endpoint that failed, not the call; with it, the chain was
 * asked at a moment when the escrow had just been settled, or something is wrong that a person has to see.
 */
function refusedByChain(error: unknown, attempts: number): Step {
  if (!(error instanceof RpcResponseError) || error.data === null) throw error;
  const name = revertName(error.data);
  if (attempts < 2) throw new NotYetError(`the delivery would revert with ${name}`);
  return { events: [{ type: "SettlementFailed", reason: `the delivery would revert with ${name}` }] };
}

function revertName(data: string): string {
  const parsed = quorumInterface.parseError(data) ?? escrowInterface.parseError(data);
  return parsed?.name ?? data.slice(0, 10);
}

async function journalled({ store }: Services, state: SubmissionState): Promise<OutboxRow> {
  const outbox = await store.openOutbox(keyOf(state), "settle");
  if (outbox === null) throw new NotYetError("the journal lacks the settlement");
  return outbox;
}

function newest(outbox: OutboxRow): AttemptRow {
  const attempt = outbox.attempts.at(-1);
  if (attempt === undefined) throw new NotYetError("the journal lacks the settlement's bytes");
  return attempt;
}

/** The receipt of whichever of the signed bytes is in a block. */
async function receiptOf({ chain }: Services, outbox: OutboxRow): Promise<Receipt | null> {
  for (const attempt of outbox.attempts.toReversed()) {
    const receipt = await chain.receipt(attempt.transactionHash);
    if (receipt !== null) return receipt;
  }
  return null;
}

/** Hands bytes to the node. What it refuses for a reason that watching resolves counts as handed over. */
async function deliver({ chain }: Services, attempt: AttemptRow): Promise<void> {
  try {
    await chain.sendRaw(attempt.raw);
  } catch (error) {
    const outcome = classifySendError(error);
    if (outcome === "unknown" || outcome === "insufficientFunds") throw error;
  }
}

function sentNow(services: Services, attempt: AttemptRow): Pick<Commit, "sent"> {
  return {
    sent: [{ transactionHash: attempt.transactionHash, block: services.view()?.latest.number ?? null }],
  };
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
  if (attempt.sentAt === null || clock.now() - attempt.signedAt < config.evm.bumpAfterSeconds * 1_000)
    return null;
  const previous = Transaction.from(attempt.raw);
  const market = await chain.fees();
  const fees = capped(
    {
      maxFeePerGas: larger(raised(previous.maxFeePerGas ?? 0n), market.maxFeePerGas),
      maxPriorityFeePerGas: larger(raised(previous.maxPriorityFeePerGas ?? 0n), market.maxPriorityFeePerGas),
    },
    config.evm.maxFeePerGas,
  );
  if (fees.maxFeePerGas < raised(previous.maxFeePerGas ?? 0n)) return null;
  return submitter.signTransaction({
    chainId: config.evm.chainId,
    nonce: outbox.nonce,
    to: config.evm.quorum,
    data: previous.data as Hex,
    gasLimit: previous.gasLimit,
    fees,
  });
}

/** One eighth more: nodes demand a tenth. */
function raised(price: bigint): bigint {
  return price + price / 8n + 1n;
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function capped(fees: Fees, cap: bigint): Fees {
  const maxFeePerGas = fees.maxFeePerGas < cap ? fees.maxFeePerGas : cap;
  return {
    maxFeePerGas,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas < maxFeePerGas ? fees.maxPriorityFeePerGas : maxFeePerGas,
  };
}

/** The settlement is over without having settled. Its nonce is used, so it can't be given out again. */
function failed(outbox: OutboxRow, reason: string): Step {
  return {
    events: [{ type: "SettlementFailed", reason }],
    change: { outboxStatus: [{ outboxId: outbox.id, status: "included" }] },
  };
}
