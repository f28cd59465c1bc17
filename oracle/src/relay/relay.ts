import type { SubmissionState } from "../core/index.ts";
import { findJudgeTransaction, requiredMatter } from "../judge/index.ts";
import { classifySendError } from "../rpc/index.ts";
import { NotYetError, chainView, rankOf, type Handler, type Services, type Step } from "../run/index.ts";
import type { AttemptRow, OutboxRow } from "../store/index.ts";

/** Name under which GenLayer's nonces are kept. */
export function relayChain(services: Services): string {
  return `genlayer:${services.judge.network.name}`;
}

/**
 * Milliseconds after which an unseen send is dead: on testnets its `validUntil` is an hour after signing. Only then,
 * and with its nonce unused, may another be signed.
 */
const SEND_LIFETIME_MILLISECONDS = 65 * 60_000;
/** Milliseconds between two deliveries of the same bytes while no receipt is known. */
const RESEND_MILLISECONDS = 30_000;

/** Signs and journals an adjudication, and on the next visit sends the journalled bytes. */
export function createRelayHandler(services: Services): Handler {
  const { judge, store, config } = services;

  async function sign(state: SubmissionState): Promise<Step> {
    const { subject, call } = await requiredMatter(services, state);
    // Whoever judged already, or is about to: follow that instead of sending again.
    const known = await findJudgeTransaction(services, state, subject);
    if (known !== null) return { events: [{ type: "JudgeTransactionFound", judgeTx: known }] };

    const { contract, relayers, minValidators } = subject.agreement.adjudication;
    const rank = rankOf(state.agreementId, judge.relayer, relayers);
    if (rank === null)
      return { wait: "judgePoll", note: `this relayer ${judge.relayer} is not among the agreement's` };
    if (chainView(services).latest.timestamp < state.turnFrom + rank * config.rankSeconds)
      return { wait: "judgePoll", note: `relayer number ${rank + 1} of the agreement, waiting for its turn` };
    const halt = services.haltReason();
    if (halt !== null) throw new NotYetError(`signing is halted: ${halt}`);
    const open = await store.openOutboxOf(relayChain(services), judge.relayer);
    if (open.length > 0) return { wait: "poll", note: "the relayer's earlier send has no receipt yet" };

    const transaction = await judge.prepare(contract, call, minValidators);
    return {
      events: [{ type: "RelaySigned", transactionHash: transaction.transactionHash }],
      change: {
        outbox: [
          {
            key: { agreementId: state.agreementId, submissionHash: state.submissionHash },
            purpose: "relay",
            chain: relayChain(services),
            signer: judge.relayer,
            transaction,
          },
        ],
      },
    };
  }

  async function send(state: SubmissionState): Promise<Step> {
    const { outbox, attempt } = await journalled(services, state);
    const receipt = await judge.receipt(attempt.transactionHash);
    if (receipt === null) {
      if (isDead(services, attempt)) return abandon(outbox, "the send expired before any node took it");
      try {
        await judge.sendRaw(attempt.raw);
      } catch (error) {
        const outcome = classifySendError(error);
        if (outcome !== "accepted" && outcome !== "nonceUsed") throw error;
      }
    }
    return {
      events: [{ type: "RelayBroadcast" }],
      change: { sent: [{ transactionHash: attempt.transactionHash, block: null }] },
    };
  }

  return ({ state }) => (state.relayTx === null ? sign(state) : send(state));
}

/** Waits for the receipt of a journalled send, which holds the GenLayer transaction's id. */
export function createReceiptHandler(services: Services): Handler {
  const { judge, clock } = services;
  return async ({ state }) => {
    const { outbox, attempt } = await journalled(services, state);
    const receipt = await judge.receipt(attempt.transactionHash);
    if (receipt === null) {
      if (isDead(services, attempt) && (await judge.nonce()) <= outbox.nonce)
        return abandon(outbox, "the send expired without a receipt");
      // A null receipt may be another replica's view: the same bytes again are harmless, other ones would not be.
      if (clock.now() - (attempt.sentAt ?? 0) < RESEND_MILLISECONDS) return { wait: "poll" };
      await judge.sendRaw(attempt.raw).catch((error: unknown) => {
        if (classifySendError(error) === "unknown") throw error;
      });
      return { wait: "poll", change: { sent: [{ transactionHash: attempt.transactionHash, block: null }] } };
    }
    if (receipt.succeeded && receipt.judgeTx !== null)
      return {
        events: [{ type: "JudgeTransactionFound", judgeTx: receipt.judgeTx }],
        change: { outboxStatus: [{ outboxId: outbox.id, status: "included", judgeTx: receipt.judgeTx }] },
      };
    return {
      events: [
        {
          type: "RelayFailed",
          reason: receipt.succeeded
            ? "the send's receipt announces no GenLayer transaction"
            : "the send was reverted by ConsensusMain",
        },
      ],
      change: { outboxStatus: [{ outboxId: outbox.id, status: "included" }] },
    };
  };
}

async function journalled(
  { store }: Services,
  state: SubmissionState,
): Promise<{ readonly outbox: OutboxRow; readonly attempt: AttemptRow }> {
  const key = { agreementId: state.agreementId, submissionHash: state.submissionHash };
  const outbox = await store.openOutbox(key, "relay");
  const attempt = outbox?.attempts.find((entry) => entry.transactionHash === state.relayTx);
  if (outbox === null || attempt === undefined)
    throw new NotYetError(`the journal lacks send ${String(state.relayTx)}`);
  return { outbox, attempt };
}

function isDead({ clock }: Services, attempt: AttemptRow): boolean {
  return clock.now() - attempt.signedAt > SEND_LIFETIME_MILLISECONDS;
}

function abandon(outbox: OutboxRow, reason: string): Step {
  return {
    events: [{ type: "RelayFailed", reason }],
    change: { outboxStatus: [{ outboxId: outbox.id, status: "closed" }] },
  };
}
