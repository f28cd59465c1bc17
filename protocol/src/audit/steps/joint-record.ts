import { type CaseFile, type JointCase, reasonFor } from "../case-file.ts";
import type { StoredRecordEvidence } from "../evidence.ts";
import { compare, compareAll, fail, notChecked } from "../finding.ts";
import { DocumentError } from "../../documents/error.ts";
import type { VerdictRecord } from "../../documents/verdict-record.ts";
import { responsibilityRecordDigest } from "../../responsibility/digests.ts";
import { buildVerdictRecord } from "../../verdict/build-verdict-record.ts";
import { verdictHash } from "../../verdict/verdict-hash.ts";
import type { Finding } from "../report.ts";

const UNREADABLE = "the stored record is no workflow's verdict";

/** A workflow's stored record hashes to the digest that the verdict record names. */
export function storedDigest(
  { stored }: JointCase,
  record: VerdictRecord,
  { adjudicationHash }: StoredRecordEvidence,
): Finding {
  if (stored === null) return fail(UNREADABLE);
  const digest = responsibilityRecordDigest(stored);
  return compareAll(
    [
      ["recordDigest", record.responsibility?.recordDigest, digest],
      ["stored beside it", adjudicationHash, digest],
    ],
    "SHA-256 over the length-prefixed fields of the stored record",
  );
}

/** The verdict record follows from the workflow's stored verdict and both outputs. */
export function attributedRecord(
  file: CaseFile,
  { stored, outputs, plan }: JointCase,
  record: VerdictRecord,
  { version, key }: StoredRecordEvidence,
): Finding {
  const agreement = file.agreement?.document;
  if (stored === null || agreement == null) return fail(UNREADABLE);
  const outer = compareAll(
    [
      ["version", 1, version],
      ["key", plan.place.workflowKey, key],
    ],
    "what the contract stored beside its record",
  );
  if (outer.result === "FAIL") return outer;
  const partnerSubmissionHash = record.responsibility?.partner.submissionHash;
  if (outputs === null || partnerSubmissionHash === undefined)
    return notChecked(reasonFor(file, "partnerSubmission", "the two outputs are not both at hand"));
  try {
    const rebuilt = buildVerdictRecord({
      agreement,
      agreementId: file.evidence.agreementId,
      submissionHash: record.submissionHash,
      chainId: file.evidence.evm.chainId,
      escrow: file.evidence.evm.escrow,
      finding: {
        kind: "attributed",
        record: stored,
        outputs,
        partnerSubmissionHash,
        transaction: record.transactions[0] ?? "0x",
      },
    });
    return compare(verdictHash(record), verdictHash(rebuilt), "verdict hash of the record rebuilt from it");
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return fail(`the stored record does not fit the agreement: ${error.message}`);
  }
}
