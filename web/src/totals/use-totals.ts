import { fiatTokenAbi, interfaceOf } from "@assay/protocol";
import { useResource } from "../data/resources.tsx";
import { useNetwork } from "../network/context.tsx";
import { readToken, view } from "../network/token.tsx";

const TOTALS_MILLISECONDS = 10_000;

/** The escrow's books, followed. */
export function useTotals() {
  const { profile, index } = useNetwork();
  return useResource(`${profile.name}/totals`, {
    every: TOTALS_MILLISECONDS,
    load: () => index.totals(),
  });
}

/** What the escrow holds of its token, by the token's own word; base units. */
export function useHoldings() {
  const { profile, chain } = useNetwork();
  const { escrow } = profile.evm;
  return useResource(`${profile.name}/holdings`, {
    every: TOTALS_MILLISECONDS,
    async load() {
      const { address } = await readToken(chain, escrow);
      return view<bigint>(chain, interfaceOf(fiatTokenAbi), address, "balanceOf", [escrow]);
    },
  });
}
