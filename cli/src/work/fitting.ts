import { fitsAgreement, isJoint, type Agreement, type Submission } from "@assay/protocol";
import { UsageError } from "../errors.ts";

/**
 * Refuses a submission that the operators would take for none, which refunds the buyer.
 *
 * @throws UsageError that says what is missing.
 */
export function requireFitting(agreement: Agreement, submission: Submission): void {
  if (fitsAgreement(agreement, submission)) return;
  if (!isJoint(agreement))
    throw new UsageError(
      "the submission holds an output, and no workflow decides this agreement",
      "Leave output out of the notes.",
    );
  throw new UsageError(
    submission.output === undefined
      ? "the agreement is one side of a joint one, whose submissions hold the agent's signed output"
      : "the output's signature is not that of this side's seller over this workflow and text",
    "Deliver it with --output <file> of `assay work submit`, which signs it, or put output, with text and signature, into the notes.",
  );
}
