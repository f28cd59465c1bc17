import type { Totals } from "@assay/subgraph";
import { Amount } from "../components/amount.tsx";
import { Card } from "../components/card.tsx";
import { Address } from "../components/address.tsx";
import { Fact, Facts } from "../components/facts.tsx";
import { Failure } from "../components/failure.tsx";
import { Loading } from "../components/loading.tsx";
import { Notice } from "../components/notice.tsx";
import { SourceLine } from "../components/source-line.tsx";
import { Page } from "../layout/page.tsx";
import { useNetwork } from "../network/context.tsx";
import { useToken } from "../network/token.tsx";
import { solvencyOf } from "./solvency.ts";
import { useHoldings, useTotals } from "./use-totals.ts";

/** The escrow's books, and whether it can pay everybody. */
export default function TotalsPage() {
  const totals = useTotals();
  const holdings = useHoldings();
  // Both before anything stands below them, so that nothing is pushed down by the later one.
  const isReading =
    (totals.value === undefined && totals.error === null) ||
    (holdings.value === undefined && holdings.error === null);
  return (
    <Page
      title="Totals"
      heading="What the escrow holds, and owes"
      lead={
        <p className="prose">
          Everything that was paid in has either been paid out, or is locked in a live agreement, or waits as
          a credit that its owner can fetch. The escrow’s balance has to cover the last two.
        </p>
      }
    >
      {isReading ? (
        <Loading what="the escrow's books" lines={6} />
      ) : totals.value === undefined ? (
        <Failure error={totals.error} what="The escrow's books" onRetry={totals.reload} />
      ) : (
        <>
          {holdings.value !== undefined && <Verdict totals={totals.value.value} holdings={holdings.value} />}
          {holdings.error !== null && (
            <Failure error={holdings.error} what="The escrow's balance" onRetry={holdings.reload} />
          )}
          <Books totals={totals.value.value} holdings={holdings.value} />
          <SourceLine sourced={totals.value} />
        </>
      )}
      {!isReading && <Contracts />}
    </Page>
  );
}

function Contracts() {
  const { profile } = useNetwork();
  const token = useToken();
  return (
    <Card title="Contracts">
      <Facts>
        <Fact term="Escrow">
          <Address value={profile.evm.escrow} what="escrow" isParty={false} />
        </Fact>
        <Fact term="Token">
          {token === undefined ? (
            "…"
          ) : (
            <>
              {token.name} ({token.symbol}, {token.decimals} decimals){" "}
              <Address value={token.address} what="token" isParty={false} />
            </>
          )}
        </Fact>
        {profile.quorum !== undefined && (
          <Fact term="Quorum">
            <Address value={profile.quorum.address} what="quorum" isParty={false} />,{" "}
            {profile.quorum.threshold} of {profile.quorum.members.length} operators
          </Fact>
        )}
        {profile.evm.gate !== undefined && (
          <Fact term="Execution gate">
            <Address value={profile.evm.gate} what="execution gate" isParty={false} />
          </Fact>
        )}
      </Facts>
    </Card>
  );
}

function Verdict({ totals, holdings }: { readonly totals: Totals; readonly holdings: bigint }) {
  const { isSolvent, doBooksAddUp, surplus } = solvencyOf(totals, holdings);
  if (!doBooksAddUp)
    return (
      <Notice tone="fail" title="The books do not add up" isUrgent>
        <p>
          What came in less what went out is not what is owed. Trust no figure here before somebody has
          looked.
        </p>
      </Notice>
    );
  if (!isSolvent)
    return (
      <Notice tone="fail" title="The escrow holds less than it owes" isUrgent>
        <p>
          <Amount value={-surplus} /> are missing. If this stays after the next block, the token’s issuer has
          changed a balance, or the contract is not what it should be.
        </p>
      </Notice>
    );
  return (
    <Notice tone="pass" title="Solvent: the escrow holds everything that it owes">
      {surplus > 0n && (
        <p>
          Somebody gave it <Amount value={surplus} /> beyond that, which belongs to no agreement.
        </p>
      )}
    </Notice>
  );
}

function Books({ totals, holdings }: { readonly totals: Totals; readonly holdings: bigint | undefined }) {
  return (
    <>
      <dl className="figures">
        <Figure term="paid in, ever" value={totals.fundedTotal} />
        <Figure term="paid out" value={totals.paidOutTotal} />
        <Figure term="locked in live agreements" value={totals.lockedReward} />
        <Figure term="waiting as credits" value={totals.openCredits} />
        {holdings !== undefined && <Figure term="held by the escrow" value={holdings} />}
      </dl>
      <dl className="figures">
        <Count term="agreements" value={totals.agreementCount} />
        <Count term="live" value={totals.liveCount} />
        <Count term="paid to the seller" value={totals.releasedCount} />
        <Count term="refunded" value={totals.refundedCount} />
        <Count term="divided" value={totals.splitCount} />
      </dl>
    </>
  );
}

function Figure({ term, value }: { readonly term: string; readonly value: bigint }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>
        <Amount value={value} />
      </dd>
    </div>
  );
}

function Count({ term, value }: { readonly term: string; readonly value: number }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{value.toLocaleString("en-US")}</dd>
    </div>
  );
}
