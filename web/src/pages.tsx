import { Suspense } from "react";
import { Route, Switch } from "wouter";
import { Loading } from "./components/loading.tsx";
import HomePage from "./home/home-page.tsx";
import { NotFound } from "./layout/not-found.tsx";
import { later } from "./layout/shown.ts";

// A chunk for each page: whoever looks at one does not load the others. The first of them needs nothing to be read.
const NewAgreement = later(() => import("./buyer/new-agreement-page.tsx"));
const Totals = later(() => import("./totals/totals-page.tsx"));
const Party = later(() => import("./party/party-page.tsx"));
const Verdict = later(() => import("./verdict/verdict-page.tsx"));
const Recompute = later(() => import("./recompute/recompute-page.tsx"));
const Agreement = later(() => import("./agreement/agreement-page.tsx"));

/** Which page is shown at which path. */
export function Pages() {
  return (
    <Suspense fallback={<Loading what="the page" lines={6} />}>
      <Switch>
        <Route path="/" component={HomePage} />
        <Route path="/new" component={NewAgreement} />
        <Route path="/agreement/:id">{({ id }) => <Agreement id={id} />}</Route>
        <Route path="/party/:address">{({ address }) => <Party address={address} />}</Route>
        <Route path="/verdict/:hash">{({ hash }) => <Verdict hash={hash} />}</Route>
        <Route path="/totals" component={Totals} />
        <Route path="/recompute" component={Recompute} />
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </Suspense>
  );
}
