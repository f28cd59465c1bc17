import {
  examineExecution,
  sha256,
  utf8Encode,
  type Agreement,
  type CheckSubject,
  type ExecutionReport,
  type Submission,
  type Terms,
} from "@assay/protocol";

/** The walk in a submission, replayed from what its agreement committed to; null when there is none. */
export function walkIn(
  agreement: Agreement,
  agreementText: string,
  submission: Submission | null,
  subject: CheckSubject,
  terms: Terms | null,
): ExecutionReport | null {
  const { execution } = agreement;
  const proof = submission?.execution;
  if (execution === undefined || proof === undefined) return null;
  const { attestations: records, terminal, signature } = proof;
  return examineExecution({
    ...{ execution, records, terminal, signature, subject },
    agreementHash: sha256(utf8Encode(agreementText)),
    ...(terms === null ? {} : { terms }),
  });
}
