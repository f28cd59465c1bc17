import type { Address } from "@assay/protocol";
import type { Venue } from "../acts/venue.ts";
import { useResource } from "../data/resources.tsx";
import { useWallet } from "../wallet/wallet.tsx";
import { readToken } from "../wallet/contracts.ts";

const EVERY_MILLISECONDS = 10_000;

/** What an account holds of the token, in base units; null while that is not known. */
export function useBalance({ token, chainId }: Venue, account: Address | null): bigint | null {
  const { node } = useWallet();
  return (
    useResource<bigint | null>(`balance/${chainId}/${token.address}/${account ?? "nobody"}`, {
      every: EVERY_MILLISECONDS,
      load: () =>
        account === null ? Promise.resolve(null) : readToken(node, token.address, "balanceOf", account),
    }).value ?? null
  );
}
