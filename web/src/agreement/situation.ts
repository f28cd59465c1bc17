import type { Outcome } from "@assay/protocol";
import { responsibilityIn } from "../joint/decision.ts";
import type { AgreementView } from "./view.ts";

/** Something about an agreement that whoever looks at it has to know. */
export interface Situation {
  /** Stable name, for tests. */
  readonly name:
    | "reorged"
    | "not_final"
    | "awaiting_delivery"
    | "delivery_overdue"
    | "awaiting_verdict"
    | "provisional"
    | "verdict_overdue"
    | "undetermined"
    | "withheld"
    | "credited"
    | "operators_down"
    | "operators_disagree"
    | "operator_stuck"
    | "document_missing";

  readonly tone: "info" | "warn" | "fail" | "hold" | "neutral";
  readonly title: string;
  /** What it means. */
  readonly meaning: string;
  /** What to do next. */
  readonly next: string;
}

/** What the verdict was; null when none ended the agreement, or nobody knows yet which. */
export function outcomeOf({ file }: AgreementView): Outcome | null {
  if (file.outcome !== null) return file.outcome;
  const { ending } = file.history;
  // An adjudicator without certificates, such as the gate, says PASS by releasing.
  return ending?.verdictHash != null && ending.name === "Released" ? "PASS" : null;
}

/** Every situation that an agreement is in, the most pressing first. */
export function situationsOf(view: AgreementView): readonly Situation[] {
  return [
    reorged(view),
    ...clockwise(view),
    ended(view),
    credited(view),
    notFinal(view),
    documents(view),
    ...operators(view),
  ].filter((situation) => situation !== null);
}

function reorged({ vanished }: AgreementView): Situation | null {
  if (vanished.length === 0) return null;
  const names = [...new Set(vanished.map(({ name }) => name))].join(", ");
  return {
    ...{ name: "reorged", tone: "fail", title: "The chain took something back" },
    meaning: `It was reorganised: ${names}, which was shown here before, is in none of its blocks now.`,
    next: "Wait for the final stage before you rely on anything. A transaction mostly comes back by itself in a later block.",
  };
}

function clockwise(view: AgreementView): (Situation | null)[] {
  const { status, terms, now } = view;
  if (status === "Funded" || status === "Accepted")
    return [
      now > terms.deliverBy
        ? {
            ...{ name: "delivery_overdue", tone: "warn", title: "The delivery’s deadline has passed" },
            meaning: "The escrow takes no delivery any more.",
            next: "Anybody can expire the agreement now, which refunds the buyer.",
          }
        : {
            ...{ name: "awaiting_delivery", tone: "info", title: "Waiting for the delivery" },
            meaning:
              status === "Funded"
                ? "The reward is locked. The seller has not consented, so the buyer may still cancel."
                : "The reward is locked and the seller has consented: only both together, or one that gives up, can end it before the deadline.",
            next: "The seller delivers before the deadline; delivering is consenting.",
          },
    ];
  if (status !== "Submitted") return [];
  if (now > terms.adjudicateBy)
    return [
      {
        ...{ name: "verdict_overdue", tone: "warn", title: "The time for a verdict is over" },
        meaning: "The escrow takes no verdict any more.",
        next: "Anybody can expire the agreement now, which divides the reward by the share that the terms name.",
      },
    ];
  return [provisional(view) ?? awaitingVerdict(view)];
}

function awaitingVerdict(_view: AgreementView): Situation {
  return {
    ...{ name: "awaiting_verdict", tone: "info", title: "Delivered, awaiting a verdict" },
    meaning: "Operators bring the delivery before the judge, and the judge’s final verdict back.",
    next: "Nothing has to be done. If they sign and do not deliver, anybody can claim with their certificate.",
  };
}

function provisional({ operators }: AgreementView): Situation | null {
  const stages = operators.flatMap((reading) =>
    "view" in reading ? (reading.view?.submissions.at(-1)?.stages ?? []) : [],
  );
  const has = (name: string): boolean => stages.some(({ stage, at }) => stage === name && at !== null);
  if (!has("provisional") || has("finalized")) return null;
  return {
    ...{ name: "provisional", tone: "hold", title: "There is a provisional verdict" },
    meaning:
      "The validators agreed, and it may still be appealed. It is not shown, because nothing follows from it.",
    next: "Wait until it is final; no money moves before.",
  };
}

function ended(view: AgreementView): Situation | null {
  const outcome = outcomeOf(view);
  if (view.file.joint !== null) return endedJointly(view, outcome);
  if (outcome === "UNDETERMINED")
    return {
      ...{ name: "undetermined", tone: "warn", title: "The validators could not agree" },
      meaning: `After all agreed rounds there was no verdict, so the reward was divided: ${view.terms.noVerdictSellerBps / 100}% went to the seller.`,
      next: "Recompute it to see each round’s transaction. A new agreement with checks in place of prose is easier to decide.",
    };
  if (outcome === "WITHHELD")
    return {
      ...{ name: "withheld", tone: "hold", title: "The delivery’s document could not be had" },
      meaning:
        "During the whole window no announced source had it, so the buyer was refunded. This rests on the operators’ word.",
      next: "A seller publishes the document to several operators before it delivers.",
    };
  return null;
}

/** A workflow's INCONCLUSIVE is a finding, and no disagreement; and WITHHELD has more reasons than a missing document. */
function endedJointly({ file, terms }: AgreementView, outcome: Outcome | null): Situation | null {
  const divided = `so the reward was divided: ${terms.noVerdictSellerBps / 100}% went to the seller.`;
  if (outcome === "UNDETERMINED")
    return {
      ...{ name: "undetermined", tone: "warn" },
      ...(responsibilityIn(file) === null
        ? {
            title: "There is no verdict on who was at fault",
            meaning: `None was stored in the agreed rounds, or it can’t be shown now; ${divided}`,
          }
        : {
            title: "The texts do not show who was at fault",
            meaning: `The workflow’s verdict is INCONCLUSIVE, ${divided}`,
          }),
      next: "Recompute it to see the transactions. Obligations that can be told from the outputs alone are easier to decide.",
    };
  if (outcome === "WITHHELD")
    return {
      ...{ name: "withheld", tone: "hold", title: "There was no delivery that the workflow could judge" },
      meaning:
        "No announced source had its document, or it holds no output that its agent signed, or the workflow was given another one; so the buyer was refunded.",
      next: "An agent signs the output that it submits, gives its workflow no other, and publishes the document first.",
    };
  return null;
}

function credited({ events, terms }: AgreementView): Situation | null {
  const credits = events.filter(({ name }) => name === "Credited");
  if (credits.length === 0) return null;
  const whose = credits
    .map(({ account }) => (account === terms.seller ? "the seller" : "the buyer"))
    .join(" and ");
  return {
    ...{ name: "credited", tone: "warn", title: `A payout to ${whose} was refused by the token` },
    meaning: "The money waits in the escrow as a credit. The other side is not affected.",
    next: "Its owner withdraws it, to another address if the token refuses the first one for good.",
  };
}

function notFinal({ events }: AgreementView): Situation | null {
  const last = events.at(-1);
  if (last?.isFinal !== false) return null;
  return {
    ...{ name: "not_final", tone: "neutral", title: `“${last.name}” is in a block that is not final yet` },
    meaning: "The chain could still take it back.",
    next: "Wait for the final stage before you rely on it; this page follows by itself.",
  };
}

function documents({ file }: AgreementView): Situation | null {
  const gap = file.evidence.gaps.find(({ subject }) => subject === "agreement" || subject === "submission");
  if (gap === undefined) return null;
  return {
    ...{ name: "document_missing", tone: "warn", title: `The ${gap.subject} document can’t be had now` },
    meaning: `Only its hash is on the chain. ${gap.reason}.`,
    next: "Whoever has the file can drop it below: it counts if it hashes to the same value.",
  };
}

function operators({ operators: readings, status }: AgreementView): (Situation | null)[] {
  const down = readings.filter((reading) => "problem" in reading);
  const verdicts = new Set(
    readings.flatMap((reading) =>
      "view" in reading ? (reading.view?.submissions.at(-1)?.verdict?.verdictHash ?? []) : [],
    ),
  );
  const stuck = readings.flatMap((reading) => {
    if (!("view" in reading)) return [];
    const submission = reading.view?.submissions.at(-1);
    const reason = reading.view?.ignoredReason ?? submission?.reason ?? null;
    return reason === null ? [] : [`${reading.origin}: ${reason}`];
  });
  return [
    verdicts.size > 1
      ? {
          ...{ name: "operators_disagree", tone: "fail", title: "Operators signed different verdicts" },
          meaning: "At most one of them can be right. Honest operators stop until a person has looked.",
          next: "Recompute it here, and believe neither before.",
        }
      : null,
    stuck.length > 0 && status === "Submitted"
      ? {
          ...{ name: "operator_stuck", tone: "warn", title: "An operator leaves this agreement alone" },
          meaning: stuck.join("; "),
          next: "The others can still decide it if enough of them are left; else the deadline does.",
        }
      : null,
    down.length > 0
      ? {
          ...{ name: "operators_down", tone: down.length === readings.length ? "warn" : "neutral" },
          title:
            down.length === readings.length
              ? "No operator answers"
              : `${down.length} of ${readings.length} operators do not answer`,
          meaning:
            "What you see is read from the chain, which needs none of them. They are asked again by themselves.",
          next: "Recomputing works as long as chain and documents can be reached; a document can be dropped in as a file.",
        }
      : null,
  ];
}
