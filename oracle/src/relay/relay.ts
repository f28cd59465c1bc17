import { lowestFreeNonce, type SubmissionState } from "../core/index.ts";
import { findJudgeTransaction, requiredMatter, type Nudge } from "../judge/index.ts";
import {
  NotYetError,
  chainView,
  rankOf,
  relayChain,
  type Handler,
  type Services,
  type Step,
} from "../run/index.ts";
import { createCarrier } from "./carry.ts";
import { createPreparation } from "./joint.ts";
import { MAX_IN_FLIGHT, handOver, journalledRelay, sentNow } from "./outbox.ts";

/**
 * Signs and journals what the judge is asked, and on the next visit sends the journalled bytes. For a joint agreement
 * each side's work first carries that agent's output into the workflow; then the work of side A alone asks, for both.
 */
export function createRelayHandler(services: Services, nudge: Nudge): Handler {
  const { judge, store, config } = services;
  const carrier = createCarrier(services, nudge);
  const preparation = createPreparation(services, carrier);

  async function sign(state: SubmissionState): Promise<Step> {
    const matter = await requiredMatter(services, state);
    const { subject, call } = matter;
    const { joint } = subject;
    const step = joint === undefined ? null : await preparation.step(state, matter);
    if (step !== null) return step;
    // Whoever judged already, or is about to: follow that instead of sending again.
    const known = await findJudgeTransaction(services, state, subject);
    if (known !== null) return { events: [{ type: "JudgeTransactionFound", judgeTx: known }] };
    if (joint?.role === "B") return { wait: "judgePoll", note: "the work on side A asks for both" };

    const { contract, relayers, minValidators } = subject.agreement.adjudication;
    const [turnFrom, lot] =
      joint === undefined
        ? [state.turnFrom, state.agreementId]
        : [preparation.readySince(matter), joint.plan.place.workflowKey];
    const rank = rankOf(lot, judge.relayer, relayers);
    if (rank === null)
      return { wait: "judgePoll", note: `this relayer ${judge.relayer} is not among the agreement's` };
    if (chainView(services).latest.timestamp < turnFrom + rank * config.rankSeconds)
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
    const transaction = await ("method" in call
      ? judge.workflows.prepare(contract, call, minValidators, nonce)
      : judge.prepare(contract, call, minValidators, nonce));
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

  return ({ state }) => {
    if (state.relayTx !== null) return send(state);
    return state.carryTx === null ? sign(state) : carrier.follow(state);
  };
}
