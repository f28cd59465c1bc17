import { z } from "@hono/zod-openapi";
import { ENDINGS, REPUTATION_MEASURE } from "@assay/protocol";
import { addressOut, amountOut, caip10Out, countOut, hashOut, instantOut, sourceOut } from "./values.ts";

const bps = z.int().min(0).max(10_000);

export const rateOut = z
  .object({
    bps: bps.nullable().openapi({ description: "The estimate in basis points; null while nothing counts." }),
    lowBps: bps.openapi({ description: "Lower bound of the 95 % interval." }),
    highBps: bps.openapi({ description: "Upper bound of the 95 % interval." }),
  })
  .openapi("Rate");

const ratesOut = z
  .object({ all: rateOut, recent: rateOut, byVolume: rateOut })
  .openapi("Rates", { description: "Every agreement alike; newer ones more; larger ones more." });

const counts = Object.fromEntries(ENDINGS.map((ending) => [ending, countOut])) as Record<
  (typeof ENDINGS)[number],
  typeof countOut
>;

const historyFields = {
  counts: z.object({
    funded: countOut,
    ended: countOut,
    accepted: countOut,
    submitted: countOut,
    overdue: countOut,
    ...counts,
  }),
  fundedVolume: amountOut,
  sellerVolume: amountOut,
  buyerVolume: amountOut,
  counterparties: countOut,
  mostWithOneCounterparty: countOut,
  firstFundedAt: instantOut.nullable(),
  lastChangedAt: instantOut.nullable(),
};

export const ADJUDICATION_CHOICES = ["quorum", "all"] as const;
export type AdjudicationChoice = (typeof ADJUDICATION_CHOICES)[number];

export const adjudicationsIn = z.enum(ADJUDICATION_CHOICES).default("quorum").openapi({
  description:
    "quorum: only agreements that this operator's quorum judges. all: those whose parties judged themselves too.",
});

/** Whether figures by category are wanted: a query's word, or a tool's boolean. */
export const byCategoryIn = z
  .enum(["true", "false"])
  .default("false")
  .openapi({ description: "true: the same figures for each category of agreements by itself, too." });

export const asOfOut = z
  .object({ blockNumber: countOut, blockHash: hashOut, at: instantOut })
  .openapi("AsOf", { description: "The final block that the figures speak for." });

const rolesOut = {
  asSeller: z.object({
    ...historyFields,
    completion: ratesOut.openapi({
      description:
        "Of what the party answers for as a seller, how much it completed. No-shows count as failures.",
    }),
  }),
  asBuyer: z.object({
    ...historyFields,
    payment: ratesOut.openapi({
      description: "Of the deliveries that one side got whole, how many were paid.",
    }),
    cancellation: ratesOut.openapi({ description: "Of the agreements that ended, how many it cancelled." }),
  }),
};

export const reputationOut = z
  .object({
    source: sourceOut,
    measure: z.literal(REPUTATION_MEASURE),
    party: addressOut,
    caip10: caip10Out,
    asOf: asOfOut,
    adjudications: z
      .array(z.object({ adjudicator: addressOut, adjudicatorConfig: hashOut }))
      .nullable()
      .openapi({ description: "Whose agreements count; null: all." }),
    ...rolesOut,
    byCategory: z
      .object({
        categories: z.array(
          z.object({
            category: z.string().nullable().openapi({
              description: "As both sides wrote it into the agreement; null where they wrote none.",
            }),
            ...rolesOut,
          }),
        ),
        documentsMissing: countOut.openapi({
          description:
            "Agreements whose document this operator does not hold, or has not read yet: in the whole, and in no category.",
        }),
      })
      .nullable()
      .openapi({ description: "Null unless asked for." }),
    refundsOfUnknownOutcome: countOut.openapi({
      description:
        "Refunds counted as failed whose verdict record this operator does not hold: some may be withheld. Both are failures of the seller.",
    }),
  })
  .openapi("Reputation");

export type ReputationView = z.infer<typeof reputationOut>;
