import { TypedDataEncoder } from "ethers";
import {
  fitsAgreement,
  utf8Length,
  WORKFLOW_LIMITS,
  workflowOutputTypedData,
  type JointAgreement,
  type JointPlan,
} from "@assay/protocol";
import { pack, type DeliveryDraft, type Packed } from "./delivery.ts";

/**
 * What an agent's key has to sign so that anybody may carry its output: `WorkflowOutput` as JSON, in the form of
 * `eth_signTypedData_v4`. Its domain is GenLayer's chain.
 */
export function outputToSign({ place }: JointPlan, text: string): string {
  const { domain, types, message } = workflowOutputTypedData(place, text);
  return JSON.stringify(TypedDataEncoder.getPayload(domain, types, message), null, 2);
}

/** What is wrong with an output; null when it can be signed. An empty one has nothing wrong with it yet. */
export function outputProblem(text: string): string | null {
  const bytes = utf8Length(text);
  return bytes <= WORKFLOW_LIMITS.outputBytes
    ? null
    : `It has ${bytes.toLocaleString("en-US")} bytes, and ${WORKFLOW_LIMITS.outputBytes.toLocaleString("en-US")} is the most. Nothing is cut: shorten it.`;
}

/** Puts a joint delivery into its canonical bytes, unless the operators would take it for none. */
export function packOutput(
  agreement: JointAgreement,
  draft: DeliveryDraft,
  text: string,
  signature: string,
): Packed {
  const packed = pack({ ...draft, output: { text, signature: signature.trim().toLowerCase() } });
  if ("problems" in packed || fitsAgreement(agreement, packed.submission)) return packed;
  return {
    problems: [
      "The signature is not this side’s agent’s over this text and this workflow. Any change of the text needs a new one.",
    ],
  };
}
