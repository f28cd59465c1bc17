import { createContext, use, useMemo, type ReactNode } from "react";
import { useSearchParams } from "wouter";
import { whenShown } from "../layout/shown.ts";
import { fetchConfiguration } from "./configuration.ts";
import type { Network } from "./network.ts";
import { outlinesIn, type Outline } from "./outline.ts";

interface Networks {
  /** Empty when the configuration is of no use, which opening it tells. */
  readonly outlines: Promise<readonly Outline[]>;
  readonly opened: Promise<readonly [Network, ...Network[]]>;
  /** What `?network=` names. */
  readonly named: string | null;
  /** Goes to another network, on the page that is shown. */
  readonly choose: (name: string, isDefault: boolean) => void;
}

// Asked for once, beside everything else. What reads it in full is a large part of the page, and waits for its frame.
const configuration = fetchConfiguration();
const outlines = configuration.then(outlinesIn, () => []);
const opened = Promise.all([configuration, whenShown(() => import("./network.ts"))]).then(
  ([text, { openNetworks }]) => openNetworks(text),
);
opened.catch(() => undefined); // Told wherever the networks are used.

/** Settled as soon as it is known what the frame says of the networks. */
export const outlinesAreKnown: Promise<unknown> = outlines;

const NetworksContext = createContext<Networks | null>(null);

/** Chooses the network that `?network=` names, or else the first. */
export function NetworkProvider({ children }: { readonly children: ReactNode }) {
  const [search, setSearch] = useSearchParams();
  const named = search.get("network");
  const networks = useMemo(
    () => ({
      outlines,
      opened,
      named,
      choose: (name: string, isDefault: boolean) => setSearch(isDefault ? {} : { network: name }),
    }),
    [named, setSearch],
  );
  return <NetworksContext value={networks}>{children}</NetworksContext>;
}

function useNetworks(): Networks {
  const networks = use(NetworksContext);
  if (networks === null) throw new Error("Networks need a NetworkProvider above them");
  return networks;
}

/** The outlines of all networks, of the one in use, and a way to another. Suspends until the configuration is there. */
export function useOutlines() {
  const { outlines, named, choose } = useNetworks();
  const all = use(outlines);
  return {
    all,
    current: chosen(all, named),
    choose: (name: string) => choose(name, name === all[0]?.name),
  };
}

/** The network in use. Suspends until it is open; throws a ConfigurationError when it can't be. */
export function useNetwork(): Network {
  const { opened, named } = useNetworks();
  const all = use(opened);
  return chosen(all, named) ?? all[0];
}

/** The network in use, for what is shown before it is open. */
export function useNetworkToCome(): () => Promise<Network> {
  const { opened, named } = useNetworks();
  return async () => {
    const all = await opened;
    return chosen(all, named) ?? all[0];
  };
}

function chosen<T extends Outline>(all: readonly T[], named: string | null): T | undefined {
  return all.find(({ name }) => name === named) ?? all[0];
}
