import { timeInWords, durationInWords } from "@assay/protocol";
import type { Snapshot } from "./snapshot.ts";

/** Who can do what now. */
export function nextSteps({ status, terms, agreementId, now }: Snapshot): string[] {
  const until = (time: number): string => `${timeInWords(time)} (in ${durationInWords(time - now)})`;
  const named = agreementId;
  switch (status) {
    case "Funded":
    case "Accepted":
      if (now > terms.deliverBy)
        return [
          `The delivery's deadline has passed: anyone can refund the buyer with \`assay agreement expire ${named}\`.`,
        ];
      return [
        `The seller can deliver until ${until(terms.deliverBy)}: \`assay work submit ${named} <folder>\`.`,
        status === "Funded"
          ? `The seller can accept; until then the buyer can \`assay agreement cancel ${named}\`.`
          : "The seller has accepted; only both sides together, or one that gives up, can end it before that.",
      ];
    case "Submitted":
      return now > terms.adjudicateBy
        ? [
            `The time for a verdict is over: anyone can split the reward with \`assay agreement expire ${named}\`.`,
          ]
        : [
            `The operators have until ${until(terms.adjudicateBy)} to deliver a verdict; \`assay claim ${named}\` delivers it if they don't.`,
          ];
    default:
      return [`It has ended; recompute it with \`assay audit ${named}\`.`];
  }
}
