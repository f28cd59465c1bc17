import { z } from "@hono/zod-openapi";
import type { Terms } from "@assay/protocol";
import { addressIn, addressOut, amountOut, hashIn, hashOut, secondsIn, uintIn } from "./values.ts";

/** Terms as callers write them. Whether the escrow would take them is another question. */
export const termsIn = z
  .strictObject({
    buyer: addressIn,
    seller: addressIn,
    reward: uintIn.openapi({ type: "string", description: "Token base units.", example: "25000000" }),
    agreementHash: hashIn,
    adjudicator: addressIn,
    adjudicatorConfig: hashIn,
    deliverBy: secondsIn.openapi({ description: "Unix seconds." }),
    adjudicateBy: secondsIn.openapi({ description: "Unix seconds." }),
    noVerdictSellerBps: z.int().min(0).max(65_535),
    salt: uintIn.openapi({ type: "string" }),
  })
  .transform((terms): Terms => terms)
  .openapi("TermsInput");

export const termsOut = z
  .object({
    buyer: addressOut,
    seller: addressOut,
    reward: amountOut,
    agreementHash: hashOut,
    adjudicator: addressOut,
    adjudicatorConfig: hashOut,
    deliverBy: z.int(),
    adjudicateBy: z.int(),
    noVerdictSellerBps: z.int(),
    salt: z.string(),
  })
  .openapi("Terms");

/** Terms as JSON: integers beyond 2^53 as decimal text. */
export function termsView(terms: Terms): z.infer<typeof termsOut> {
  return { ...terms, reward: terms.reward.toString(), salt: terms.salt.toString() };
}
