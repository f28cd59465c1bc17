import { isSameAddress, timeInWords, type Address, type StatusName, type Terms } from "@assay/protocol";
import { noVerdictShares } from "./shares.ts";

/** What somebody can do about an agreement that is funded. */
export type ActName = "accept" | "submit" | "cancel" | "concede" | "settle" | "claim" | "expire";

/** Somebody's part in an agreement. */
export type Role = "buyer" | "seller" | "other";

/** One act with what it does, and whether it can be done now. */
export interface Act {
  readonly name: ActName;
  /** The button's words. */
  readonly title: string;
  /** What happens to whom, and whether it can be undone. */
  readonly effect: string;
  /** Why it can't be done yet; null when it can. */
  readonly notYet: string | null;
}

/** What acts depend on. */
export interface Situation {
  readonly terms: Terms;
  readonly status: StatusName;
  /** The connected account. */
  readonly account: Address | null;
  /** The chain's time, in Unix seconds. */
  readonly now: number;
  /** How an amount of base units is written. */
  readonly amount: (baseUnits: bigint) => string;
}

export function roleOf({ buyer, seller }: Terms, account: Address | null): Role {
  if (account === null) return "other";
  return isSameAddress(account, buyer) ? "buyer" : isSameAddress(account, seller) ? "seller" : "other";
}

/** Whether the reward is still in the escrow. */
export function isLive(status: StatusName): boolean {
  return status === "Funded" || status === "Accepted" || status === "Submitted";
}

/** Everything that the account can do now or later about the agreement, the most likely first. */
export function actsFor(situation: Situation): readonly Act[] {
  const { terms, status, account, now } = situation;
  if (!isLive(status)) return [];
  const role = roleOf(terms, account);
  const canDeliver = status !== "Submitted" && now <= terms.deliverBy;
  const names: ActName[] = [
    ...(role === "seller" && canDeliver ? (["submit"] as const) : []),
    ...(role === "seller" && status === "Funded" && canDeliver ? (["accept"] as const) : []),
    ...(status === "Submitted" && now <= terms.adjudicateBy ? (["claim"] as const) : []),
    ...(role === "buyer" && status === "Funded" ? (["cancel"] as const) : []),
    "expire",
    ...(role === "other" ? [] : (["settle", "concede"] as const)),
  ];
  return names.map((name) => describe(name, role, situation));
}

function describe(name: ActName, role: Role, situation: Situation): Act {
  const { terms, status, amount } = situation;
  const reward = amount(terms.reward);
  const act = (title: string, effect: string, notYet: string | null = null): Act => ({
    name,
    title,
    effect,
    notYet,
  });
  switch (name) {
    case "submit":
      return act(
        "Deliver the work",
        `The hash of your delivery is written to the escrow. A delivery is made once and can't be changed; delivering also accepts the terms.`,
      );
    case "accept":
      return act(
        "Accept the terms",
        `You agree to exactly these terms, and the buyer can't cancel any more. Accepting costs you nothing but gas; delivering without it is accepting too.`,
      );
    case "claim":
      return act(
        "Deliver the verdict",
        `Operators bring the verdict to the escrow by themselves. If none does, anybody can with their published signatures: PASS pays ${reward} to the seller, FAIL and WITHHELD give it back to the buyer, UNDETERMINED splits it as agreed.`,
      );
    case "cancel":
      return act(
        "Cancel and take the money back",
        `${reward} goes back to you, whole, and the agreement is over. This is possible only until the seller accepts.`,
      );
    case "expire":
      return describeExpiry(situation, act);
    case "settle":
      return act(
        "Settle by yourselves",
        `You and the ${role === "buyer" ? "seller" : "buyer"} both sign how to divide ${reward}, and the escrow pays it out so. Neither of you can do it alone${status === "Submitted" ? "; a verdict that comes first decides" : ""}.`,
      );
    case "concede":
      return role === "buyer"
        ? act(
            "Pay the seller now",
            `${reward} goes to the seller, whole, without a verdict. This can't be undone.`,
          )
        : act(
            "Give the money back",
            `${reward} goes back to the buyer, whole, and you are paid nothing. This can't be undone.`,
          );
  }
}

function describeExpiry(
  { terms, status, now, amount }: Situation,
  act: (title: string, effect: string, notYet?: string | null) => Act,
): Act {
  if (status !== "Submitted")
    return act(
      "End it: nothing was delivered in time",
      `${amount(terms.reward)} goes back to the buyer, whole. Anybody may do this once the deadline for the delivery has passed.`,
      now > terms.deliverBy ? null : `Possible after ${timeInWords(terms.deliverBy)}.`,
    );
  const { seller, buyer } = noVerdictShares(terms);
  return act(
    "End it: no verdict came in time",
    `${amount(seller)} goes to the seller and ${amount(buyer)} back to the buyer, as agreed for this case. Anybody may do this once the time for the verdict has passed.`,
    now > terms.adjudicateBy ? null : `Possible after ${timeInWords(terms.adjudicateBy)}.`,
  );
}
