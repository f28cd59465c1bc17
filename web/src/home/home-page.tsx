import { Suspense } from "react";
import { Link } from "wouter";
import { Card } from "../components/card.tsx";
import { Loading } from "../components/loading.tsx";
import { Page } from "../layout/page.tsx";
import { later } from "../layout/shown.ts";
import { Search } from "../search/search.tsx";
import { Figures } from "./figures.tsx";
import { LATEST } from "./latest.ts";

const Now = later(() => import("./now.tsx"));

/** What this is, a search, and what happened last. Its frame needs nothing that is read. */
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
      <Suspense
        fallback={
          <>
            <Figures />
            <Card title="Funded last">
              <Loading what="the newest agreements" lines={LATEST} />
            </Card>
          </>
        }
      >
        <Now />
      </Suspense>
      <Roles />
    </Page>
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
