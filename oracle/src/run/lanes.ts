import type { Effect, SubmissionState } from "../core/index.ts";
import type { Lane } from "./lane.ts";
import type { Services } from "./services.ts";

/** Name under which the EVM chain's nonces are kept. */
export const SETTLE_CHAIN = "evm";

/** The relayer's key on GenLayer. */
export function relayLane({ judge, config }: Pick<Services, "judge" | "config">): Lane {
  return {
    chain: `genlayer:${judge.network.name}`,
    signer: judge.relayer,
    purpose: "relay",
    mostOpen: config.maxInFlight,
    nonce: () => judge.nonce(),
  };
}

/** The submitter's key on the EVM chain. */
export function settleLane({
  chain,
  submitter,
  config,
}: Pick<Services, "chain" | "submitter" | "config">): Lane {
  return {
    chain: SETTLE_CHAIN,
    signer: submitter.address,
    purpose: "settle",
    mostOpen: config.maxInFlight,
    nonce: () => chain.nonce(submitter.address),
  };
}

/** The key whose nonce an effect usually takes; null when it takes none. */
export function laneOf(
  services: Services,
  effect: Effect | "closeWindow",
  state: SubmissionState,
): Lane | null {
  // The second half of a relay sends what the first one signed.
  if (effect === "relay" && (state.relayTx !== null || state.carryTx !== null)) return null;
  if (effect === "relay") return relayLane(services);
  if (effect === "prepareSettlement") return settleLane(services);
  return null;
}
