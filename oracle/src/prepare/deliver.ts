import { id } from "ethers";
import { z } from "@hono/zod-openapi";
import { deliveryCalldata, outcomeOfCode } from "@assay/protocol";
import { addressIn, hashIn } from "../answers/schemas/values.ts";
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
    const { agreementId, terms } = await matterOf(desk, request);
    const certificate = await desk.certificate(agreementId);
    if (certificate === null)
      throw new PrepareError(
        "signatures_missing",
        "This operator has signed no verdict about that agreement.",
        "Follow the agreement's timeline until it is attested.",
      );
    const { verdict, members, threshold, signatures, collected } = certificate;
    if (collected < threshold)
      throw new PrepareError(
        "signatures_missing",
        `${collected} of ${threshold} operators' signatures are here.`,
        "Ask again later, or collect the others' at their /v1/attestations.",
      );
    const data = deliveryCalldata({ terms, verdict, members, threshold, signatures });
    const step = sendStep({
      from: request.from ?? null,
      to: terms.adjudicator,
      data,
      function: data.startsWith(PACKED) ? "deliverPacked(bytes)" : "deliver(Delivery)",
      description: `Delivers the verdict ${outcomeOfCode(verdict.outcome) ?? ""}, which pays out the reward; whoever sends it pays the gas.`,
    });
    return { agreementId, steps: [step], notes: [] };
  },
});
