import type { Address } from "../primitives/address.ts";
import { type Hex, toHash } from "../primitives/hex.ts";
import { sha256 } from "../primitives/sha256.ts";
import { utf8Encode } from "../primitives/utf8.ts";
import { responsibilityDomain } from "../typed-data/domains.ts";
import type { TypedData, TypedDataField } from "../typed-data/typed-data.ts";

/** Where a workflow is kept. */
export interface WorkflowPlace {
  /** The GenLayer chain's id. */
  readonly chainId: number;
  /** The deployed `responsibility.py`. */
  readonly contract: Address;
  readonly workflowKey: Hex;
}

/** What agents sign who authorise without sending. */
export const WORKFLOW_TYPES = {
  WorkflowAcceptance: [
    { name: "workflowKey", type: "bytes32" },
    { name: "workflowDigest", type: "bytes32" },
  ],
  WorkflowOutput: [
    { name: "workflowKey", type: "bytes32" },
    { name: "outputHash", type: "bytes32" },
  ],
  WorkflowClosing: [{ name: "workflowKey", type: "bytes32" }],
} satisfies Record<string, TypedDataField[]>;

function typedData(
  place: WorkflowPlace,
  primaryType: keyof typeof WORKFLOW_TYPES,
  rest: Readonly<Record<string, Hex>>,
): TypedData {
  return {
    domain: responsibilityDomain(place.chainId, place.contract),
    types: { [primaryType]: WORKFLOW_TYPES[primaryType] },
    primaryType,
    message: { workflowKey: toHash(place.workflowKey), ...rest },
  };
}

/** An agent's consent to exactly this commitment. */
export function workflowAcceptanceTypedData(place: WorkflowPlace, workflowDigest: Hex): TypedData {
  return typedData(place, "WorkflowAcceptance", { workflowDigest: toHash(workflowDigest) });
}

/** An agent's output; what is signed is its SHA-256. */
export function workflowOutputTypedData(place: WorkflowPlace, output: string): TypedData {
  return typedData(place, "WorkflowOutput", { outputHash: sha256(utf8Encode(output)) });
}

/** An agent's wish to end the workflow without a verdict. */
export function workflowClosingTypedData(place: WorkflowPlace): TypedData {
  return typedData(place, "WorkflowClosing", {});
}
