import { lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { Loading } from "./components/loading.tsx";
import { NotFound } from "./layout/not-found.tsx";

// A chunk for each page: whoever looks at one does not load the others.
const Home = lazy(() => import("./home/home-page.tsx"));
const NewAgreement = lazy(() => import("./buyer/new-agreement-page.tsx"));
const Totals = lazy(() => import("./totals/totals-page.tsx"));
const Party = lazy(() => import("./party/party-page.tsx"));
const Verdict = lazy(() => import("./verdict/verdict-page.tsx"));
const Recompute = lazy(() => import("./recompute/recompute-page.tsx"));
const Agreement = lazy(() => import("./agreement/agreement-page.tsx"));

/** Which page is shown at which path. */
export function Pages() {
  return (
    <Suspense fallback={<Loading what="the page" lines={6} />}>
      <Switch>
        <Route path="/" component={Home} />
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
