import type { AdjudicationRecord } from "../documents/adjudication.ts";
import type { Agreement } from "../documents/agreement.ts";
import { encodeDocument } from "../documents/encode.ts";
import { DocumentError, type DocumentIssue } from "../documents/error.ts";
import { documentHash } from "../documents/hash.ts";
import { SCHEMA } from "../documents/limits.ts";
import { parseVerdictRecord } from "../documents/parse.ts";
import type { VerdictRecord } from "../documents/verdict-record.ts";
import { type Address, toAddress } from "../primitives/address.ts";
import { type Hex, toHash } from "../primitives/hex.ts";
import { type JointPlan, isJoint, jointPlanOf, roleIn } from "../responsibility/joint.ts";
import { type Outputs, type ResponsibilityRecord, responsibilityFaults } from "../responsibility/record.ts";
import { type Role, otherRole, outcomeForRole } from "../responsibility/role.ts";
import { adjudicationKey } from "./adjudication-key.ts";

/** What the operators found on GenLayer about one submission. */
export type Finding =
  /** A record was stored by `transaction`. */
  | { readonly kind: "adjudicated"; readonly adjudication: AdjudicationRecord; readonly transaction: Hex }
  /** A workflow's verdict was stored by `transaction`; `outputs` are those of both sides' submissions. */
  | {
      readonly kind: "attributed";
      readonly record: ResponsibilityRecord;
      readonly outputs: Outputs;
      /** The submission of the other side. */
      readonly partnerSubmissionHash: Hex;
      readonly transaction: Hex;
    }
  /** All these transactions, in order, were finalized without a record. */
  | { readonly kind: "undetermined"; readonly transactions: readonly Hex[] }
  /** The submission's document could not be had from any announced source. */
  | { readonly kind: "withheld" };

/** What `buildVerdictRecord` takes. */
export interface VerdictRecordParameters {
  readonly agreement: Agreement;
  readonly agreementId: Hex;
  readonly submissionHash: Hex;
  /** EVM chain of the escrow. */
  readonly chainId: number;
  readonly escrow: Address;
  readonly finding: Finding;
}

/**
 * The verdict record about one submission; equal for every operator that found the same.
 *
 * @throws DocumentError `mismatch` when the stored record is about something else, was sent by a relayer that the
 * agreement does not name, or judges other requirements or outputs; `invalid` when the finding has no valid record.
 */
export function buildVerdictRecord(parameters: VerdictRecordParameters): VerdictRecord {
  const { agreement, finding } = parameters;
  const { network, chainId, consensusMain, contract, codeHash } = agreement.adjudication;
  const subject = {
    agreementId: toHash(parameters.agreementId),
    agreementHash: documentHash(encodeDocument(agreement)),
    submissionHash: toHash(parameters.submissionHash),
    chainId: parameters.chainId,
    escrow: toAddress(parameters.escrow),
  };
  const common = {
    schema: SCHEMA.verdict,
    ...subject,
    adjudicationKey: adjudicationKey(subject),
    judge: { network, chainId, consensusMain, contract, codeHash },
  };
  return checked({ ...common, ...resultsOf(finding, agreement, common) });
}

type Subject = Pick<
  VerdictRecord,
  "agreementId" | "agreementHash" | "submissionHash" | "chainId" | "escrow" | "adjudicationKey"
>;

function resultsOf(finding: Finding, agreement: Agreement, subject: Subject) {
  switch (finding.kind) {
    case "adjudicated": {
      const { adjudication } = finding;
      refuseStranger(adjudication, agreement, subject);
      return {
        outcome: adjudication.outcome,
        requirements: adjudication.requirements.map(({ id, result, decidedBy }) => ({
          id,
          result,
          decidedBy,
        })),
        transactions: [toHash(finding.transaction)],
        relayer: adjudication.relayer,
        adjudicationHash: documentHash(encodeDocument(adjudication)),
      };
    }
    case "attributed":
      return attribution(finding, agreement, subject.agreementId);
    case "undetermined":
      return {
        outcome: "UNDETERMINED" as const,
        requirements: [],
        transactions: finding.transactions.map(toHash),
      };
    case "withheld":
      return { outcome: "WITHHELD" as const, requirements: [], transactions: [] };
  }
}

function attribution(
  { record, outputs, partnerSubmissionHash, transaction }: Extract<Finding, { kind: "attributed" }>,
  agreement: Agreement,
  agreementId: Hex,
) {
  const { plan, role } = sideOf(agreement, agreementId);
  const [first, ...others] = responsibilityFaults(record, plan, outputs).map(
    ({ member, expected, actual }) => ({
      path: member,
      message: `is ${actual}, not ${expected}`,
      hint: "Do not attest; read the record again at finalized state.",
    }),
  );
  if (first !== undefined) throw new DocumentError("mismatch", [first, ...others]);
  const { assessor, ...result } = record;
  return {
    outcome: outcomeForRole(record.verdict, role),
    requirements: [],
    transactions: [toHash(transaction)],
    relayer: assessor,
    responsibility: {
      ...result,
      role,
      partner: {
        agreementId: plan.sides[otherRole(role)].agreementId,
        submissionHash: toHash(partnerSubmissionHash),
      },
    },
  };
}

function sideOf(agreement: Agreement, agreementId: Hex): { readonly plan: JointPlan; readonly role: Role } {
  const plan = isJoint(agreement) ? jointPlanOf(agreement) : null;
  const role = plan === null ? null : roleIn(plan, agreementId);
  if (plan === null || role === null)
    throw new DocumentError("mismatch", [
      {
        path: "joint",
        message: "has no side that is this agreement",
        hint: "Do not attest; a workflow decides only the two agreements that its document makes.",
      },
    ]);
  return { plan, role };
}

/** Refuses a stored record that is not about this very submission under this very agreement. */
function refuseStranger(adjudication: AdjudicationRecord, agreement: Agreement, subject: Subject): void {
  const issues: DocumentIssue[] = [];
  const expect = (holds: boolean, path: string, message: string): void => {
    if (!holds)
      issues.push({ path, message, hint: "Do not attest; read the record again at finalized state." });
  };
  for (const member of [
    "adjudicationKey",
    "agreementHash",
    "agreementId",
    "chainId",
    "escrow",
    "submissionHash",
  ] as const) {
    expect(
      adjudication[member] === subject[member],
      member,
      `is ${adjudication[member]}, not ${subject[member]}`,
    );
  }
  expect(
    agreement.adjudication.relayers.includes(adjudication.relayer),
    "relayer",
    `${adjudication.relayer} is not a relayer of the agreement`,
  );
  expect(
    adjudication.requirements.length === agreement.requirements.length,
    "requirements",
    "are not as many as the agreement's",
  );
  for (const [index, requirement] of agreement.requirements.entries()) {
    const judged = adjudication.requirements[index];
    if (judged === undefined) continue;
    expect(
      judged.id === requirement.id,
      `requirements[${index}].id`,
      `is ${judged.id}, not ${requirement.id}`,
    );
    expect(
      judged.check === requirement.check?.type,
      `requirements[${index}].check`,
      `is ${judged.check ?? "none"}, not ${requirement.check?.type ?? "none"}`,
    );
  }
  const [first, ...others] = issues;
  if (first !== undefined) throw new DocumentError("mismatch", [first, ...others]);
}

function checked(record: VerdictRecord): VerdictRecord {
  return parseVerdictRecord(encodeDocument(record));
}
