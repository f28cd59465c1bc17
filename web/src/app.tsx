import { useEffect } from "react";
import { ErrorBoundary } from "./layout/error-boundary.tsx";
import { Layout } from "./layout/layout.tsx";
import { frameIsShown } from "./layout/shown.ts";
import { ResourcesProvider } from "./data/resources.tsx";
import { NetworkProvider } from "./network/context.tsx";
import { Pages } from "./pages.tsx";

/** The whole page. */
export function App() {
  useEffect(frameIsShown, []);
  return (
    <ErrorBoundary>
      <NetworkProvider>
        <ResourcesProvider>
          <Layout>
            <Pages />
          </Layout>
        </ResourcesProvider>
      </NetworkProvider>
    </ErrorBoundary>
  );
}
