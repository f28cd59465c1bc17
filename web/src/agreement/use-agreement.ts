import type { Hex } from "@assay/protocol";
import { useResource } from "../data/resources.tsx";
import { useNetwork } from "../network/context.tsx";
import { readAgreement } from "./read-agreement.ts";

/** How often a live agreement is read again. */
const AGREEMENT_MILLISECONDS = 4_000;

/** An agreement, followed. */
export function useAgreement(agreementId: Hex) {
  const network = useNetwork();
  return useResource(`${network.profile.name}/agreement/${agreementId}`, {
    every: AGREEMENT_MILLISECONDS,
    load: () => readAgreement(network, agreementId),
  });
}
