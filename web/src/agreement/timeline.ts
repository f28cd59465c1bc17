import type { Hex } from "@assay/protocol";
import type { AgreementView, ChainEvent } from "./view.ts";

/** How sure something is. `provisional` may be appealed, `included` may leave the chain; no money follows from either. */
export type Finality = "provisional" | "included" | "final" | "unknown";

/** One moment of an agreement's life. */
export interface Moment {
  readonly key: string;
  readonly title: string;
  readonly detail: string;
  /** Unix seconds; for what is ahead, the last second in which it can happen. */
  readonly at: number | null;
  readonly isAhead: boolean;
  readonly finality: Finality | null;
  /** Which network it happened on, and who says so when it is not the chain itself. */
  readonly where: "evm" | "genlayer";
  readonly toldBy: string | null;
  readonly transactions: readonly Hex[];
  readonly event: ChainEvent | null;
}

const EVENTS: Readonly<Record<string, readonly [title: string, detail: string]>> = {
  Funded: ["Funded", "The buyer’s reward is in escrow."],
  Accepted: ["Accepted", "The seller consented; the buyer can’t cancel any more."],
  Submitted: ["Delivered", "The seller committed to its delivery by hash."],
  Released: ["Paid", "The verdict was PASS: the seller has the whole reward."],
  Refunded: ["Refunded", "The verdict was FAIL or WITHHELD: the buyer has the reward back."],
  Concluded: ["Divided", "The verdict was UNDETERMINED: the reward was divided as agreed."],
  Cancelled: ["Cancelled", "The buyer took the reward back before the seller consented."],
  Conceded: ["Conceded", "One side gave the whole reward to the other."],
  Settled: ["Settled", "Both sides signed how to divide the reward."],
  Expired: ["Expired", "A deadline passed; the reward went as the terms say."],
  Credited: [
    "Credited",
    "The token refused a payout: it waits in the escrow until its owner sends it elsewhere.",
  ],
};

const STAGES: Readonly<Record<string, readonly [title: string, detail: string, finality: Finality]>> = {
  relayed: [
    "Sent to the judge",
    "An operator sent agreement and delivery to the judge’s network.",
    "unknown",
  ],
  provisional: [
    "Judged, provisionally",
    "The validators agreed. It may be appealed, and nothing is paid.",
    "provisional",
  ],
  finalized: ["Judged, finally", "The time for appeals is over.", "final"],
  attested: ["Certified", "Operators checked the verdict, each for itself, and signed it.", "unknown"],
};

/**
 * Everything that happened, in its order, then what is still ahead. Each chain and each operator has a clock of its own,
 * so times do not decide: judging lies between the delivery and the end.
 */
export function timelineOf(view: AgreementView): readonly Moment[] {
  const events = view.events.map((event) => momentOf(event));
  const delivered = events.findLastIndex(({ event }) => event?.name === "Submitted") + 1;
  return [...events.slice(0, delivered), ...judgeMoments(view), ...events.slice(delivered), ...ahead(view)];
}

function momentOf(event: ChainEvent): Moment {
  const [title, detail] = EVENTS[event.name] ?? [event.name, ""];
  return {
    key: `${event.transaction}/${event.name}/${event.account ?? ""}`,
    title,
    detail,
    at: event.at,
    isAhead: false,
    finality: event.isFinal === null ? "unknown" : event.isFinal ? "final" : "included",
    where: "evm",
    toldBy: null,
    transactions: [event.transaction],
    event,
  };
}

/** What operators say about the judge's side: for each stage the earliest that one of them tells of. */
function judgeMoments({ operators, file }: AgreementView): Moment[] {
  const moments: Moment[] = [];
  const certified = file.history.certified?.judgeTx;
  for (const [stage, [title, detail, finality]] of Object.entries(STAGES)) {
    const told = operators
      .flatMap((reading) => {
        const submission = "view" in reading ? reading.view?.submissions.at(-1) : undefined;
        const at = submission?.stages.find((one) => one.stage === stage)?.at;
        if (submission === undefined || at == null) return [];
        const seconds = Math.floor(Date.parse(at) / 1_000);
        return [{ origin: reading.origin, at: seconds, ids: submission.judge?.transactions ?? [] }];
      })
      .sort((one, other) => one.at - other.at);
    const [first] = told;
    if (first === undefined) continue;
    moments.push({
      ...{ key: stage, title, detail, at: first.at, isAhead: false, finality },
      where: "genlayer",
      toldBy: first.origin,
      transactions: stage === "attested" ? [] : (first.ids as Hex[]),
      event: null,
    });
  }
  if (moments.length === 0 && certified !== undefined)
    moments.push({
      ...{
        key: "judged",
        title: "Judged",
        detail: "The certificate names this transaction of the judge’s network.",
      },
      ...{ at: file.history.ending?.block.timestamp ?? null, isAhead: false, finality: "unknown" as const },
      ...{ where: "genlayer" as const, toldBy: null, transactions: [certified], event: null },
    });
  return moments;
}

function ahead({ status, terms, now }: AgreementView): Moment[] {
  const due = (key: string, title: string, detail: string, at: number): Moment => ({
    ...{ key, title, detail, at, isAhead: true, finality: null, where: "evm" as const },
    ...{ toldBy: null, transactions: [], event: null },
  });
  if (status === "Funded" || status === "Accepted")
    return [
      terms.deliverBy >= now
        ? due("deliver-by", "Delivery due", "Later than this the escrow takes none.", terms.deliverBy)
        : due("deliver-by", "Delivery overdue", "Anybody can refund the buyer now.", terms.deliverBy),
    ];
  if (status === "Submitted")
    return [
      terms.adjudicateBy >= now
        ? due(
            "adjudicate-by",
            "Verdict due",
            "Without one by then the reward is divided as agreed.",
            terms.adjudicateBy,
          )
        : due(
            "adjudicate-by",
            "Verdict overdue",
            "Anybody can divide the reward as agreed now.",
            terms.adjudicateBy,
          ),
    ];
  return [];
}
