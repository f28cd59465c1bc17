import type { AdjudicationPolicy } from "../../documents/agreement.ts";
import { bytesOf, type Hex } from "../../primitives/hex.ts";
import { sha256 } from "../../primitives/sha256.ts";
import type { CaseFile } from "../case-file.ts";
import type { JudgeTransactionEvidence } from "../evidence.ts";
import { shown } from "../finding.ts";
import { adjudicateCalldata, assessCalldata } from "../judge-calldata.ts";

/** A condition on judge transactions. */
export interface Condition {
  readonly expected: string;
  holds(transaction: JudgeTransactionEvidence): boolean;
  /** What the network says; null when it does not say. */
  actual(transaction: JudgeTransactionEvidence): string | boolean | null;
}

/** Consensus results that mean: the validators agree with the leader. */
const AGREEING = ["AGREE", "MAJORITY_AGREE"];

export const IS_FINAL = named("status", ["FINALIZED"]);
export const AGREED = named("result", AGREEING);
export const RETURNED = named("execution", ["FINISHED_WITH_RETURN"]);

export const NOT_LEADER_ONLY: Condition = {
  expected: "false",
  holds: ({ leaderOnly }) => leaderOnly === false,
  actual: ({ leaderOnly }) => leaderOnly,
};

/** It went to the judge that was agreed on. */
export function wentTo({ contract }: AdjudicationPolicy): Condition {
  return {
    expected: contract,
    holds: ({ recipient }) => recipient === contract,
    actual: ({ recipient }) => recipient,
  };
}

/** As many validators as agreed were asked for, and took part. */
export function hadEnoughValidators({ minValidators }: AdjudicationPolicy): Condition {
  return {
    expected: `at least ${minValidators}`,
    holds: ({ initialValidators, participants }) =>
      (initialValidators ?? 0) >= minValidators && (participants ?? 0) >= minValidators,
    actual: ({ initialValidators, participants }) =>
      initialValidators === null && participants === null
        ? null
        : `${shown(initialValidators)} asked for, ${shown(participants)} took part`,
  };
}

/** A round without a verdict: no agreement, or an error. */
export const WAS_ROUND: Condition = {
  expected: "no agreement, or an error",
  holds: (transaction) => isKnown(transaction) && !(AGREED.holds(transaction) && RETURNED.holds(transaction)),
  actual: ended,
};

/** The same for a workflow, which can be asked before it is ready: an error that all agree on is no round then. */
export const WAS_WORKFLOW_ROUND: Condition = {
  expected: "no agreement",
  holds: (transaction) =>
    WAS_ROUND.holds(transaction) &&
    !(AGREED.holds(transaction) && transaction.execution === "FINISHED_WITH_ERROR"),
  actual: ended,
};

function isKnown({ result, execution }: JudgeTransactionEvidence): boolean {
  return result !== null && execution !== null;
}

function ended({ result, execution }: JudgeTransactionEvidence): string {
  return `${shown(result)}, ${shown(execution)}`;
}

/** It carried this calldata. */
export function carried(calldata: Hex): Condition {
  const hashed = (bytes: Hex): string => `SHA-256 ${sha256(bytesOf(bytes))}`;
  return {
    expected: hashed(calldata),
    holds: (transaction) => transaction.calldata === calldata,
    actual: (transaction) => (transaction.calldata === null ? null : hashed(transaction.calldata)),
  };
}

/** What a transaction that judges this submission must carry; null while a document is missing. */
export function expectedCalldata({ agreement, submission, evidence, joint }: CaseFile): Hex | null {
  if (joint !== null) return assessCalldata(joint.plan.place.workflowKey);
  if (agreement === null || submission === null) return null;
  return adjudicateCalldata({
    agreementId: evidence.agreementId,
    chainId: evidence.evm.chainId,
    escrow: evidence.evm.escrow,
    agreement: agreement.text,
    submission: submission.text,
  });
}

function named(member: "status" | "result" | "execution", allowed: readonly string[]): Condition {
  return {
    expected: allowed.join(" or "),
    holds: (transaction) => allowed.includes(shown(transaction[member])),
    actual: (transaction) => transaction[member],
  };
}
