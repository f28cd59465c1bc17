import { Link } from "wouter";
import { AgreementTable } from "../agreement/agreement-table.tsx";
import { Amount } from "../components/amount.tsx";
import { Card } from "../components/card.tsx";
import { Failure } from "../components/failure.tsx";
import { Loading } from "../components/loading.tsx";
import { SourceLine } from "../components/source-line.tsx";
import { useResource } from "../data/resources.tsx";
import { Page } from "../layout/page.tsx";
import { useNetwork } from "../network/context.tsx";
import { Search } from "../search/search.tsx";
import { solvencyOf } from "../totals/solvency.ts";
import { useHoldings, useTotals } from "../totals/use-totals.ts";

const LATEST = 8;
const LATEST_MILLISECONDS = 10_000;

/** What this is, a search, and what happened last. */
export default function HomePage() {
  return (
    <Page
      title="Assay"
      heading={<span className="display">Escrow that pays for proven work</span>}
      lead={
        <p className="prose lead">
          A buyer locks a reward against a written agreement. A seller delivers. Independent validators judge
          the delivery, and the money follows their verdict. Whoever doubts it recomputes every step here, in
          their own browser, from public data.
        </p>
      }
    >
      <Search />
      <Books />
      <Latest />
      <Roles />
    </Page>
  );
}

function Books() {
  const totals = useTotals();
  const holdings = useHoldings();
  const books = totals.value?.value;
  const solvency =
    books !== undefined && holdings.value !== undefined ? solvencyOf(books, holdings.value) : null;
  if (books === undefined && totals.error !== null)
    return <Failure error={totals.error} what="The escrow's books" onRetry={totals.reload} />;
  const amount = (value: bigint | undefined) => (value === undefined ? "…" : <Amount value={value} />);
  return (
    <section aria-label="The escrow now" className="stack">
      <dl className="figures">
        <div>
          <dt>locked in {books?.liveCount ?? "…"} live agreements</dt>
          <dd>{amount(books?.lockedReward)}</dd>
        </div>
        <div>
          <dt>paid in, ever</dt>
          <dd>{amount(books?.fundedTotal)}</dd>
        </div>
        <div>
          <dt>agreements</dt>
          <dd>{books === undefined ? "…" : books.agreementCount.toLocaleString("en-US")}</dd>
        </div>
        <div>
          <dt>
            <Link href="/totals">holds what it owes</Link>
          </dt>
          <dd>{solvency === null ? "…" : solvency.isSolvent && solvency.doBooksAddUp ? "Yes" : "No"}</dd>
        </div>
      </dl>
    </section>
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

function Roles() {
  return (
    <section aria-label="What you can do here" className="roles">
      <div className="stack">
        <h2>Buy</h2>
        <p>
          <Link href="/new">Write an agreement</Link>, see what each check means before you pay, and sign
          once.
        </p>
      </div>
      <div className="stack">
        <h2>Sell</h2>
        <p>
          Open the agreement that names you: consent, drop your files in, and claim your pay with the
          certificate.
        </p>
      </div>
      <div className="stack">
        <h2>Doubt</h2>
        <p>
          Recompute any verdict on its agreement’s page, or <Link href="/recompute">from a file</Link>,
          without a network.
        </p>
      </div>
    </section>
  );
}
