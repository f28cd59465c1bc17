import { Link } from "wouter";
import { AgreementTable } from "../agreement/agreement-table.tsx";
import { Amount } from "../components/amount.tsx";
import { Card } from "../components/card.tsx";
import { Failure } from "../components/failure.tsx";
import { Loading } from "../components/loading.tsx";
import { SourceLine } from "../components/source-line.tsx";
import { useResource } from "../data/resources.tsx";
import { useNetwork } from "../network/context.tsx";
import { solvencyOf } from "../totals/solvency.ts";
import { useHoldings, useTotals } from "../totals/use-totals.ts";
import { Figures } from "./figures.tsx";
import { LATEST } from "./latest.ts";

const LATEST_MILLISECONDS = 10_000;

/** The escrow's books, and what was funded last. */
export default function Now() {
  return (
    <>
      <Books />
      <Latest />
    </>
  );
}

function Books() {
  const totals = useTotals();
  const holdings = useHoldings();
  const books = totals.value?.value;
  if (books === undefined)
    return totals.error === null ? (
      <Figures />
    ) : (
      <Failure error={totals.error} what="The escrow's books" onRetry={totals.reload} />
    );
  const solvency = holdings.value === undefined ? null : solvencyOf(books, holdings.value);
  return (
    <Figures
      live={books.liveCount}
      locked={<Amount value={books.lockedReward} />}
      funded={<Amount value={books.fundedTotal} />}
      agreements={books.agreementCount.toLocaleString("en-US")}
      solvent={solvency === null ? "…" : solvency.isSolvent && solvency.doBooksAddUp ? "Yes" : "No"}
    />
  );
}

function Latest() {
  const { profile, index } = useNetwork();
  const { value, error, reload } = useResource(`${profile.name}/latest`, {
    every: LATEST_MILLISECONDS,
    load: () => index.latest(LATEST),
  });
  return (
    <Card title="Funded last">
      {value === undefined ? (
        error === null ? (
          <Loading what="the newest agreements" lines={LATEST} />
        ) : (
          <Failure error={error} what="The list" onRetry={reload} />
        )
      ) : (
        <>
          {value.value.length === 0 ? (
            <p>
              Nobody has funded an agreement yet. <Link href="/new">Write the first.</Link>
            </p>
          ) : (
            <AgreementTable caption="Agreements that were funded last" agreements={value.value} />
          )}
          <SourceLine sourced={value} />
        </>
      )}
    </Card>
  );
}
