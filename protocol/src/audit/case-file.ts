import { z } from "zod";
import { DocumentError } from "../documents/error.ts";
import { addressField, hashField, integer } from "../documents/fields.ts";
import type { AdjudicationRecord } from "../documents/adjudication.ts";
import type { Agreement } from "../documents/agreement.ts";
import {
  parseAdjudication,
  parseAgreement,
  parseSubmission,
  parseVerdictRecord,
} from "../documents/parse.ts";
import type { Submission } from "../documents/submission.ts";
import type { VerdictRecord } from "../documents/verdict-record.ts";
import type { Hex } from "../primitives/hex.ts";
import { sha256 } from "../primitives/sha256.ts";
import { utf8Encode } from "../primitives/utf8.ts";
import { isJoint, jointPlanOf, type JointPlan, roleIn } from "../responsibility/joint.ts";
import type { Outputs, ResponsibilityRecord } from "../responsibility/record.ts";
import type { Role } from "../responsibility/role.ts";
import { RESPONSIBILITY_VERDICTS } from "../responsibility/workflow.ts";
import type { Terms } from "../terms/terms.ts";
import { adjudicationKey } from "../verdict/adjudication-key.ts";
import { type Outcome, outcomeOfCode } from "../verdict/outcome.ts";
import { verdictDigest } from "../verdict/verdict.ts";
import type { Certificate } from "../verdict/delivery.ts";
import { certificatesIn, certificatesWithin } from "./certificate.ts";
import { CanonicalJsonError } from "../json/error.ts";
import { parseStrict } from "../json/parse-strict.ts";
import type { Evidence, GapSubject, JudgeTransactionEvidence, StoredRecordEvidence } from "./evidence.ts";
import { type History, historyOf } from "./events.ts";
import { type Signer, signersOf } from "./signature.ts";
import { type WalkCase, openWalk } from "./walk-case.ts";

/** A text and what it reads as. */
export interface Read<T> {
  readonly text: string;
  readonly sha256: Hex;
  /** Null when the text is no such document; `fault` says why. */
  readonly document: T | null;
  readonly fault: string | null;
}

/** One side of a joint agreement, as far as the evidence goes. */
export interface JointCase {
  readonly plan: JointPlan;
  /** Null when the agreement is neither side of its document. */
  readonly role: Role | null;
  readonly partnerSubmission: Read<Submission> | null;
  /** Both outputs; null while a submission is missing or holds none. */
  readonly outputs: Outputs | null;
  /** The workflow's verdict as it was stored; null when there is none, or none that can be read. */
  readonly stored: ResponsibilityRecord | null;
}

/** Evidence, decoded once, for all steps of an audit. */
export interface CaseFile {
  readonly evidence: Evidence;
  readonly history: History;
  /** The terms of the `Funded` event. */
  readonly terms: Terms | null;
  readonly agreement: Read<Agreement> | null;
  readonly submission: Read<Submission> | null;
  readonly record: Read<VerdictRecord> | null;
  /** The record inside the judge's stored one. */
  readonly adjudication: Read<AdjudicationRecord> | null;
  /** Null for an agreement of one seller. */
  readonly joint: JointCase | null;
  /** The certificate that was delivered, or why there is none. */
  readonly certificate: Certificate | CertificateGap;
  /** The walk that an execution proof gate pays for; null when operators decide. */
  readonly walk: WalkCase | null;
  /** EIP-712 digest of the delivered certificate. */
  readonly digest: Hex | null;
  /** Members whose signatures on the certificate count. */
  readonly signers: readonly Signer[];
  /** What the certificate says; null when no verdict ended the agreement. */
  readonly outcome: Outcome | null;
  /** The key that agreement and submission have in the judge. */
  readonly key: Hex | null;
  /** The transactions that the verdict record names, as far as the network told of them. */
  readonly judgeTransactions: readonly JudgeTransactionEvidence[];
  /** Ids that the verdict record names. */
  readonly judgeTransactionIds: readonly Hex[];
}

/** Why there is no certificate to look at. */
export interface CertificateGap {
  readonly reason: string;
  /** Whether there had to be one. */
  readonly isFault: boolean;
}

/** Decodes evidence. Whatever is malformed stays visible as a fault; nothing throws. */
export function openCase(evidence: Evidence): CaseFile {
  const history = historyOf(evidence);
  const terms = history.funded?.terms ?? null;
  const agreement = read(evidence.documents.agreement, parseAgreement);
  const submission = read(evidence.documents.submission, parseSubmission);
  const record = read(evidence.verdictRecord, parseVerdictRecord);
  const stored = evidence.judge?.record ?? null;
  const joint = jointCaseOf(evidence, agreement?.document ?? null, submission?.document ?? null);
  const adjudication = read(
    stored === null || stored.version === 0 || joint !== null ? null : stored.record,
    parseAdjudication,
  );
  const certificate = certificateOf(evidence, history, terms);
  const verdict = isCertificate(certificate) ? certificate.verdict : null;
  const digest =
    verdict === null || terms === null
      ? null
      : verdictDigest(verdict, evidence.evm.chainId, terms.adjudicator);
  const code = verdict?.outcome ?? history.certified?.outcome;
  const walk = openWalk(evidence, history, terms, agreement?.document ?? null);
  // A gate only ever releases.
  const isPaidByGate = walk !== null && history.ending !== null && history.ending.verdictHash !== null;
  const judgeTransactionIds = record?.document?.transactions ?? [];
  return {
    evidence,
    history,
    terms,
    agreement,
    submission,
    record,
    adjudication,
    joint,
    certificate,
    walk,
    digest,
    signers:
      digest !== null && isCertificate(certificate)
        ? signersOf(certificate, digest, evidence.evm.contractSignatures)
        : [],
    outcome: isPaidByGate ? "PASS" : code === undefined ? null : (outcomeOfCode(code) ?? null),
    key: keyOf(evidence, history),
    judgeTransactionIds,
    judgeTransactions: judgeTransactionIds.flatMap(
      (id) => evidence.judge?.transactions.filter((transaction) => transaction.id === id) ?? [],
    ),
  };
}

/** Whether there is a certificate to look at. */
export function isCertificate(found: Certificate | CertificateGap): found is Certificate {
  return "verdict" in found;
}

/** Whether an adjudicator ended the agreement, which it does by nothing but a verdict. */
export function endedByVerdict({ history: { ending } }: CaseFile): boolean {
  return ending !== null && ending.verdictHash !== null;
}

/** Why something is missing: the reason that was recorded when the evidence was gathered, or a general one. */
export function reasonFor({ evidence }: CaseFile, subject: GapSubject, otherwise: string): string {
  return evidence.gaps.find((gap) => gap.subject === subject)?.reason ?? otherwise;
}

const responsibilitySchema = z.strictObject({
  workflowKey: hashField,
  workflowDigest: hashField,
  assessmentDigest: hashField,
  recordDigest: hashField,
  sequence: integer(1, Number.MAX_SAFE_INTEGER),
  verdict: z.enum(RESPONSIBILITY_VERDICTS),
  assessor: addressField,
});

function jointCaseOf(
  { agreementId, documents, judge }: Evidence,
  agreement: Agreement | null,
  submission: Submission | null,
): JointCase | null {
  if (agreement === null || !isJoint(agreement)) return null;
  const plan = jointPlanOf(agreement);
  const role = roleIn(plan, agreementId);
  const partnerSubmission = read(documents.partnerSubmission ?? null, parseSubmission);
  const own = submission?.output?.text;
  const other = partnerSubmission?.document?.output?.text;
  const isWhole = own !== undefined && other !== undefined && role !== null;
  return {
    plan,
    role,
    partnerSubmission,
    outputs: isWhole ? { A: role === "A" ? own : other, B: role === "B" ? own : other } : null,
    stored: storedResponsibility(judge?.record ?? null),
  };
}

function storedResponsibility(stored: StoredRecordEvidence | null): ResponsibilityRecord | null {
  if (stored === null || stored.version === 0) return null;
  try {
    const parsed = responsibilitySchema.safeParse(parseStrict(stored.record));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof CanonicalJsonError) return null;
    throw error;
  }
}

function read<T>(text: string | null, parse: (text: string) => T): Read<T> | null {
  if (text === null) return null;
  const hash = sha256(utf8Encode(text));
  try {
    return { text, sha256: hash, document: parse(text), fault: null };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return { text, sha256: hash, document: null, fault: error.message };
  }
}

function certificateOf(
  { agreementId, evm }: Evidence,
  { ending }: History,
  terms: Terms | null,
): Certificate | CertificateGap {
  if (ending === null) return { reason: "the agreement has not ended", isFault: false };
  if (ending.verdictHash === null)
    return { reason: `no verdict ended the agreement: ${ending.name}`, isFault: false };
  if (terms === null) return { reason: "the terms are not known", isFault: false };
  const { to, input } = ending.transaction;
  const isAbout = ({ verdict }: Certificate): boolean => verdict.agreementId === agreementId;
  if (to !== terms.adjudicator)
    return (
      certificatesWithin(input, terms.adjudicator, evm.chainId).find(isAbout) ?? {
        reason: "the certificate was delivered through another contract whose calldata does not show it",
        isFault: false,
      }
    );
  const certificates = certificatesIn(input, terms.adjudicator, evm.chainId);
  const [only, ...others] = certificates;
  const found = others.length === 0 ? only : certificates.find(isAbout);
  return (
    found ?? {
      reason: "the delivering transaction's calldata holds no readable certificate for this agreement",
      isFault: true,
    }
  );
}

function keyOf({ agreementId, evm }: Evidence, { funded, submitted }: History): Hex | null {
  if (funded === null || submitted === null) return null;
  return adjudicationKey({
    chainId: evm.chainId,
    escrow: evm.escrow,
    agreementId,
    agreementHash: funded.terms.agreementHash,
    submissionHash: submitted.submissionHash,
  });
}
