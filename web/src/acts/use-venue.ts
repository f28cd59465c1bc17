import { useMemo } from "react";
import { useNetwork } from "../network/context.tsx";
import { useToken } from "../network/token.tsx";
import type { Venue } from "./venue.ts";

/** Where agreements are drawn up; undefined until the chain has told of its token, null where nobody judges. */
export function useVenue(): Venue | null | undefined {
  const { profile } = useNetwork();
  const token = useToken();
  return useMemo(() => {
    const { evm, quorum, adjudication } = profile;
    if (quorum === undefined || adjudication === undefined) return null;
    if (token === undefined) return undefined;
    return { chainId: evm.chainId, escrow: evm.escrow, token, quorum, adjudication };
  }, [profile, token]);
}
