import type { ExecutionClaim, Hex } from "@assay/protocol";
import type { MissionView } from "./walker.ts";

/** What a mission's view claims, for verification from first principles. */
export function claimOf(view: MissionView): ExecutionClaim {
  return {
    nonce: view.nonce as Hex,
    steps: view.steps.map(({ index, method, path_template: pathTemplate, auth }) => ({
      index,
      method,
      pathTemplate,
      auth,
    })),
    records: view.attestations.map((item) => ({
      index: item.step_index,
      requestHash: item.request_hash as Hex,
      responseHash: item.response_hash as Hex,
      attestation: item.attestation_hash as Hex,
      chain: item.chain_hash as Hex,
    })),
    terminal: view.current_chain_hash as Hex,
    committedRoot: view.committed_root as Hex,
  };
}
