import {
  amountInWords,
  timeInWords,
  type Rate,
  type Rates,
  type RoleHistory,
  type Wording,
} from "@assay/protocol";
import type { SourcedReputation } from "../options/reputation.ts";
import { table } from "../output/table.ts";

/** A reputation for people. */
export function reputationLines({ reputation, source }: SourcedReputation, wording: Wording): string[] {
  const { party, asOf, adjudications, asSeller, asBuyer } = reputation;
  return [
    `${party} at block ${asOf.blockNumber}, ${timeInWords(asOf.timestamp)}, read from the ${source}`,
    adjudications === null
      ? "Agreements under any adjudicator, also those whose parties judged themselves"
      : "Agreements under this network's adjudicator",
    "As a seller",
    ...historyLines(asSeller, wording),
    ...table([["  completed", ...ratesCells(asSeller.completion)]]),
    "As a buyer",
    ...historyLines(asBuyer, wording),
    ...table([
      ["  paid for deliveries", ...ratesCells(asBuyer.payment)],
      ["  cancelled", ...ratesCells(asBuyer.cancellation)],
    ]),
  ];
}

function historyLines({ counts, fundedVolume, counterparties }: RoleHistory, wording: Wording): string[] {
  const told = Object.entries(counts).filter(
    ([name, count]) => count > 0 && !["funded", "ended"].includes(name),
  );
  return [
    `  ${counts.funded} funded (${amountInWords(fundedVolume, wording)}), ${counts.ended} ended, with ${counterparties} others`,
    ...(told.length === 0 ? [] : [`  ${told.map(([name, count]) => `${name} ${count}`).join(", ")}`]),
  ];
}

function ratesCells({ recent, all, byVolume }: Rates): string[] {
  return [`recent ${rateInWords(recent)}`, `all ${rateInWords(all)}`, `by volume ${rateInWords(byVolume)}`];
}

/** A rate with its interval, such as `75% (30.1% to 95.4%)`. */
export function rateInWords({ bps, lowBps, highBps }: Rate): string {
  return bps === null ? "unknown" : `${bps / 100}% (${lowBps / 100}% to ${highBps / 100}%)`;
}
