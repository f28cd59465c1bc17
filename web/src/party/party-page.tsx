import { useState } from "react";
import { formatUnits } from "ethers";
import {
  ValueError,
  adjudicatorConfigOf,
  toAddress,
  type Address as EvmAddress,
  type AgreementFact,
  type AsOf,
  type TrustedAdjudication,
} from "@assay/protocol";
import type { Sourced } from "@assay/subgraph";
import { AgreementTable } from "../agreement/agreement-table.tsx";
import { TimeChart } from "../chart/time-chart.tsx";
import { Card } from "../components/card.tsx";
import { Failure } from "../components/failure.tsx";
import { Hash } from "../components/hash.tsx";
import { Loading } from "../components/loading.tsx";
import { Notice } from "../components/notice.tsx";
import { SourceLine } from "../components/source-line.tsx";
import { useResource } from "../data/resources.tsx";
import { NotFound } from "../layout/not-found.tsx";
import { Page } from "../layout/page.tsx";
import { useNetwork } from "../network/context.tsx";
import { useToken } from "../network/token.tsx";
import { Credit } from "./credit.tsx";
import { historyOf, reputationAt } from "./history.ts";
import { ReputationTable } from "./reputation-table.tsx";

const PARTY_MILLISECONDS = 15_000;
const SHOWN = 50;

/** One account as buyer and seller: its agreements, and what they say about it. */
export default function PartyPage({ address }: { readonly address: string }) {
  const party = addressIn(address);
  return party === null ? <NotFound /> : <Known party={party} />;
}

function addressIn(text: string): EvmAddress | null {
  try {
    return toAddress(text);
  } catch (error) {
    if (error instanceof ValueError) return null;
    throw error;
  }
}

function Known({ party }: { readonly party: EvmAddress }) {
  const { profile, index } = useNetwork();
  const facts = useResource(`${profile.name}/facts/${party}`, {
    every: PARTY_MILLISECONDS,
    load: () => index.facts(party),
  });
  const agreements = useResource(`${profile.name}/agreements/${party}`, {
    every: PARTY_MILLISECONDS,
    load: () => index.agreementsOf(party),
  });
  const newest = agreements.value?.value.toSorted((one, other) => other.fundedAt - one.fundedAt) ?? [];
  return (
    <Page title="Party" heading="Party" lead={<Hash value={party} what="address" whole />}>
      <Credit party={party} />
      {facts.value === undefined ? (
        facts.error === null ? (
          <Loading what="what it has done" lines={8} />
        ) : (
          <Failure error={facts.error} what="What it has done" onRetry={facts.reload} />
        )
      ) : (
        <Reputation party={party} sourced={facts.value} />
      )}
      <Card title="Agreements">
        {agreements.value === undefined ? (
          agreements.error === null ? (
            <Loading what="its agreements" />
          ) : (
            <Failure error={agreements.error} what="Its agreements" onRetry={agreements.reload} />
          )
        ) : newest.length === 0 ? (
          <p>None on this network.</p>
        ) : (
          <>
            {newest.length > SHOWN && (
              <p>
                The newest {SHOWN} of {newest.length}.
              </p>
            )}
            <AgreementTable caption="Its agreements, newest first" agreements={newest.slice(0, SHOWN)} />
          </>
        )}
      </Card>
    </Page>
  );
}

function Reputation({
  party,
  sourced,
}: {
  readonly party: EvmAddress;
  readonly sourced: Sourced<readonly AgreementFact[]>;
}) {
  const { quorum } = useNetwork().profile;
  const [isAny, setIsAny] = useState(false);
  const { value: facts, block } = sourced;
  const asOf: AsOf = { blockNumber: block.number, blockHash: block.hash, timestamp: block.timestamp };
  const own: readonly TrustedAdjudication[] | undefined =
    quorum === undefined || isAny
      ? undefined
      : [
          {
            adjudicator: quorum.address,
            adjudicatorConfig: adjudicatorConfigOf(quorum.members, quorum.threshold),
          },
        ];
  const reputation = reputationAt(party, facts, asOf, own);
  return (
    <Card title="Reputation">
      <p className="prose">
        Computed here from {facts.length} {facts.length === 1 ? "agreement" : "agreements"} by the measure{" "}
        <code>{reputation.measure}</code>, as <code>assay reputation</code> does. Rates carry their 95%
        interval; no-shows and overdue deliveries count as not completed.
      </p>
      {quorum !== undefined && (
        <label className="row">
          <input type="checkbox" checked={isAny} onChange={({ target }) => setIsAny(target.checked)} />
          Count agreements under any adjudicator, also those whose parties judged themselves
        </label>
      )}
      {isAny && (
        <Notice tone="warn" title="Two accounts of one person can judge themselves into any reputation" />
      )}
      <ReputationTable reputation={reputation} />
      <Charts party={party} facts={facts} asOf={asOf} adjudications={own} />
      <SourceLine sourced={sourced} />
    </Card>
  );
}

function Charts({
  party,
  facts,
  asOf,
  adjudications,
}: {
  readonly party: EvmAddress;
  readonly facts: readonly AgreementFact[];
  readonly asOf: AsOf;
  readonly adjudications: readonly TrustedAdjudication[] | undefined;
}) {
  const token = useToken();
  if (facts.length === 0) return null;
  const moments = historyOf(party, facts, asOf, adjudications);
  const units = (value: bigint): number => Number(formatUnits(value, token?.decimals ?? 0));
  const last = moments.at(-1);
  const rate = last?.completion.bps;
  const isSeller = moments.some(({ completion }) => completion.bps !== null);
  return (
    <div className="charts">
      {isSeller && (
        <TimeChart
          title="Completed as a seller"
          summary={
            rate == null
              ? "No rate yet."
              : `${rate / 100}% now; the band is the 95% interval, which narrows as agreements end.`
          }
          top={100}
          format={(value) => `${Math.round(value * 10) / 10}%`}
          series={[
            {
              name: "completed",
              tone: "accent",
              points: moments.map(({ at, completion }) => ({
                at,
                value: completion.bps === null ? null : completion.bps / 100,
                low: completion.lowBps / 100,
                high: completion.highBps / 100,
              })),
            },
          ]}
        />
      )}
      <TimeChart
        title={`Rewards, in ${token?.symbol ?? "base units"}`}
        summary={`${units(last?.soldVolume ?? 0n).toLocaleString("en-US")} as a seller and ${units(last?.boughtVolume ?? 0n).toLocaleString("en-US")} as a buyer until now.`}
        format={(value) => value.toLocaleString("en-US", { maximumFractionDigits: 2 })}
        series={[
          {
            name: "as a seller",
            tone: "accent",
            points: moments.map(({ at, soldVolume }) => ({ at, value: units(soldVolume) })),
          },
          {
            name: "as a buyer",
            tone: "hold",
            points: moments.map(({ at, boughtVolume }) => ({ at, value: units(boughtVolume) })),
          },
        ]}
      />
    </div>
  );
}
