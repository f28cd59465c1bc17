import { deliveryCalldata } from "@assay/protocol";
import type { Services } from "../run/services.ts";
import type { AgreementRow } from "../store/index.ts";
import type { Venue } from "./venue.ts";

/** The AgreementEscrow, which our VerdictQuorum releases from. */
export function escrowVenue(
  { chain, config }: Pick<Services, "chain" | "config">,
  { agreementId, terms }: AgreementRow,
): Venue {
  return {
    contract: config.evm.escrow,
    verifier: config.evm.quorum,
    mostGas: null,
    state: (_submission, at) => chain.escrowState(agreementId, at),
    delivery: (certificate) => deliveryCalldata({ terms, ...certificate }),
  };
}
