import type { Agreement } from "@assay/protocol";
import type { SubmissionState } from "../core/index.ts";
import { candidates, documentsOf, sideOf, stageOf, type Matter, type Nudge } from "../judge/index.ts";
import {
  NotYetError,
  chainView,
  rankOf,
  relayLane,
  type Change,
  type Services,
  type Step,
  type Work,
} from "../run/index.ts";
import { relayReceipt, type JournalledRelay } from "./outbox.ts";
import { again, failedSend, unstick } from "./receipt.ts";

/** Carries the output of a joint submission into its workflow, by the agent's own signature. */
export interface Carrier {
  /** Signs and journals the send, when it is this relayer's turn and nobody's send is under way. */
  sign(work: Work, matter: Matter): Promise<Step>;
  /** Hands the journalled bytes over and follows them until their transaction is final. */
  follow(work: Work): Promise<Step>;
}

export function createCarrier(services: Services, nudge: Nudge): Carrier {
  const { judge, store, config } = services;

  function callOf({ subject, submission }: Matter) {
    const { joint } = subject;
    const { output } = submission;
    if (joint === undefined || output === undefined) throw new NotYetError("there is no output to carry");
    const { workflowKey } = joint.plan.place;
    return {
      method: "submit_output_signed",
      workflowKey,
      output: output.text,
      signature: output.signature as `0x${string}`,
    } as const;
  }

  return {
    async sign({ state, journal }, matter) {
      const { subject } = matter;
      const { contract, relayers, minValidators } = subject.agreement.adjudication;
      const call = callOf(matter);
      if (await isUnderWay(services, state, matter, judge.workflows.calldataOf(call)))
        return { wait: "judgePoll", note: "the output is on its way into the workflow" };
      const rank = rankOf(call.workflowKey, judge.relayer, relayers);
      if (rank === null)
        return { wait: "judgePoll", note: `this relayer ${judge.relayer} is not among the agreement's` };
      if (chainView(services).latest.timestamp < state.turnFrom + rank * config.rankSeconds)
        return {
          wait: "judgePoll",
          note: `relayer number ${rank + 1} of the workflow, waiting for its turn`,
        };
      const halt = services.haltReason();
      if (halt !== null) throw new NotYetError(`signing is halted: ${halt}`);
      // Signed bytes outlive a rebuilt database: they may be on their way, so others would race them.
      const own = await journal.open("relay");
      const signed = own?.status === "open" ? own.attempts.at(-1) : undefined;
      if (signed !== undefined)
        return { events: [{ type: "CarrySigned", transactionHash: signed.transactionHash }] };
      return {
        lane: relayLane(services),
        sign: (nonce) => judge.workflows.prepare(contract, call, minValidators, nonce),
        signed: (transactionHash) => ({ events: [{ type: "CarrySigned", transactionHash }] }),
      };
    },

    async follow(work) {
      const { state } = work;
      const relay = await carriedBy(state);
      const receipt = await relayReceipt(services, relay.outbox);
      if (receipt === null)
        return judge.network.kind === "testnet" ? unstick(services, relay) : again(services, relay);
      const { succeeded, judgeTx } = receipt;
      if (!succeeded || judgeTx === null)
        return failedSend(relay.outbox, "the send that carries the output created no GenLayer transaction");
      const included = {
        change: { outboxStatus: [{ outboxId: relay.outbox.id, status: "included" as const, judgeTx }] },
      };
      const transaction = await judge.transaction(judgeTx);
      const stage = transaction === null ? "pending" : stageOf(transaction);
      if (stage === "final" || stage === "cancelled") return ended(work, included);
      if (relay.outbox.status === "open") return { wait: "judgePoll", ...included };
      return transaction?.status === "READY_TO_FINALIZE"
        ? nudge.waiting(work, { agreement: await agreementOf(state) }, judgeTx)
        : { wait: "judgePoll", note: "the output's transaction is not final" };
    },
  };

  /** The journalled send. A nudge of its transaction is a newer intent of the same submission. */
  async function carriedBy({
    agreementId,
    submissionHash,
    carryTx,
  }: SubmissionState): Promise<JournalledRelay> {
    const outbox = (await store.outboxOf({ agreementId, submissionHash })).find(({ attempts }) =>
      attempts.some(({ transactionHash }) => transactionHash === carryTx),
    );
    const attempt = outbox?.attempts.at(-1);
    if (outbox === undefined || attempt === undefined)
      throw new NotYetError(`the journal lacks send ${String(carryTx)}`);
    return { outbox, attempt };
  }

  /** Read without the other side: whatever becomes of that, a send under way has to be brought to its end. */
  async function agreementOf(state: SubmissionState): Promise<Agreement> {
    const documents = await documentsOf(services, state);
    if (documents === null) throw new NotYetError("a document that was here is missing");
    return documents.agreement.document;
  }

  /** Whoever carried it: what counts is that the workflow holds an output of this agent. */
  async function ended(work: Work, included: { readonly change: Change }): Promise<Step> {
    const { state } = work;
    const agreement = await agreementOf(state);
    const side = sideOf(services, state.agreementId, agreement);
    if (side === null) throw new NotYetError("the agreement names no workflow");
    const { plan, role } = side;
    const workflow = await judge.workflows.read(agreement.adjudication.contract, plan.place.workflowKey);
    const nudged = await nudge.over(work);
    const outboxStatus = [...(included.change.outboxStatus ?? []), ...(nudged.outboxStatus ?? [])];
    const reason = "the workflow did not take the output";
    return {
      events: [workflow.outputs[role] === "" ? { type: "RelayFailed", reason } : { type: "CarryEnded" }],
      change: { outboxStatus },
    };
  }
}

/** Whether somebody's transaction with that calldata is not decided for good. */
async function isUnderWay(
  services: Services,
  state: SubmissionState,
  { subject }: Matter,
  calldata: `0x${string}`,
): Promise<boolean> {
  for (const id of await candidates(services, state, subject)) {
    if (services.judge.isKnownOtherwise(id, calldata)) continue;
    const transaction = await services.judge.transaction(id);
    if (transaction?.calldata !== calldata) continue;
    const stage = stageOf(transaction);
    if (stage !== "final" && stage !== "cancelled") return true;
  }
  return false;
}
