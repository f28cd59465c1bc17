import type { HistoryCounts, Rate, Rates, Reputation, RoleHistory } from "@assay/protocol";
import { Amount } from "../components/amount.tsx";
import { rateInWords } from "./rate-in-words.ts";

const COUNTS: readonly (readonly [keyof HistoryCounts, string])[] = [
  ["funded", "funded"],
  ["ended", "ended"],
  ["passed", "passed"],
  ["failed", "failed"],
  ["noShows", "not delivered in time, after consent"],
  ["overdue", "overdue now"],
  ["undetermined", "undetermined"],
  ["withheld", "withheld"],
  ["unjudged", "without a verdict in time"],
  ["cancelled", "cancelled by the buyer"],
  ["lapsed", "lapsed without consent"],
  ["declined", "declined"],
  ["concededByBuyer", "conceded by the buyer"],
  ["concededBySeller", "conceded by the seller"],
  ["settled", "settled by both"],
];

/** Rates and counts in both roles. */
export function ReputationTable({ reputation: { asSeller, asBuyer } }: { readonly reputation: Reputation }) {
  const rates: readonly (readonly [string, Rates])[] = [
    ["Completed, as a seller", asSeller.completion],
    ["Paid for deliveries, as a buyer", asBuyer.payment],
    ["Cancelled, as a buyer", asBuyer.cancellation],
  ];
  return (
    <>
      <div className="table" role="region" aria-label="Rates" tabIndex={0}>
        <table>
          <caption>
            Rates; “recent” weighs agreements less the longer ago they were, “by volume” by their reward.
          </caption>
          <thead>
            <tr>
              <th scope="col">Rate</th>
              <th scope="col">Recent</th>
              <th scope="col">All</th>
              <th scope="col">By volume</th>
            </tr>
          </thead>
          <tbody>
            {rates.map(([name, { recent, all, byVolume }]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <RateCell rate={recent} />
                <RateCell rate={all} />
                <RateCell rate={byVolume} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="table" role="region" aria-label="Counts" tabIndex={0}>
        <table>
          <caption className="sr-only">Agreements by how they ended</caption>
          <thead>
            <tr>
              <th scope="col">Agreements</th>
              <th scope="col" className="number">
                As a seller
              </th>
              <th scope="col" className="number">
                As a buyer
              </th>
            </tr>
          </thead>
          <tbody>
            {COUNTS.filter(([name]) => asSeller.counts[name] + asBuyer.counts[name] > 0).map(
              ([name, words]) => (
                <tr key={name}>
                  <th scope="row">{words}</th>
                  <td className="number">{asSeller.counts[name]}</td>
                  <td className="number">{asBuyer.counts[name]}</td>
                </tr>
              ),
            )}
            <Volumes words="rewards funded" asSeller={asSeller} asBuyer={asBuyer} />
            <tr>
              <th scope="row">counterparties</th>
              <td className="number">{asSeller.counterparties}</td>
              <td className="number">{asBuyer.counterparties}</td>
            </tr>
          </tbody>
        </table>
      </div>
    </>
  );
}

function RateCell({ rate }: { readonly rate: Rate }) {
  return <td>{rateInWords(rate)}</td>;
}

function Volumes({
  words,
  asSeller,
  asBuyer,
}: {
  readonly words: string;
  readonly asSeller: RoleHistory;
  readonly asBuyer: RoleHistory;
}) {
  return (
    <tr>
      <th scope="row">{words}</th>
      <td className="number">
        <Amount value={asSeller.fundedVolume} />
      </td>
      <td className="number">
        <Amount value={asBuyer.fundedVolume} />
      </td>
    </tr>
  );
}
