import { nonceCommitment } from "@assay/protocol";
import { type Mission, type MissionStatus } from "./mission.ts";
import type { StoredRecord } from "./store.ts";

/** What every answer about a mission says of itself. */
const PROVES = {
  proves:
    "that the recorder saw these calls in this order, and the bytes of method, path, query, body and status of each",
  does_not_prove: "that an answer was right, that headers were these, or that anybody needed the calls",
} as const;

/** What anybody may read of a mission, in the service's own spelling. */
export function missionView(
  mission: Mission,
  records: readonly StoredRecord[],
  status: MissionStatus,
  recorder: string,
): Record<string, unknown> {
  const { binding } = mission;
  return {
    mission_id: mission.id,
    job_id: mission.jobId,
    agent_id: mission.agentId,
    status,
    nonce: mission.nonce,
    nonce_origin:
      mission.recorderNonce === null
        ? { agreement: binding?.agreementId ?? null }
        : {
            recorder_nonce: mission.recorderNonce,
            recorder_commitment: nonceCommitment(mission.recorderNonce),
            agent_nonce: mission.agentNonce,
          },
    committed_root: mission.committedRoot,
    current_chain_hash: mission.chain,
    steps: stepsView(mission.steps),
    attestations: records.map((record) => ({
      step_index: record.index,
      request_hash: record.requestHash,
      response_hash: record.responseHash,
      attestation_hash: record.attestation,
      chain_hash: record.chain,
      recorded_at: record.recordedAt,
    })),
    next_request: status === "in_progress" ? nextRequest(mission) : null,
    agreement:
      binding === null
        ? null
        : { chain_id: binding.chainId, escrow: binding.escrow, agreement_id: binding.agreementId },
    recorder,
    terminal: status === "completed" ? mission.chain : null,
    signature: mission.signature,
    started_at: mission.startedAt,
    expires_at: mission.expiresAt,
    ...PROVES,
  };
}

/** Steps in the service's own spelling. */
export function stepsView(steps: Mission["steps"]): Record<string, unknown>[] {
  return steps.map(({ index, method, pathTemplate, auth }) => ({
    index,
    method,
    path_template: pathTemplate,
    auth,
  }));
}

function nextRequest(mission: Mission): Record<string, unknown> | null {
  const [step] = stepsView(mission.steps.slice(mission.position, mission.position + 1));
  return step === undefined
    ? null
    : { ...step, headers: { "X-A2A-Mission": mission.id, "X-A2A-Mission-Step": `${mission.position}` } };
}
