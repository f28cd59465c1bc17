import { z } from "@hono/zod-openapi";
import {
  AnswerError,
  addressIn,
  adjudicationsIn,
  agreementFilterIn,
  agreementOut,
  agreementPageOut,
  attestationOut,
  hashIn,
  hireOut,
  hirePolicyIn,
  partyPageOut,
  previewIn,
  previewOut,
  reputationOut,
  sourceOut,
  timelineOut,
  verdictOut,
  type Answers,
} from "../answers/index.ts";
import { tool, type ToolDefinition } from "./tool.ts";

const agreement = z.strictObject({ agreementId: hashIn });
const pageSize = z.int().min(1).max(200).default(20);

/** What is immutable names no block of its own; the answer still says who gave it, and how far that operator has read. */
const sourced = <T extends z.ZodRawShape>(shape: T) => z.object({ source: sourceOut, ...shape });

function found<T>(value: T | null, what: string, hint: string): T {
  if (value === null) throw new AnswerError("not_found", what, hint);
  return value;
}

const UNSEEN = [
  "This operator has not seen such an agreement.",
  "Check the 32-byte id, or find the agreement with search_agreements.",
] as const;

/** Tools that look things up. */
export function readTools(answers: Answers): ToolDefinition[] {
  return [
    tool({
      name: "get_reputation",
      title: "Reputation of an account",
      description:
        "What an account's settled agreements say about it as a seller and as a buyer: counts of every ending (no-shows included), volumes, and rates with 95 % intervals, at a final block. Use it to judge a counterparty; for a yes or no, use hire_decision.",
      input: z.strictObject({
        address: addressIn,
        adjudications: adjudicationsIn,
        byCategory: z
          .boolean()
          .default(false)
          .describe("Whether the same figures are wanted for each category of agreements by itself, too."),
      }),
      output: reputationOut,
      asksTheWorld: false,
      answer: ({ address, adjudications, byCategory }) =>
        answers.reputation(address, adjudications, byCategory),
    }),
    tool({
      name: "hire_decision",
      title: "Whether to hire a seller",
      description:
        "HIRE, DECLINE or INSUFFICIENT_EVIDENCE for a seller, with the reasons, the threshold, the interval and the evidence behind it. No-shows and overdue agreements count as failures. INSUFFICIENT_EVIDENCE is no reason to hire.",
      input: hirePolicyIn.extend({ seller: addressIn }).strict(),
      output: hireOut,
      asksTheWorld: false,
      answer: ({ seller, ...request }) => answers.hire(seller, request),
    }),
    tool({
      name: "search_agreements",
      title: "Search agreements",
      description:
        "Agreements newest first, by party, role and escrow status, page by page. With a status a page may be short or empty: go on while there is a cursor.",
      input: agreementFilterIn.extend({ limit: pageSize }).strict(),
      output: agreementPageOut,
      asksTheWorld: false,
      answer: (filter) => answers.agreements(filter),
    }),
    tool({
      name: "get_agreement",
      title: "One agreement",
      description:
        "Terms, the escrow's events, and for each submission its state, stages, judge transactions, requirements, verdict, signatures and settlement.",
      input: agreement,
      output: agreementOut,
      asksTheWorld: false,
      answer: async ({ agreementId }) => found(await answers.agreement(agreementId), ...UNSEEN),
    }),
    tool({
      name: "get_timeline",
      title: "Timeline of an agreement",
      description:
        "What happened to an agreement and what is still to come, with finality. What is provisional may be appealed; treat nothing as decided before it is finalized.",
      input: agreement,
      output: timelineOut,
      asksTheWorld: false,
      answer: async ({ agreementId }) => found(await answers.timeline(agreementId), ...UNSEEN),
    }),
    tool({
      name: "get_verdict",
      title: "One verdict record",
      description:
        "The verdict record of a verdict hash, as this operator holds it. That the hash fits proves the record unchanged, not that it was right: audit_agreement recomputes it where it is offered.",
      input: z.strictObject({ verdictHash: hashIn }),
      output: sourced({ verdict: verdictOut }),
      asksTheWorld: false,
      answer: async ({ verdictHash }) => ({
        source: await answers.source(),
        verdict: found(
          await answers.verdict(verdictHash),
          "This operator holds no verdict record of that hash.",
          "Take verdictHash from get_agreement, or ask another operator.",
        ),
      }),
    }),
    tool({
      name: "get_attestation",
      title: "An operator's signature about an agreement",
      description:
        "The certificate that this operator signed about an agreement, with its signature and record.",
      input: agreement,
      output: sourced({ attestation: attestationOut }),
      asksTheWorld: false,
      answer: async ({ agreementId }) => ({
        source: await answers.source(),
        attestation: found(
          await answers.attestation(agreementId),
          "This operator has signed nothing about that agreement.",
          "Follow get_timeline until it is attested.",
        ),
      }),
    }),
    tool({
      name: "list_parties",
      title: "Every buyer and seller",
      description:
        "Accounts that are a party of any agreement, in the order of their addresses, page by page.",
      input: z.strictObject({ limit: pageSize, cursor: addressIn.optional() }),
      output: partyPageOut,
      asksTheWorld: false,
      answer: (page) => answers.parties(page),
    }),
    tool({
      name: "preview_delivery",
      title: "Try a draft before anyone pays",
      description:
        "Checks a draft agreement, and a draft submission if there is one: sizes, validity with hints, what every deterministic check decides, and what the validators' models would be shown. Nothing is stored, no model is asked.",
      input: previewIn,
      output: sourced({ preview: previewOut }),
      asksTheWorld: false,
      answer: async (_request, raw) => ({
        source: await answers.source(),
        preview: await answers.preview(raw),
      }),
    }),
  ];
}
