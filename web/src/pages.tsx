import { lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { Loading } from "./components/loading.tsx";
import { NotFound } from "./layout/not-found.tsx";

// A chunk for each page: whoever looks at one does not load the others.
const Home = lazy(() => import("./home/home-page.tsx"));
const NewAgreement = lazy(() => import("./buyer/new-agreement-page.tsx"));
const Agreement = lazy(() => import("./agreement/agreement-page.tsx"));

/** Which page is shown at which path. */
export function Pages() {
  return (
    <Suspense fallback={<Loading what="the page" lines={6} />}>
      <Switch>
        <Route path="/" component={Home} />
        <Route path="/new" component={NewAgreement} />
        <Route path="/agreement/:id">{({ id }) => <Agreement id={id} />}</Route>
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </Suspense>
  );
}
