import { openJudgeNetwork, type WorkflowState } from "@assay/evidence";
import {
  findGenLayerNetwork,
  jointPlanOf,
  sha256,
  type GenLayerNetwork,
  type JointAgreement,
  type JointPlan,
} from "@assay/protocol";
import { RefusedError, UnavailableError } from "../errors.ts";
import type { Network } from "../options/network.ts";

/** The workflow that decides a joint agreement, on its GenLayer network. */
export interface Workflow {
  readonly plan: JointPlan;
  readonly network: GenLayerNetwork;
  /** Its state, from finalized transactions alone. */
  read(): Promise<WorkflowState>;
}

/**
 * Finds the contract that an agreement names, and that it is the one that both sides agreed on.
 *
 * @throws UnavailableError when the network can't be read; RefusedError when the contract's code is another one.
 */
export async function openWorkflow(
  { genLayerRpcUrl }: Pick<Network, "genLayerRpcUrl">,
  agreement: JointAgreement,
): Promise<Workflow> {
  const plan = jointPlanOf(agreement);
  const { adjudication } = agreement;
  const network = findGenLayerNetwork(adjudication.network);
  if (network === undefined)
    throw new UnavailableError(
      `the workflow's network ${JSON.stringify(adjudication.network)} is a private one`,
      "Ask whoever runs it whether the workflow is accepted.",
    );
  const judge = await openJudgeNetwork(network, genLayerRpcUrl);
  const chainId = await judge.chainId();
  if (chainId !== plan.place.chainId)
    throw new UnavailableError(
      `the GenLayer endpoint is of chain ${chainId}, not of ${plan.place.chainId}`,
      "Correct genLayerRpcUrl in the network's profile.",
    );
  const code = await judge.code(adjudication.contract);
  const hash = code === null ? null : sha256(Buffer.from(code, "base64"));
  if (hash !== adjudication.codeHash)
    throw new RefusedError(
      "workflow_code_unexpected",
      hash === null
        ? `there is no contract at ${adjudication.contract} on ${network.name}`
        : `the code at ${adjudication.contract} has SHA-256 ${hash}; the agreement pins ${adjudication.codeHash}`,
      "No verdict of that contract counts: draw the agreement up again with the right one.",
    );
  return { plan, network, read: () => judge.workflow(adjudication.contract, plan.place.workflowKey) };
}

/** @throws RefusedError when a workflow that stands there is not exactly the one agreed on. */
export function requireAgreed({ plan }: Pick<Workflow, "plan">, { workflowDigest }: WorkflowState): void {
  if (workflowDigest === null || workflowDigest === plan.workflowDigest) return;
  throw new RefusedError(
    "workflow_digest_unexpected",
    `the workflow on GenLayer has digest ${workflowDigest}, and the agreement's is ${plan.workflowDigest}`,
    "Do not consent and do not pay: its creator has put something else there. Draw the agreement up again.",
  );
}

/**
 * Whoever pays into a joint agreement first looks that both agents have consented to its workflow: before that nothing
 * could ever be judged, and an agent that never consents would leave the buyer to the clocks.
 *
 * @throws RefusedError unless the workflow is ACCEPTED, with the agreement's digest; UnavailableError when that can't be
 * found out.
 */
export async function requireAccepted(
  network: Pick<Network, "genLayerRpcUrl">,
  agreement: JointAgreement,
): Promise<void> {
  const workflow = await openWorkflow(network, agreement);
  const found = await workflow.read();
  requireAgreed(workflow, found);
  if (found.state === "ACCEPTED") return;
  throw new RefusedError(
    "workflow_not_accepted",
    `the workflow that decides this agreement is ${found.state} on ${workflow.network.name}, not ACCEPTED`,
    HINTS[found.state],
  );
}

const HINTS: Readonly<Record<Exclude<WorkflowState["state"], "ACCEPTED">, string>> = {
  ABSENT: "Its creator runs `assay workflow create`, both agents `assay workflow accept`; then fund.",
  PENDING_ACCEPTANCE: "Wait until both agents have run `assay workflow accept`; then fund.",
  READY: "Both outputs are there already: who pays now pays for what is known. Draw the agreement up again.",
  ASSESSED: "It has been judged already. Draw the agreement up again.",
  CLOSED: "An agent closed it, and nothing will be judged. Draw the agreement up again.",
};
