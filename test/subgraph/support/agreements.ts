import { id as keccakOfText } from "ethers";
import type { Log } from "./logs.ts";

export const DAY = 86_400;
export const JUDGE = `0x${"1d".repeat(20)}`;
export const OPERATORS = ["01", "02", "03"].map((byte) => `0x${byte.repeat(20)}`);

/** A made-up address that is the same for the same label. */
export const addressOf = (label: string): string => keccakOfText(`address ${label}`).slice(0, 42);

/** An agreement of the tests; ids are arbitrary, since the index takes them as the escrow gives them. */
export interface TestAgreement {
  id: string;
  buyer: string;
  seller: string;
  reward: bigint;
  agreementHash: string;
  adjudicator: string;
  adjudicatorConfig: string;
  deliverBy: number;
  adjudicateBy: number;
  noVerdictSellerBps: number;
  salt: bigint;
  submissionHash: string;
  verdictHash: string;
}

/** An agreement between two parties that no other label has, unless `changes` names them. */
export function agreement(label: string, changes: Partial<TestAgreement> = {}): TestAgreement {
  return {
    id: keccakOfText(`agreement ${label}`),
    buyer: addressOf(`buyer of ${label}`),
    seller: addressOf(`seller of ${label}`),
    reward: 25_000_001n,
    agreementHash: keccakOfText(`document ${label}`),
    adjudicator: addressOf("adjudicator"),
    adjudicatorConfig: keccakOfText("members and threshold"),
    deliverBy: 1_900_000_000,
    adjudicateBy: 1_900_000_000 + DAY,
    noVerdictSellerBps: 5_000,
    salt: 2n ** 256n - 1n,
    submissionHash: keccakOfText(`submission ${label}`),
    verdictHash: keccakOfText(`verdict ${label}`),
    ...changes,
  };
}

const escrow = (name: string, args: Log["args"]): Log => ({ contract: "escrow", name, args });
const quorum = (name: string, args: Log["args"]): Log => ({ contract: "quorum", name, args });

export const funded = (a: TestAgreement): Log =>
  escrow("Funded", { agreementId: a.id, buyer: a.buyer, seller: a.seller, terms: a });

export const accepted = (a: TestAgreement): Log => escrow("Accepted", { agreementId: a.id });

export const submitted = (a: TestAgreement): Log =>
  escrow("Submitted", { agreementId: a.id, submissionHash: a.submissionHash });

const verdict = (a: TestAgreement): Log["args"] => ({
  agreementId: a.id,
  submissionHash: a.submissionHash,
  verdictHash: a.verdictHash,
});

export const released = (a: TestAgreement): Log => escrow("Released", verdict(a));

export const refunded = (a: TestAgreement): Log => escrow("Refunded", verdict(a));

export const concluded = (a: TestAgreement, sellerAmount: bigint): Log =>
  escrow("Concluded", { ...verdict(a), sellerAmount });

export const cancelled = (a: TestAgreement): Log => escrow("Cancelled", { agreementId: a.id });

export const conceded = (a: TestAgreement, conceder: string): Log =>
  escrow("Conceded", { agreementId: a.id, conceder });

export const settled = (a: TestAgreement, sellerAmount: bigint): Log =>
  escrow("Settled", { agreementId: a.id, sellerAmount });

export const expired = (a: TestAgreement, sellerAmount: bigint): Log =>
  escrow("Expired", { agreementId: a.id, sellerAmount });

export const credited = (a: TestAgreement, creditor: string, amount: bigint): Log =>
  escrow("Credited", { agreementId: a.id, creditor, amount });

export const withdrawn = (creditor: string, to: string, amount: bigint): Log =>
  escrow("Withdrawn", { creditor, to, amount });

/** Codes of PASS, FAIL, UNDETERMINED and WITHHELD. */
export type OutcomeCode = 1 | 2 | 3 | 4;

/** `escrowAddress`: the contract that the certificate was delivered to. */
export const certified = (
  a: TestAgreement,
  outcome: number,
  escrowAddress: string,
  signers: string[] = OPERATORS.slice(0, 2),
): Log =>
  quorum("Certified", {
    escrow: escrowAddress,
    agreementId: a.id,
    outcome,
    submissionHash: a.submissionHash,
    verdictHash: a.verdictHash,
    judge: JUDGE,
    judgeTx: keccakOfText(`judge ${a.id}`),
    signers,
  });

/** A job of an ERC-8183 contract, evaluated. */
export const evaluated = (
  commerce: string,
  jobId: bigint,
  outcome: OutcomeCode,
  signers: string[] = OPERATORS.slice(0, 2),
): Log => ({
  contract: "evaluator",
  name: "Evaluated",
  args: {
    ...{ commerce, jobId, outcome, signers, judge: JUDGE },
    deliverable: keccakOfText(`deliverable ${jobId}`),
    verdictHash: keccakOfText(`verdict of job ${jobId}`),
    judgeTx: keccakOfText(`judge of job ${jobId}`),
  },
});

/** The gate's log, before the escrow's own. */
export const executionProven = (a: TestAgreement, escrowAddress: string): Log => ({
  contract: "gate",
  name: "ExecutionProven",
  args: {
    ...{ escrow: escrowAddress, agreementId: a.id, recorder: addressOf("recorder"), steps: 3n },
    committedRoot: keccakOfText(`root of ${a.id}`),
    terminal: a.submissionHash,
    verdictHash: a.verdictHash,
  },
});

export const deliveryFailed = (index: number, agreementId: string, reason: string): Log =>
  quorum("DeliveryFailed", { index, agreementId, reason });

export const operatorRevoked = (operator: string): Log => quorum("OperatorRevoked", { operator });

/** The same at the evaluator, which keeps its own list. */
export const evaluatorRevoked = (operator: string): Log => ({
  contract: "evaluator",
  name: "OperatorRevoked",
  args: { operator },
});
