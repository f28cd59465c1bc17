import type { Ending } from "./agreement-fact.ts";
import type { Stage } from "./stage.ts";

/** One observation of a rate. */
export interface Sample {
  readonly success: boolean;
  /** When it came true (Unix time). */
  readonly at: number;
  /** Base units. */
  readonly reward: bigint;
}

/** What an agreement's end says about a rate: true or false; not listed, nothing. */
type Reading = Readonly<Partial<Record<Ending, boolean>>>;

/** Did the seller do what it had agreed to, as the adjudicator saw it? No-shows have a rule of their own. */
const COMPLETION: Reading = {
  passed: true,
  failed: false,
  withheld: false,
  concededBySeller: false,
};

/** Was a delivery paid whole, when its reward went to one side? */
const PAYMENT: Reading = {
  passed: true,
  concededByBuyer: true,
  failed: false,
  withheld: false,
  concededBySeller: false,
};

/** What an agreement says about its seller's completion of work. */
export function completionSample(stage: Stage): Sample | undefined {
  const { fact, end, overdue } = stage;
  // A missed deadline was missed then: expiring it, now or later, changes neither whether nor how much it counts.
  if (overdue || end?.as === "noShows") return { success: false, at: fact.deliverBy, reward: fact.reward };
  return read(COMPLETION, stage);
}

/** What an agreement says about how its buyer's sellers were paid for what they had delivered. */
export function paymentSample(stage: Stage): Sample | undefined {
  return stage.submitted ? read(PAYMENT, stage) : undefined;
}

/** What an agreement says about how often its buyer takes the reward back. */
export function cancellationSample({ fact, end }: Stage): Sample | undefined {
  return end === null ? undefined : { success: end.as === "cancelled", at: end.at, reward: fact.reward };
}

function read(reading: Reading, { fact, end }: Stage): Sample | undefined {
  const success = end === null ? undefined : reading[end.as];
  return end === null || success === undefined ? undefined : { success, at: end.at, reward: fact.reward };
}
