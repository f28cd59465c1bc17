import { useResource } from "../data/resources.tsx";
import { useNetwork } from "./context.tsx";

/** How often the chain is asked where it stands. */
const HEAD_MILLISECONDS = 4_000;

/** Where the escrow's chain stands. */
export interface Head {
  readonly number: number;
  /** Unix seconds, the clock that the contracts go by. */
  readonly timestamp: number;
  /** Null when the node does not tell. */
  readonly finalized: number | null;
}

/** The escrow's chain, followed. */
export function useHead() {
  const { profile, chain } = useNetwork();
  return useResource<Head>(`${profile.name}/head`, {
    every: HEAD_MILLISECONDS,
    async load() {
      const [head, finalized] = await Promise.all([chain.head(), chain.finalizedHeight()]);
      return { ...head, finalized };
    },
  });
}
