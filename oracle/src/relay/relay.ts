import { findJudgeTransaction, requiredMatter, type Nudge } from "../judge/index.ts";
import {
  NotYetError,
  chainView,
  rankOf,
  relayLane,
  type Handler,
  type Services,
  type Step,
  type Work,
} from "../run/index.ts";
import { createCarrier } from "./carry.ts";
import { createPreparation } from "./joint.ts";
import { handOver, journalledRelay, sentNow } from "./outbox.ts";

/**
 * Signs and journals what the judge is asked, and on the next visit sends the journalled bytes. For a joint agreement
 * each side's work first carries that agent's output into the workflow; then the work of side A alone asks, for both.
 */
export function createRelayHandler(services: Services, nudge: Nudge): Handler {
  const { judge, config } = services;
  const carrier = createCarrier(services, nudge);
  const preparation = createPreparation(services, carrier);

  async function sign(work: Work): Promise<Step> {
    const { state } = work;
    const matter = await requiredMatter(services, state);
    const { subject, call } = matter;
    const { joint } = subject;
    const step = joint === undefined ? null : await preparation.step(work, matter);
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
    // Signed bytes outlive a rebuilt database: they may be on their way, so others would race them.
    const own = await work.journal.open("relay");
    const signed = own?.status === "open" ? own.attempts.at(-1) : undefined;
    if (signed !== undefined)
      return { events: [{ type: "RelaySigned", transactionHash: signed.transactionHash }] };
    return {
      lane: relayLane(services),
      sign: (nonce) =>
        "method" in call
          ? judge.workflows.prepare(contract, call, minValidators, nonce)
          : judge.prepare(contract, call, minValidators, nonce),
      signed: (transactionHash) => ({ events: [{ type: "RelaySigned", transactionHash }] }),
    };
  }

  async function send(work: Work): Promise<Step> {
    const { attempt } = await journalledRelay(work);
    if ((await judge.receipt(attempt.transactionHash)) === null) await handOver(services, attempt);
    return { events: [{ type: "RelayBroadcast" }], change: sentNow(attempt) };
  }

  return (work) => {
    if (work.state.relayTx !== null) return send(work);
    return work.state.carryTx === null ? sign(work) : carrier.follow(work);
  };
}
