import { z } from "zod";
import { toAddress, toHash, type ExecutionFacts } from "@assay/protocol";

const hash = z.string().transform((text) => toHash(text));
const address = z.string().transform((text) => toAddress(text));

const stepSchema = z.object({
  index: z.int().nonnegative(),
  method: z.string(),
  path_template: z.string(),
  auth: z.boolean(),
});

/** A job of a recorder's board. */
export const jobSchema = z.object({
  job_id: z.string(),
  title: z.string(),
  description: z.string(),
  network: z.string(),
  steps: z.array(stepSchema),
  reward: z.string().nullable(),
});

/** What a recorder answers about a mission, as far as it is needed here. */
export const missionSchema = z.object({
  mission_id: z.string(),
  agent_id: z.string(),
  status: z.enum(["in_progress", "completed", "expired"]),
  nonce: hash,
  /** What the nonce was mixed from; of a mission of a job only. */
  nonce_origin: z.object({ recorder_nonce: hash.optional(), agent_nonce: hash.optional() }).optional(),
  committed_root: hash,
  current_chain_hash: hash,
  steps: z.array(stepSchema).min(1),
  attestations: z.array(
    z.object({
      step_index: z.int().nonnegative(),
      request_hash: hash,
      response_hash: hash,
      attestation_hash: hash,
      chain_hash: hash,
    }),
  ),
  next_request: z.object({ index: z.int().nonnegative() }).nullable(),
  agreement: z.object({ chain_id: z.int().positive(), escrow: address, agreement_id: hash }).nullable(),
  recorder: address,
  terminal: hash.nullable(),
  signature: z.string().nullable(),
  expires_at: z.int(),
});

/** What a recorder answers about a mission. */
export type MissionView = z.infer<typeof missionSchema>;
/** A job of a recorder's board. */
export type JobView = z.infer<typeof jobSchema>;

/** The committed steps, in the protocol's own spelling. */
export function stepsOf({ steps }: Pick<MissionView, "steps">): ExecutionFacts["execution"]["steps"] {
  return steps.map(({ index, method, path_template: pathTemplate, auth }) => ({
    index,
    method,
    pathTemplate,
    auth,
  }));
}

/** What a mission's view claims, for verification from first principles. */
export function factsOf(view: MissionView): ExecutionFacts {
  const { agreement } = view;
  return {
    execution: { nonce: view.nonce, recorder: view.recorder, steps: stepsOf(view) },
    records: view.attestations.map((item) => ({
      index: item.step_index,
      requestHash: item.request_hash,
      responseHash: item.response_hash,
      attestation: item.attestation_hash,
      chain: item.chain_hash,
    })),
    terminal: view.terminal,
    signature: view.signature,
    committedRoot: view.committed_root,
    ...(agreement !== null && {
      subject: {
        chainId: agreement.chain_id,
        escrow: agreement.escrow,
        agreementId: agreement.agreement_id,
      },
    }),
  };
}
