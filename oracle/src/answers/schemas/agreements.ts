import { z } from "@hono/zod-openapi";
import { OUTCOMES } from "@assay/protocol";
import { STATE_NAMES } from "../../core/index.ts";
import { ESCROW_STATUSES } from "../../rpc/index.ts";
import { termsOut } from "./terms.ts";
import {
  addressIn,
  addressOut,
  amountOut,
  bytesOut,
  caip10Out,
  caip2Out,
  countOut,
  hashOut,
  instantOut,
  sourceOut,
} from "./values.ts";

export const PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 200;

/** Milestones of a submission, in order. */
export const STAGES = [
  "included",
  "final",
  "relayed",
  "provisional",
  "finalized",
  "attested",
  "settled",
] as const;
export type Stage = (typeof STAGES)[number];

/** Everything that a timeline can show, in the order of an undisturbed life, then the parties' own endings. */
export const MOMENTS = [
  "funded",
  "accepted",
  ...STAGES,
  "cancelled",
  "conceded",
  "settledByParties",
  "expired",
] as const;

export const limitIn = z.coerce
  .number()
  .int()
  .min(1)
  .max(MAX_PAGE_SIZE)
  .default(PAGE_SIZE)
  .openapi({ description: `Most items of one page, 1 to ${MAX_PAGE_SIZE}.` });

export const agreementFilterIn = z.object({
  party: addressIn.optional().openapi({ description: "Only agreements of this account." }),
  venue: z.enum(["escrow", "jobs"]).default("escrow").openapi({
    description: "Agreements of the escrow, or jobs of ERC-8183 contracts that this operator evaluates.",
  }),
  role: z.enum(["buyer", "seller"]).optional().openapi({ description: "Only those where it has this role." }),
  status: z.enum(ESCROW_STATUSES).optional().openapi({ description: "Only agreements with this status." }),
  limit: limitIn,
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, "use the cursor of the page before")
    .optional()
    .openapi({ description: "Where the page before ended." }),
});

export type AgreementFilter = z.infer<typeof agreementFilterIn>;

const summary = {
  agreementId: hashOut.openapi({ description: "Of a job: its key, as the evaluator's jobKeyOf." }),
  job: z
    .object({ commerce: addressOut, jobId: amountOut })
    .nullable()
    .openapi({ description: "The ERC-8183 job that this is; null for an agreement of the escrow." }),
  chainId: z.int(),
  caip2: caip2Out,
  buyer: addressOut,
  seller: addressOut,
  accounts: z.object({ buyer: caip10Out, seller: caip10Out }),
  reward: amountOut,
  fundedAt: instantOut.nullable(),
  escrowStatus: z.enum(ESCROW_STATUSES).openapi({ description: "By the newest event, final or not." }),
  state: z
    .enum(STATE_NAMES)
    .nullable()
    .openapi({ description: "Where this operator's work on the newest submission stands." }),
  outcome: z.enum(OUTCOMES).nullable(),
  ignoredReason: z
    .string()
    .nullable()
    .openapi({ description: "Why this operator leaves the agreement alone; null when it is its own." }),
};

export const agreementSummaryOut = z.object(summary).openapi("AgreementSummary");

export const agreementPageOut = z
  .object({
    source: sourceOut,
    agreements: z.array(agreementSummaryOut),
    cursor: z.string().nullable().openapi({
      description:
        "Continue with this cursor; null at the end. With a status a page may hold fewer than `limit`, even none.",
    }),
  })
  .openapi("AgreementPage");

const submissionOut = z
  .object({
    submissionHash: hashOut,
    state: z.enum(STATE_NAMES),
    reason: z.string().nullable(),
    lastError: z.string().nullable(),
    updatedAt: instantOut,
    deadlines: z.object({ documentsBy: instantOut, adjudicateBy: instantOut }),
    stages: z.array(z.object({ stage: z.enum(STAGES), at: instantOut.nullable() })),
    judge: z.object({
      transactions: z.array(hashOut),
      current: hashOut.nullable(),
      inconclusive: z.array(hashOut),
      rounds: countOut,
    }),
    requirements: z.array(z.record(z.string(), z.unknown())),
    verdict: z
      .object({
        outcome: z.enum(OUTCOMES),
        verdictHash: hashOut,
        record: z.record(z.string(), z.unknown()).nullable(),
      })
      .nullable(),
    digest: hashOut.nullable(),
    attestations: z.array(z.object({ operator: addressOut, signature: bytesOut })),
    settlement: z
      .object({
        transactionHash: hashOut,
        verdictHash: hashOut.nullable(),
        blockNumber: countOut.nullable(),
        final: z.boolean(),
      })
      .nullable(),
    transitions: z.array(
      z.object({
        from: z.enum(STATE_NAMES).nullable(),
        to: z.enum(STATE_NAMES),
        event: z.string(),
        reason: z.string().nullable(),
        at: instantOut,
      }),
    ),
  })
  .openapi("Submission");

export const agreementOut = z
  .object({
    source: sourceOut,
    ...summary,
    terms: termsOut,
    events: z.array(
      z.object({
        name: z.string(),
        blockNumber: countOut,
        blockHash: hashOut,
        transactionHash: hashOut,
        at: instantOut,
        final: z.boolean(),
      }),
    ),
    submissions: z.array(submissionOut),
  })
  .openapi("Agreement");

export const timelineOut = z
  .object({
    source: sourceOut,
    agreementId: hashOut,
    escrowStatus: z.enum(ESCROW_STATUSES),
    entries: z.array(
      z.object({
        moment: z.enum(MOMENTS),
        reached: z.boolean(),
        at: instantOut.nullable(),
        description: z.string(),
        submissionHash: hashOut.nullable(),
        /** The chain that knows: the escrow's, GenLayer, or this operator alone. */
        chain: z.enum(["evm", "genlayer", "operator"]),
        block: z.object({ number: countOut, hash: hashOut }).nullable(),
        transactionHash: hashOut.nullable(),
        finality: z.enum(["included", "final", "provisional"]).nullable().openapi({
          description:
            "included: may still leave the chain. provisional: accepted by GenLayer, may be appealed; no money follows.",
        }),
      }),
    ),
  })
  .openapi("Timeline");

export const partyPageOut = z
  .object({
    source: sourceOut,
    parties: z.array(z.object({ address: addressOut, caip10: caip10Out, reputation: z.string() })),
    cursor: z.string().nullable(),
  })
  .openapi("PartyPage");

export type AgreementSummary = z.infer<typeof agreementSummaryOut>;
export type AgreementPage = z.infer<typeof agreementPageOut>;
export type AgreementView = z.infer<typeof agreementOut>;
export type SubmissionView = z.infer<typeof submissionOut>;
export type Timeline = z.infer<typeof timelineOut>;
export type PartyPage = z.infer<typeof partyPageOut>;
