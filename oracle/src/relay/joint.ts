import { buildVerdictRecord, otherRole } from "@assay/protocol";
import { verdictRow } from "../attest/verdict.ts";
import type { SubmissionState } from "../core/index.ts";
import type { Matter, WorkflowView } from "../judge/index.ts";
import { NotYetError, chainView, type Services, type Step, type Work } from "../run/index.ts";
import { Recent } from "../run/recent.ts";
import type { Carrier } from "./carry.ts";

/** What a joint submission needs before a workflow can be assessed. */
export interface Preparation {
  /** What to do now; null once the workflow can be assessed. */
  step(work: Work, matter: Matter): Promise<Step | null>;
  /** Chain time at which this operator first saw that the workflow can be assessed. */
  readySince(matter: Matter): number;
}

export function createPreparation(services: Services, carrier: Carrier): Preparation {
  const { judge } = services;
  /** Forgotten by a restart, which only costs time. */
  const ready = new Recent<number>(1_024);

  return {
    async step(work, matter) {
      const { state } = work;
      const { subject } = matter;
      const { joint } = subject;
      if (joint === undefined) throw new NotYetError("the agreement names no workflow");
      const { contract } = subject.agreement.adjudication;
      const { workflowKey } = joint.plan.place;
      const workflow = await judge.workflows.read(contract, workflowKey);
      const waiting = (note: string): Step => ({ wait: "judgePoll", note });
      if (workflow.workflowDigest !== null && workflow.workflowDigest !== joint.plan.workflowDigest)
        return {
          events: [
            {
              type: "Quarantined",
              reason: `workflow ${workflowKey} has digest ${workflow.workflowDigest}, the agreement's is ${joint.plan.workflowDigest}`,
            },
          ],
        };
      const { role, outputs } = joint;
      if (differs(workflow, role, outputs[role])) return withheld(services, state, matter);
      if (differs(workflow, otherRole(role), outputs[otherRole(role)]))
        return waiting("the workflow holds another output of the other agent than it submitted");
      switch (workflow.state) {
        case "ABSENT":
        case "PENDING_ACCEPTANCE":
          return waiting(`workflow ${workflowKey} is ${workflow.state}: it needs both agents' consent`);
        case "CLOSED":
          return { wait: "finality", note: `workflow ${workflowKey} was closed without a verdict` };
        case "ACCEPTED":
          return workflow.outputs[role] === ""
            ? carrier.sign(work, matter)
            : waiting("the other agent's output is not in the workflow yet");
        case "READY":
        case "ASSESSED":
          if (ready.get(workflowKey) === null) ready.keep(workflowKey, chainView(services).latest.timestamp);
          return null;
      }
    },

    readySince({ subject }) {
      const { latest } = chainView(services);
      return ready.get(subject.joint?.plan.place.workflowKey ?? "") ?? latest.timestamp;
    },
  };
}

function differs({ outputs }: WorkflowView, role: "A" | "B", submitted: string): boolean {
  return outputs[role] !== "" && outputs[role] !== submitted;
}

/**
 * The agent gave its workflow something else than it submitted here, for ever: what it submitted can't be judged, and it
 * must not earn the share of a missing verdict by that.
 */
function withheld(services: Services, state: SubmissionState, { subject }: Matter): Step {
  const { agreement } = subject;
  const { config } = services;
  const record = buildVerdictRecord({
    agreement,
    agreementId: state.agreementId,
    submissionHash: state.submissionHash,
    chainId: config.evm.chainId,
    escrow: config.evm.escrow,
    finding: { kind: "withheld" },
  });
  const { row, verdict } = verdictRow(services, record);
  return { events: [{ type: "Withheld", verdict }], change: { verdicts: [row] } };
}
