import { findGenLayerNetwork } from "@assay/protocol";

/** What a judge's network is instead of the real thing, in words; null when it is the real thing, or not known here. */
export function simulationInWords(genLayerNetwork: string): string | null {
  if (findGenLayerNetwork(genLayerNetwork)?.simulated !== true) return null;
  return genLayerNetwork === "localnet"
    ? "a simulation on one machine; unless a model was configured, its judge is “rules”, which is no language model"
    : "a simulation: one party runs all validators";
}
