import { computeAddress, keccak256, toUtf8Bytes } from "ethers";

import type { Hex } from "../execution/executor.ts";
import type { ModelSpec } from "../models/model.ts";

/** One validator of the network. */
export interface ValidatorNode {
  readonly address: Hex;
  readonly model: ModelSpec;
  /** How the model is named in transactions and on pages. */
  readonly label: ModelLabel;
}

/** A model's name, in two parts as Studio shows it. */
export interface ModelLabel {
  readonly provider: string;
  readonly model: string;
}

/** Names a model; the built-in judge says that it is none. */
export function labelOf(spec: ModelSpec): ModelLabel {
  if (!("provider" in spec)) return { provider: "custom", model: spec.description };
  return spec.provider === "rules"
    ? { provider: "rules", model: "rules (no language model)" }
    : { provider: spec.provider, model: spec.model };
}

/** Makes `size` nodes with fixed addresses; the models are dealt out in turn. */
export function createNodes(size: number, models: readonly ModelSpec[]): readonly ValidatorNode[] {
  return Array.from({ length: size }, (_, index) => {
    const model = models[index % models.length] ?? { provider: "rules" };
    const address = computeAddress(keccak256(toUtf8Bytes(`assay localnet validator ${index}`))) as Hex;
    return { address, model, label: labelOf(model) };
  });
}

/** The order in which the nodes stand for one transaction: drawn from its id, so the same on every replay. */
export function drawOrder(nodes: readonly ValidatorNode[], txId: Hex): readonly Hex[] {
  const rank = (node: ValidatorNode): string => keccak256(txId + node.address.slice(2));
  return nodes
    .map((node) => ({ address: node.address, rank: rank(node) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ address }) => address);
}
