import { type CaseFile, type Read, reasonFor } from "../case-file.ts";
import type { GapSubject } from "../evidence.ts";
import { compare, fail, notChecked } from "../finding.ts";
import type { Hex } from "../../primitives/hex.ts";
import type { Finding } from "../report.ts";
import { agreementIdOf } from "../../terms/agreement-id.ts";
import type { StepDefinition } from "./step.ts";

/** Terms and documents are the ones that the escrow holds by hash. */
export const DOCUMENT_STEPS: readonly StepDefinition[] = [
  {
    id: "agreementId",
    title: "The funded terms hash to the agreement's id",
    basis: "computed",
    examine: ({ evidence, terms }) =>
      terms === null
        ? fail("no readable Funded event names this agreement")
        : compare(
            evidence.agreementId,
            agreementIdOf(terms, evidence.evm.chainId, evidence.evm.escrow),
            "EIP-712 digest of the terms in the escrow's domain",
          ),
  },
  {
    id: "agreementHash",
    title: "The agreement document is the one in the terms",
    basis: "computed",
    examine: (file) =>
      file.terms === null
        ? notChecked("the terms are not known")
        : document(file, "agreement", file.agreement, file.terms.agreementHash),
  },
  {
    id: "submissionHash",
    title: "The submission document is the one that was submitted",
    basis: "computed",
    examine: (file) => {
      const { submitted } = file.history;
      if (submitted === null) return notChecked("nothing was submitted");
      const finding = document(file, "submission", file.submission, submitted.submissionHash);
      const about = file.submission?.document?.agreementId;
      if (finding.result !== "PASS" || about === file.evidence.agreementId) return finding;
      return compare(file.evidence.agreementId, about, "the agreement that the submission is for");
    },
  },
];

function document(file: CaseFile, subject: GapSubject, found: Read<unknown> | null, expected: Hex): Finding {
  if (found === null) return notChecked(reasonFor(file, subject, "the document was not found"));
  const finding = compare(expected, found.sha256, "SHA-256 of the document's bytes");
  if (finding.result === "FAIL" || found.fault === null) return finding;
  return fail(`the bytes are those that were hashed, but no valid document: ${found.fault}`, finding);
}
