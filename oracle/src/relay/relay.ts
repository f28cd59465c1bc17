import { lowestFreeNonce, type SubmissionState } from "../core/index.ts";
import { findJudgeTransaction, requiredMatter } from "../judge/index.ts";
import {
  NotYetError,
  chainView,
  rankOf,
  relayChain,
  type Handler,
  type Services,
  type Step,
} from "../run/index.ts";
import { handOver, journalledRelay, sentNow } from "./outbox.ts";

/** Sends of one account that may be without a receipt at the same time. */
const MAX_IN_FLIGHT = 4;

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
    const key = { agreementId: state.agreementId, submissionHash: state.submissionHash };
    // Signed bytes outlive a rebuilt database: they may be on their way, so others would race them.
    const own = await store.openOutbox(key, "relay");
    const signed = own?.status === "open" ? own.attempts.at(-1) : undefined;
    if (signed !== undefined)
      return { events: [{ type: "RelaySigned", transactionHash: signed.transactionHash }] };
    const open = await store.openNonces(relayChain(services), judge.relayer);
    if (open.length >= MAX_IN_FLIGHT) return { wait: "lane", note: "too many sends without a receipt" };

    const nonce = lowestFreeNonce(await judge.nonce(), open);
    const transaction = await judge.prepare(contract, call, minValidators, nonce);
    return {
      events: [{ type: "RelaySigned", transactionHash: transaction.transactionHash }],
      change: {
        outbox: [
          {
            key,
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
    const { attempt } = await journalledRelay(services, state);
    if ((await judge.receipt(attempt.transactionHash)) === null) await handOver(services, attempt);
    return { events: [{ type: "RelayBroadcast" }], change: sentNow(attempt) };
  }

  return ({ state }) => (state.relayTx === null ? sign(state) : send(state));
}
