import { agreementEscrowAbi } from "@assay/protocol";
import { Interface } from "ethers";
import type { Binding, Mission, MissionStatus } from "./mission.ts";

const TIMEOUT_MILLISECONDS = 5_000;
/** As the escrow numbers them. */
const STATUSES = ["none", "funded", "accepted", "submitted", "released", "refunded", "split"] as const;
const PAID: Partial<Record<EscrowStatus, string>> = {
  released: "paid",
  refunded: "refunded",
  split: "split",
};

/** What the escrow says of an agreement. */
export type EscrowStatus = (typeof STATUSES)[number];

/** Asks a chain what an escrow holds; null when nobody can be asked, or nobody answers. */
export type EscrowReader = (binding: Binding) => Promise<EscrowStatus | null>;

/** @param rpcUrls by chain id. */
export function createEscrowReader(rpcUrls: Readonly<Record<number, string>>): EscrowReader {
  const escrow = new Interface(agreementEscrowAbi);
  return async ({ chainId, escrow: to, agreementId }) => {
    const url = rpcUrls[chainId];
    if (url === undefined) return null;
    const data = escrow.encodeFunctionData("stateOf", [agreementId]);
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_call", params: [{ to, data }, "latest"] }),
        signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
      });
      const { result } = (await response.json()) as { result?: string };
      if (typeof result !== "string") return null;
      return STATUSES[Number(escrow.decodeFunctionResult("stateOf", result)[0])] ?? null;
    } catch {
      return null;
    }
  };
}

/** What became of a mission's reward. The recorder holds no money: it is locked and paid by the agreement's escrow. */
export function rewardView(
  mission: Mission,
  missionStatus: MissionStatus,
  onChain: EscrowStatus | null,
): Record<string, unknown> {
  const { binding } = mission;
  if (binding === null) {
    return {
      mission_id: mission.id,
      status: "unbound",
      hint: "Bind the mission to an agreement with its nonce and steps: POST …/agreement.",
    };
  }
  const walked =
    missionStatus === "completed" ? "claimable" : missionStatus === "expired" ? "expired" : "walking";
  const isHeld = onChain === null ? null : ["funded", "accepted", "submitted"].includes(onChain);
  return {
    mission_id: mission.id,
    status: (onChain !== null ? PAID[onChain] : undefined) ?? walked,
    reward: binding.reward,
    adjudicator: binding.adjudicator,
    agreement: { chain_id: binding.chainId, escrow: binding.escrow, agreement_id: binding.agreementId },
    locked: isHeld,
    on_chain: onChain,
    signature: mission.signature,
  };
}
