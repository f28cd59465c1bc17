import { z } from "@hono/zod-openapi";
import { DEFAULT_HIRE_POLICY, HIRE_DECISIONS } from "@assay/protocol";
import { adjudicationsIn, asOfOut, rateOut } from "./reputation.ts";
import { addressOut, countOut, hashOut, sourceOut } from "./values.ts";

const BASES = ["recent", "all", "byVolume"] as const;

/** A buyer's demands, in basis points; `coerce` because queries are text. */
export const hirePolicyIn = z.object({
  thresholdBps: z.coerce
    .number()
    .int()
    .min(0)
    .max(10_000)
    .default(DEFAULT_HIRE_POLICY.thresholdBps)
    .openapi({ type: "integer", description: "The seller's completion has to be at least this." }),
  floorBps: z.coerce
    .number()
    .int()
    .min(0)
    .max(10_000)
    .default(DEFAULT_HIRE_POLICY.floorBps)
    .openapi({ type: "integer", description: "So does the lower end of its 95 % interval." }),
  minimumEvidence: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000)
    .default(DEFAULT_HIRE_POLICY.minimumEvidence)
    .openapi({ type: "integer", description: "So many agreements have to count." }),
  basis: z.enum(BASES).default("recent").openapi({ description: "How agreements are weighted." }),
  adjudications: adjudicationsIn,
});

export type HireRequest = z.infer<typeof hirePolicyIn>;

export const hireOut = z
  .object({
    source: sourceOut,
    asOf: asOfOut,
    seller: addressOut,
    decision: z.enum(HIRE_DECISIONS).openapi({
      description: "INSUFFICIENT_EVIDENCE is neither praise nor blame, and no reason to hire.",
    }),
    reasons: z
      .array(z.string())
      .openapi({ description: "In the order of their weight; the first one decided." }),
    cautions: z.array(z.string()).openapi({ description: "What does not decide and should be known." }),
    policy: z.object({
      thresholdBps: z.int(),
      floorBps: z.int(),
      minimumEvidence: z.int(),
      basis: z.enum(BASES),
    }),
    adjudications: z.array(z.object({ adjudicator: addressOut, adjudicatorConfig: hashOut })).nullable(),
    completion: rateOut,
    evidence: countOut.openapi({ description: "How many of the seller's agreements count." }),
    noShows: countOut.openapi({ description: "Accepted and never delivered." }),
    overdue: countOut.openapi({ description: "Accepted, past the deadline, and not delivered yet." }),
  })
  .openapi("HireDecision");

export type HireView = z.infer<typeof hireOut>;
