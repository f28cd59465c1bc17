import { id } from "ethers";
import { z } from "@hono/zod-openapi";
import { deliveryCalldata, jobDeliveryCalldata, outcomeOfCode, type Hex, type Terms } from "@assay/protocol";
import { addressIn, hashIn } from "../answers/schemas/values.ts";
import type { CollectedCertificate, Desk, EvaluatedJob } from "./desk.ts";
import { PrepareError } from "./errors.ts";
import { operation } from "./operation.ts";
import { sendStep } from "./step.ts";
import { matterOf } from "./subject.ts";

/** Selector of the delivery in half the calldata; what does not fit it goes the long way. */
const PACKED = id("deliverPacked(bytes)").slice(0, 10);

export const deliver = operation({
  name: "deliver",
  title: "Deliver the verdict",
  summary:
    "Anyone, the seller who claims its pay included, hands the certificate that enough operators signed to the quorum.",
  request: z.strictObject({
    agreementId: hashIn,
    from: addressIn.optional().openapi({ type: "string", description: "Who will send it; anyone may." }),
  }),
  async plan(desk, request) {
    const { agreementId, from = null } = request;
    const job = await desk.job(agreementId);
    const terms = job === null ? (await matterOf(desk, request)).terms : job;
    const certificate = await certificateOf(desk, agreementId);
    const call = "jobId" in terms ? jobCall(terms, certificate) : escrowCall(terms, certificate);
    return { agreementId, steps: [sendStep({ from, ...call })], notes: [] };
  },
});

type Call = Pick<Parameters<typeof sendStep>[0], "to" | "data" | "function" | "description">;

/** @throws PrepareError `signatures_missing` */
async function certificateOf(desk: Desk, agreementId: Hex): Promise<CollectedCertificate> {
  const certificate = await desk.certificate(agreementId);
  if (certificate === null)
    throw new PrepareError(
      "signatures_missing",
      "This operator has signed no verdict about that agreement.",
      "Follow the agreement's timeline until it is attested.",
    );
  const { collected, threshold } = certificate;
  if (collected < threshold)
    throw new PrepareError(
      "signatures_missing",
      `${collected} of ${threshold} operators' signatures are here.`,
      "Ask again later, or collect the others' at their /v1/attestations.",
    );
  return certificate;
}

function escrowCall(terms: Terms, certificate: CollectedCertificate): Call {
  const data = deliveryCalldata({ terms, ...certificate });
  return {
    to: terms.adjudicator,
    data,
    function: data.startsWith(PACKED) ? "deliverPacked(bytes)" : "deliver(Delivery)",
    description: `Delivers the verdict ${outcomeOf(certificate)}, which pays out the reward; whoever sends it pays the gas.`,
  };
}

/** @throws PrepareError `nothing_to_deliver` */
function jobCall({ jobId, evaluator }: EvaluatedJob, certificate: CollectedCertificate): Call {
  const data = jobDeliveryCalldata({ jobId, ...certificate });
  if (data === null)
    throw new PrepareError(
      "nothing_to_deliver",
      "The verdict is UNDETERMINED, and an ERC-8183 job can't be split.",
      "Wait until the job expires; its client can then claim the refund.",
    );
  const outcome = outcomeOf(certificate);
  return {
    to: evaluator,
    data,
    function: "deliver(Verdict,uint256,Quorum,bytes[])",
    description: `Delivers the verdict ${outcome}, which ${outcome === "PASS" ? "completes" : "rejects"} the job; whoever sends it pays the gas.`,
  };
}

function outcomeOf({ verdict }: CollectedCertificate): string {
  return outcomeOfCode(verdict.outcome) ?? "";
}
