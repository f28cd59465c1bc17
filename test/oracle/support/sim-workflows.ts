import { verifyTypedData } from "ethers";
import {
  assessmentDigest,
  responsibilityRecordDigest,
  workflowOutputTypedData,
  type Address,
  type Hex,
  type ResponsibilityVerdict,
  type WorkflowPlace,
} from "@assay/protocol";

/** A workflow that both agents have consented to, unless a test says otherwise. */
export interface SimWorkflow {
  readonly place: WorkflowPlace;
  readonly digest: Hex;
  readonly agents: { readonly A: Address; readonly B: Address };
  state: "PENDING_ACCEPTANCE" | "ACCEPTED" | "READY" | "ASSESSED" | "CLOSED";
  outputs: { A: string; B: string };
}

interface SimAssessment {
  readonly workflowKey: Hex;
  readonly assessor: Address;
  readonly sequence: number;
  readonly verdict: ResponsibilityVerdict;
}

/** The state of a responsibility contract, in memory; what its validators find is chosen by the test. */
export class SimWorkflows {
  readonly #workflows = new Map<string, SimWorkflow>();
  readonly #assessments: SimAssessment[] = [];
  /** What the next assessments find, in order; the last one again when there is none left. */
  verdicts: ResponsibilityVerdict[] = ["NEITHER_AGENT_FAULT"];

  create(workflow: Omit<SimWorkflow, "state" | "outputs">): SimWorkflow {
    const made: SimWorkflow = { ...workflow, state: "ACCEPTED", outputs: { A: "", B: "" } };
    this.#workflows.set(workflow.place.workflowKey, made);
    return made;
  }

  /** Carries a call out; false when the method is not one of the contract's. */
  perform(method: string, args: readonly string[], sender: Address): boolean {
    const workflow = this.#workflows.get(args[0] ?? "");
    if (method === "submit_output_signed") {
      if (workflow?.state === "ACCEPTED") this.#deliver(workflow, args[1] ?? "", args[2] ?? "");
      return true;
    }
    if (method !== "assess") return false;
    if (workflow !== undefined && ["READY", "ASSESSED"].includes(workflow.state))
      this.#assess(workflow, sender);
    return true;
  }

  #deliver(workflow: SimWorkflow, output: string, signature: string): void {
    const { domain, types, message } = workflowOutputTypedData(workflow.place, output);
    const agent = verifyTypedData(domain, types, message, signature);
    for (const role of ["A", "B"] as const)
      if (workflow.agents[role] === agent && workflow.outputs[role] === "") workflow.outputs[role] = output;
    if (workflow.outputs.A !== "" && workflow.outputs.B !== "") workflow.state = "READY";
  }

  #assess(workflow: SimWorkflow, assessor: Address): void {
    const { workflowKey } = workflow.place;
    if (this.#assessments.some((one) => one.workflowKey === workflowKey && one.assessor === assessor)) return;
    const verdict = this.verdicts.length > 1 ? this.verdicts.shift()! : this.verdicts[0]!;
    this.#assessments.push({ workflowKey, assessor, sequence: this.#assessments.length + 1, verdict });
    workflow.state = "ASSESSED";
  }

  /** What a view answers; undefined when it is none of the contract's. */
  view(method: string, [key = "", assessor = ""]: readonly string[]): Record<string, unknown> | undefined {
    const workflow = this.#workflows.get(key);
    if (method === "get_workflow") {
      if (workflow === undefined) return { state: "ABSENT", workflowKey: key };
      const { state, digest, outputs } = workflow;
      return { state, workflowDigest: digest, outputA: outputs.A, outputB: outputs.B };
    }
    if (method !== "get_responsibility_record") return undefined;
    const found = this.#assessments.find(
      (one) => one.workflowKey === key && one.assessor.toLowerCase() === assessor.toLowerCase(),
    );
    if (found === undefined || workflow === undefined)
      return {
        ...{ version: 0, workflowKey: key, assessor, sequence: 0, verdict: "" },
        ...{ workflowDigest: "", assessmentDigest: "", recordDigest: "" },
      };
    const digest = assessmentDigest({
      workflowKey: workflow.place.workflowKey,
      workflowDigest: workflow.digest,
      outputA: workflow.outputs.A,
      outputB: workflow.outputs.B,
    });
    return {
      version: 1,
      ...found,
      workflowDigest: workflow.digest,
      assessmentDigest: digest,
      recordDigest: responsibilityRecordDigest({ ...found, assessmentDigest: digest }),
    };
  }
}
