import { use, Suspense } from "react";
import { Layout } from "./layout/layout.tsx";
import { ErrorBoundary } from "./layout/error-boundary.tsx";
import { Loading } from "./components/loading.tsx";
import { ResourcesProvider } from "./data/resources.tsx";
import { NetworkProvider } from "./network/context.tsx";
import { loadNetworks } from "./network/load-networks.ts";
import { Pages } from "./pages.tsx";
import { WalletSlot } from "./slots.tsx";

/** Asked for once, before anything is shown. */
const networks = loadNetworks();

/** The whole page. */
export function App() {
  return (
    <ErrorBoundary>
      <Suspense fallback={<Loading what="the configuration" />}>
        <Configured />
      </Suspense>
    </ErrorBoundary>
  );
}

function Configured() {
  return (
    <NetworkProvider profiles={use(networks)}>
      <ResourcesProvider>
        <WalletSlot>
          <Layout>
            <Pages />
          </Layout>
        </WalletSlot>
      </ResourcesProvider>
    </NetworkProvider>
  );
}
