import { type Answer, type RawRequest, send } from "./send.ts";

/** What a stamp says. */
export interface Stamp {
  readonly step_index: number;
  readonly chain_hash: string;
  readonly mission_status: string;
}

/** A mission as the recorder shows it. */
export interface MissionView {
  readonly mission_id: string;
  readonly status: string;
  readonly nonce: string;
  readonly nonce_origin: {
    readonly recorder_nonce?: string;
    readonly recorder_commitment?: string;
    readonly agent_nonce?: string;
    readonly agreement?: string;
  };
  readonly committed_root: string;
  readonly current_chain_hash: string;
  readonly steps: readonly { index: number; method: string; path_template: string; auth: boolean }[];
  readonly attestations: readonly {
    step_index: number;
    request_hash: string;
    response_hash: string;
    attestation_hash: string;
    chain_hash: string;
  }[];
  readonly next_request: { index: number; method: string; path_template: string } | null;
  readonly agreement: unknown;
  readonly recorder: string;
  readonly terminal: string | null;
  readonly signature: string | null;
}

/** An agent that talks to a recorder. */
export class Walker {
  readonly url: string;
  readonly key: string;
  readonly agentId: string;

  constructor(url: string, key: string, agentId: string) {
    this.url = url;
    this.key = key;
    this.agentId = agentId;
  }

  /** Onboards a new agent. */
  static async onboard(url: string): Promise<Walker> {
    const answer = await send(url, { method: "POST", target: "/api/v1/onboard" });
    const { api_key: key, agent_id: id } = JSON.parse(answer.body) as { api_key: string; agent_id: string };
    return new Walker(url, key, id);
  }

  /** The same agent at another address. */
  at(url: string): Walker {
    return new Walker(url, this.key, this.agentId);
  }

  /** Calls a route of the recorder. */
  async api(
    method: string,
    route: string,
    body?: unknown,
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const answer = await send(this.url, {
      method,
      target: `/api/v1${route}`,
      headers: { "x-api-key": this.key },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: JSON.parse(answer.body) as Record<string, unknown> };
  }

  async start(job = "tour", body: unknown = {}): Promise<MissionView> {
    return (await this.api("POST", `/jobs/${job}/start`, body)).body as unknown as MissionView;
  }

  async mission(id: string): Promise<MissionView> {
    return (await this.api("GET", `/missions/${id}`)).body as unknown as MissionView;
  }

  /** Makes a call under a mission. */
  call(missionId: string, request: RawRequest): Promise<Answer> {
    const headers = { "x-api-key": this.key, "x-a2a-mission": missionId, ...request.headers };
    return send(this.url, { ...request, headers });
  }
}

/** The stamp on an answer, if there is one. */
export function stampOn(answer: Answer): Stamp | undefined {
  const text = answer.headers["x-a2a-mission-step"];
  return text === undefined ? undefined : (JSON.parse(text) as Stamp);
}

/** Why an answer has none. */
export function reasonOn(answer: Answer): string | undefined {
  return answer.headers["x-a2a-mission-unstamped"];
}
