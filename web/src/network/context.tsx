import { createContext, use, useMemo, type ReactNode } from "react";
import { useSearchParams } from "wouter";
import type { Profile } from "@assay/protocol";
import { openNetwork, type Network } from "./network.ts";

interface Networks {
  readonly all: readonly Profile[];
  readonly current: Network;
  /** Goes to another network, on the page that is shown. */
  readonly choose: (name: string) => void;
}

const NetworksContext = createContext<Networks | null>(null);

/** Chooses the network that `?network=` names, or else the first. */
export function NetworkProvider({
  profiles,
  children,
}: {
  readonly profiles: readonly Profile[];
  readonly children: ReactNode;
}) {
  const [search, setSearch] = useSearchParams();
  const named = search.get("network");
  const profile = profiles.find(({ name }) => name === named) ?? profiles[0];
  if (profile === undefined) throw new Error("There is no network");
  const current = useMemo(() => openNetwork(profile), [profile]);
  const networks = useMemo(
    () => ({
      all: profiles,
      current,
      choose: (name: string) => setSearch(name === profiles[0]?.name ? {} : { network: name }),
    }),
    [profiles, current, setSearch],
  );
  return <NetworksContext value={networks}>{children}</NetworksContext>;
}

/** All networks and the one in use. */
export function useNetworks(): Networks {
  const networks = use(NetworksContext);
  if (networks === null) throw new Error("useNetworks needs a NetworkProvider above it");
  return networks;
}

/** The network in use. */
export function useNetwork(): Network {
  return useNetworks().current;
}
