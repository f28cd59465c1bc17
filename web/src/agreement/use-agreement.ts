import type { Hex } from "@assay/protocol";
import { useResource } from "../data/resources.tsx";
import { useNetwork } from "../network/context.tsx";
import type { Network } from "../network/network.ts";
import { readAgreement } from "./read-agreement.ts";
import type { AgreementView, ChainEvent } from "./view.ts";

/** How often a live agreement is read again. */
const AGREEMENT_MILLISECONDS = 4_000;

/** An agreement, followed. */
export function useAgreement(agreementId: Hex) {
  const network = useNetwork();
  return useResource(`${network.profile.name}/agreement/${agreementId}`, {
    every: AGREEMENT_MILLISECONDS,
    load: follower(network, agreementId),
  });
}

/** Reads again and again, and remembers what it saw, so that it notices what the chain takes back. */
function follower(network: Network, agreementId: Hex): () => Promise<AgreementView> {
  let seen: readonly ChainEvent[] = [];
  return async () => {
    const view = await readAgreement(network, agreementId, seen);
    seen = [...view.vanished, ...view.events];
    return view;
  };
}
