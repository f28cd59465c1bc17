import { z } from "zod";
import { isSameAddress } from "../primitives/address.ts";
import { WORKFLOW_LIMITS } from "../responsibility/workflow.ts";
import {
  addressField,
  chainIdField,
  hashField,
  integer,
  matching,
  reportFault,
  text,
  textField,
} from "./fields.ts";

const MAX_UINT256 = 2n ** 256n - 1n;
const DECIMAL = /^(?:0|[1-9][0-9]{0,77})$/;
/** A uint256 as decimal text: one spelling, because the document's bytes are hashed. */
const uint256Field = textField((input) =>
  DECIMAL.test(input) && BigInt(input) <= MAX_UINT256
    ? undefined
    : { message: "is no uint256 in decimal digits", hint: "Write a whole number without leading zeros." },
);
/** Unix time in seconds, as the terms hold it. */
const timeField = integer(1, 2 ** 48 - 1);

const sideSchema = z.strictObject({
  /** Who pays this agent. */
  buyer: addressField,
  /** The agent. */
  seller: addressField,
  /** Token base units. */
  reward: uint256Field,
  noVerdictSellerBps: integer(0, 10_000),
  salt: uint256Field,
  /** What this agent alone answers for. */
  obligation: text(1, WORKFLOW_LIMITS.obligationBytes),
});

/**
 * Two escrow agreements that one workflow decides. Both are made of this one document, so the money of both sides, the
 * agents, the texts and the clocks are fixed together: each agreement's id follows from it, and so does the workflow's.
 */
export const jointSchema = z
  .strictObject({
    /** EVM chain and escrow of both agreements. */
    chainId: chainIdField,
    escrow: addressField,
    /** Of both agreements' terms. */
    adjudicator: addressField,
    adjudicatorConfig: hashField,
    deliverBy: timeField,
    adjudicateBy: timeField,
    /** Who creates the workflow on GenLayer; its key is in this account's namespace. */
    creator: addressField,
    acceptanceCriteria: text(1, WORKFLOW_LIMITS.acceptanceCriteriaBytes),
    /** Messages to the contract after which an abandoned workflow may be closed. */
    patience: integer(1, WORKFLOW_LIMITS.patience),
    a: sideSchema,
    b: sideSchema,
  })
  .superRefine(({ a, b }, context) => {
    if (isSameAddress(a.seller, b.seller)) {
      reportFault(context, ["b", "seller"], {
        message: "is the seller of both sides",
        hint: "Name two agents: nobody shares a fault with itself.",
      });
    }
  });

/** What must hold between a joint agreement's members, beyond what each of them allows. */
export function refuseUnjointMembers(
  context: z.core.$RefinementCtx,
  agreement: {
    readonly joint?: unknown;
    readonly requirements: readonly unknown[];
    readonly evidenceRequired: readonly unknown[];
    readonly reporters?: unknown;
    readonly execution?: unknown;
    readonly adjudication: { readonly relayers: readonly unknown[] };
  },
): void {
  const { joint, requirements, adjudication, evidenceRequired, reporters, execution } = agreement;
  if (joint === undefined) {
    if (requirements.length === 0)
      reportFault(context, ["requirements"], { message: "has fewer items than 1", hint: "Add some." });
    return;
  }
  const empty = { requirements: requirements.length > 0, evidenceRequired: evidenceRequired.length > 0 };
  for (const [member, isFilled] of Object.entries(empty))
    if (isFilled)
      reportFault(context, [member], {
        message: "must be empty in a joint agreement",
        hint: "Say what each agent owes in its side's obligation.",
      });
  for (const [member, value] of Object.entries({ reporters, execution }))
    if (value !== undefined)
      reportFault(context, [member], {
        message: "has no place in a joint agreement",
        hint: "Leave it out: the two outputs alone are judged.",
      });
  if (adjudication.relayers.length > WORKFLOW_LIMITS.assessors)
    reportFault(context, ["adjudication", "relayers"], {
      message: `has more than ${WORKFLOW_LIMITS.assessors} items`,
      hint: "Remove some: the relayers are the workflow's assessors.",
    });
}

/** Two escrow agreements that one workflow decides. */
export type Joint = z.infer<typeof jointSchema>;
/** One agent's part: who pays it how much, and what it owes. */
export type JointSide = Joint["a"];

/** What an agent delivers into a workflow, with its EIP-712 signature `WorkflowOutput`, so that anyone may carry it. */
export const outputSchema = z.strictObject({
  text: text(1, WORKFLOW_LIMITS.outputBytes),
  /** r, s and v of 65 bytes, v 27 or 28, low s. */
  signature: matching(/^0x[0-9a-f]{130}$/, "a signature, 0x and 130 lower-case hexadecimal digits"),
});
