import { z } from "zod";
import { TIMEOUT_MILLISECONDS, originOf, readBounded, reasonOf } from "@assay/evidence";
import { printable, toAddress, type Address, type CheckSubject, type Hex } from "@assay/protocol";
import { RefusedError, UnavailableError } from "../errors.ts";
import { jobSchema, missionSchema, type JobView, type MissionView } from "./mission-view.ts";

const PREFIX = "/api/v1";
const MOST_BYTES = 1024 * 1024;

const problemSchema = z.object({ code: z.string(), detail: z.string(), hint: z.string() });
const rewardSchema = z.object({
  status: z.string(),
  reward: z.string().optional(),
  locked: z.boolean().nullable().optional(),
  on_chain: z.string().nullable().optional(),
});

/** What became of a mission's reward, as its recorder says. */
export type RewardView = z.infer<typeof rewardSchema>;

/** A recorder's routes. Every method rejects with RefusedError when it refuses, UnavailableError when it is not there. */
export interface RecorderClient {
  /** Scheme, host and port. */
  readonly url: string;
  /** The account with which it signs. */
  account(): Promise<Address>;
  board(): Promise<readonly JobView[]>;
  onboard(): Promise<{ readonly apiKey: string; readonly agentId: string }>;
  /** Has the recorder commit to its nonce before it sees the agent's. */
  offer(jobId: string, apiKey: string): Promise<{ readonly offerId: string; readonly commitment: Hex }>;
  start(
    jobId: string,
    apiKey: string,
    choice: { readonly offerId: string; readonly agentNonce: Hex },
  ): Promise<MissionView>;
  /** Begins, or finds, the mission that an agreement asks for. */
  startFor(body: unknown, apiKey: string): Promise<MissionView>;
  /** Binds a mission to the agreement that was made with its nonce. */
  bind(missionId: string, body: unknown, apiKey: string): Promise<MissionView>;
  mission(id: string): Promise<MissionView>;
  /** The mission that is walked for an agreement; null when there is none. */
  missionFor(subject: CheckSubject): Promise<MissionView | null>;
  reward(missionId: string): Promise<RewardView>;
}

/** @param base the recorder's URL; its path is not looked at. */
export function createRecorderClient(base: string): RecorderClient {
  const url = originOf(base);

  async function ask<T>(
    schema: z.ZodType<T>,
    path: string,
    { apiKey, body }: { readonly apiKey?: string; readonly body?: unknown } = {},
  ): Promise<T> {
    const answer = await answered(path, apiKey, body);
    const parsed = schema.safeParse(answer);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    throw new UnavailableError(
      `${url} does not answer as a recorder does: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`,
      "Check --recorder, and that it is of this version of Assay.",
    );
  }

  async function answered(path: string, apiKey: string | undefined, body: unknown): Promise<unknown> {
    let status: number;
    let value: unknown;
    try {
      const response = await fetch(`${url}${PREFIX}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          ...(apiKey !== undefined && { "x-api-key": apiKey }),
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
      });
      status = response.status;
      const bytes = await readBounded(response, MOST_BYTES);
      if (bytes === null) throw new Error(`its answer has more than ${MOST_BYTES} bytes`);
      value = JSON.parse(new TextDecoder().decode(bytes));
    } catch (error) {
      throw new UnavailableError(
        `the recorder at ${url} gives no answer: ${printable(reasonOf(error))}`,
        "Check --recorder, or try again.",
        { cause: error },
      );
    }
    if (status < 400) return value;
    const problem = problemSchema.safeParse(value);
    const { code, detail, hint } = problem.success
      ? problem.data
      : { code: `http_${status}`, detail: `it answered with status ${status}`, hint: "Check --recorder." };
    throw new RefusedError(code, `the recorder at ${url} refused: ${printable(detail)}`, printable(hint));
  }

  const hash = z.string().regex(/^0x[0-9a-f]{64}$/) as unknown as z.ZodType<Hex>;
  const segment = encodeURIComponent;
  return {
    url,
    account: async () => toAddress((await ask(z.object({ recorder: z.string() }), "/recorder")).recorder),
    board: async () => (await ask(z.object({ jobs: z.array(jobSchema) }), "/board")).jobs,
    async onboard() {
      const schema = z.object({ api_key: z.string(), agent_id: z.string() });
      const { api_key: apiKey, agent_id: agentId } = await ask(schema, "/onboard", { body: {} });
      return { apiKey, agentId };
    },
    async offer(jobId, apiKey) {
      const schema = z.object({ offer_id: z.string(), recorder_commitment: hash });
      const answer = await ask(schema, `/jobs/${segment(jobId)}/offer`, { apiKey, body: {} });
      return { offerId: answer.offer_id, commitment: answer.recorder_commitment };
    },
    start: (jobId, apiKey, { offerId, agentNonce }) =>
      ask(missionSchema, `/jobs/${segment(jobId)}/start`, {
        apiKey,
        body: { offer_id: offerId, agent_nonce: agentNonce },
      }),
    startFor: (body, apiKey) => ask(missionSchema, "/missions", { apiKey, body }),
    bind: (id, body, apiKey) => ask(missionSchema, `/missions/${segment(id)}/agreement`, { apiKey, body }),
    mission: (id) => ask(missionSchema, `/missions/${segment(id)}`),
    async missionFor({ chainId, escrow, agreementId }) {
      const query = new URLSearchParams({ chain_id: `${chainId}`, escrow, agreement_id: agreementId });
      const { missions } = await ask(
        z.object({ missions: z.array(missionSchema) }),
        `/missions?${query.toString()}`,
      );
      return missions[0] ?? null;
    },
    reward: (id) => ask(rewardSchema, `/missions/${segment(id)}/reward`),
  };
}
