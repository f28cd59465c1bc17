import type { Address } from "@assay/protocol";
import type { Effect, SubmissionState } from "../core/index.ts";
import type { Services } from "./services.ts";

/** Name under which the EVM chain's nonces are kept. */
export const SETTLE_CHAIN = "evm";

/** Name under which GenLayer's nonces are kept. */
export function relayChain(services: Pick<Services, "judge">): string {
  return `genlayer:${services.judge.network.name}`;
}

/** A key on a chain, whose nonces are given out one after another. */
export interface Lane {
  readonly chain: string;
  readonly signer: Address;
}

/** The key whose nonce an effect takes, from reading the nonce to having it journalled; null when it takes none. */
export function laneOf(
  services: Services,
  effect: Effect | "closeWindow",
  state: SubmissionState,
): Lane | null {
  // The second half of a relay sends what the first one signed.
  if (effect === "relay" && (state.relayTx !== null || state.carryTx !== null)) return null;
  if (effect === "relay") return { chain: relayChain(services), signer: services.judge.relayer };
  if (effect === "prepareSettlement") return { chain: SETTLE_CHAIN, signer: services.submitter.address };
  return null;
}
