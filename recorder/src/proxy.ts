import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { type Hex, requestHash, responseHash } from "@assay/protocol";
import { passedOn } from "./headers.ts";
import { API_KEY_PREFIX, sha256Of } from "./ids.ts";
import { type Mission, type Unstamped, partOf, reasonAgainst } from "./mission.ts";
import type { Boundary, Missions } from "./missions.ts";
import { ProblemError } from "./problem.ts";
import { spool } from "./spool.ts";
import type { Answer, Store, StoredRecord } from "./store.ts";
import { Turns } from "./turns.ts";
import type { Upstream } from "./upstream.ts";

const STAMP = "X-A2A-Mission-Step";
const UNSTAMPED = "X-A2A-Mission-Unstamped";
const REPLAYED = "X-A2A-Mission-Replayed";

/** What a recorded call has from the recorder itself. */
const HASHED_APART = ["accept-encoding", "content-length"] as const;
/** What a step that was committed to be called without credentials leaves behind. */
const CREDENTIALS = ["authorization", "cookie", "x-api-key"] as const;

/** What {@link createProxy} needs. */
export interface ProxyOptions {
  readonly store: Store;
  readonly missions: Missions;
  readonly upstream: Upstream;
  /** Most bytes of a request's or an answer's body that a step may have. */
  readonly maxBodyBytes: number;
  /** Milliseconds that a step's whole exchange with the upstream may take. */
  readonly exchangeMilliseconds: number;
  /** Unix seconds. */
  readonly now: () => number;
  readonly at: (boundary: Boundary) => void;
}

/** One request on its way. */
interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly target: string;
  readonly agentId: string | undefined;
}

/** Passes requests on to the upstream, and records those that are a mission's next step. */
export type Proxy = (
  request: IncomingMessage,
  response: ServerResponse,
  agentId: string | undefined,
) => Promise<void>;

export function createProxy(options: ProxyOptions): Proxy {
  const { store, missions, upstream, maxBodyBytes } = options;
  const turns = new Turns();

  return async (request, response, agentId) => {
    const call = { request, response, method: request.method ?? "", target: request.url ?? "", agentId };
    if (!call.target.startsWith("/")) {
      throw new ProblemError("invalid", "the target is no path", "Send the request in origin form.");
    }
    const missionId = headerOf(request, "x-a2a-mission");
    if (missionId === undefined) return passOn(call, undefined);
    if (agentId === undefined) return passOn(call, "unauthenticated");
    const mission = store.mission(missionId);
    if (mission?.agentId !== agentId) return passOn(call, "unknown_mission");
    const { isCurrent, mayRepeat } = partOf(mission, call.method, call.target, options.now());
    if (!isCurrent && !mayRepeat) return passOn(call, reasonOf(call, mission));
    const { bytes, isWhole } = await spool(request, maxBodyBytes);
    if (!isWhole) return passOn(call, "request_too_large", bytes);
    options.at("request-read");
    return turns.take(missionId, () => walk(call, missionId, bytes));
  };

  /** One call at a time for each mission: what was recorded meanwhile is known here. */
  async function walk(call: Call, missionId: string, body: Buffer): Promise<void> {
    const { method, target, response } = call;
    if (response.destroyed) return;
    const mission = missions.mission(missionId);
    const { isCurrent, mayRepeat } = partOf(mission, method, target, options.now());
    const hash = requestHash(method, target, sha256Of(body));
    const repeated = mayRepeat ? repeatedBy(call, mission, isCurrent, hash) : undefined;
    if (repeated !== undefined) {
      // A record whose sync failed can still be read, and is no more than that.
      await store.synced();
      replay(call, mission, repeated);
      return;
    }
    if (!isCurrent) return passOn(call, reasonOf(call, mission), body, true);
    return record(call, mission, body, hash);
  }

  function reasonOf({ method, target }: Call, mission: Mission): Unstamped {
    return reasonAgainst(mission, method, target, options.now());
  }

  /**
   * The recorded step that a call repeats: the last one, by the same bytes. When the same bytes could be the next step
   * too, a call is that, unless it says by its header which of the two it means.
   */
  function repeatedBy(
    { request }: Call,
    mission: Mission,
    isCurrent: boolean,
    hash: Hex,
  ): StoredRecord | undefined {
    const last = mission.position - 1;
    const meant = headerOf(request, STAMP.toLowerCase());
    if (meant === undefined ? isCurrent : meant !== `${last}`) return undefined;
    const stored = store.recordOf(mission.id, last);
    return stored?.requestHash === hash ? stored : undefined;
  }

  /** Gives a recorded answer again, byte for byte, without asking the upstream. */
  function replay({ response, method }: Call, mission: Mission, stored: StoredRecord): void {
    const answer = store.lastAnswer(mission.id);
    if (answer === undefined) {
      throw new ProblemError(
        "gone",
        `the answer of step ${stored.index} is no longer kept`,
        "Read the proof instead.",
      );
    }
    response.writeHead(answer.status, [...answer.headers, ...stampOf(mission, stored), REPLAYED, "true"]);
    response.end(method === "HEAD" ? undefined : answer.body);
  }

  async function record(call: Call, mission: Mission, body: Buffer, hash: Hex): Promise<void> {
    const { method, response } = call;
    const { incoming, answered } = await exchange(call, mission, body);
    const reason = reasonAgainstAnswer(incoming, answered?.isWhole ?? false);
    if (answered === undefined || reason !== undefined)
      return stream(call, incoming, reason, answered?.bytes);
    options.at("upstream-answered");
    const answer: Answer = {
      status: incoming.statusCode ?? 0,
      headers: headersOf(incoming, method, answered.bytes.length),
      body: answered.bytes,
    };
    const answerHash = responseHash(answer.status, sha256Of(answer.body));
    // On disk before it is said: a stamp that was sent is never taken back.
    const recorded = await missions.record(mission, hash, answerHash, answer);
    if (recorded.mission.position === mission.steps.length) await missions.signed(recorded.mission);
    // Not waited for: whoever asks next gets its turn, and a client that is gone gets its answer when it asks again.
    if (response.destroyed) return;
    response.writeHead(answer.status, [...answer.headers, ...stampOf(recorded.mission, recorded.record)]);
    response.end(method === "HEAD" ? undefined : answer.body, () => options.at("answer-sent"));
  }

  /** The upstream's answer to a step; its body too when it may be one that is recorded. */
  async function exchange(
    call: Call,
    mission: Mission,
    body: Buffer,
  ): Promise<{ incoming: IncomingMessage; answered: { bytes: Buffer; isWhole: boolean } | undefined }> {
    const { request, method, target } = call;
    const isAuthenticated = mission.steps[mission.position]?.auth === true;
    const headers = isAuthenticated
      ? requestHeaders(call, HASHED_APART)
      : requestHeaders({ ...call, agentId: undefined }, [...HASHED_APART, ...CREDENTIALS]);
    // What the client reads is then what was hashed.
    headers.push("Accept-Encoding", "identity");
    if (body.length > 0 || headerOf(request, "content-length") !== undefined) {
      headers.push("Content-Length", `${body.length}`);
    }
    if (headerOf(request, "idempotency-key") === undefined && !["GET", "HEAD"].includes(method)) {
      // The same for every repetition of this step, so that an upstream that knows the header acts once.
      headers.push("Idempotency-Key", `${mission.id}-${mission.position}`);
    }
    const incoming = await upstream.send({ method, target, headers, body });
    if (reasonAgainstAnswer(incoming, true) !== undefined) return { incoming, answered: undefined };
    const timer = setTimeout(() => incoming.destroy(new Error("timeout")), options.exchangeMilliseconds);
    try {
      return { incoming, answered: await spool(incoming, maxBodyBytes) };
    } catch (error) {
      const isLate = error instanceof Error && error.message === "timeout";
      throw isLate
        ? new ProblemError("upstream_timeout", "the answer took too long", "Try again; nothing was recorded.")
        : new ProblemError(
            "upstream_unreachable",
            "the answer broke off",
            "Try again; nothing was recorded.",
          );
    } finally {
      clearTimeout(timer);
    }
  }

  /** Passes a request on without recording it. */
  async function passOn(
    call: Call,
    reason: Unstamped | undefined,
    known: Buffer = Buffer.alloc(0),
    isWhole = false,
  ): Promise<void> {
    const { request, method, target } = call;
    const isChunked = request.headers["transfer-encoding"] !== undefined;
    const hasBody = isChunked || headerOf(request, "content-length") !== undefined;
    const headers = requestHeaders(call, []);
    if (isChunked)
      headers.push(...(isWhole ? ["Content-Length", `${known.length}`] : ["Transfer-Encoding", "chunked"]));
    const rest = hasBody && !isWhole ? { rest: request } : {};
    const incoming = await upstream.send({ method, target, headers, body: known, ...rest });
    return stream(call, incoming, reason);
  }
}

async function stream(
  { response, method }: Call,
  incoming: IncomingMessage,
  reason: Unstamped | undefined,
  known?: Buffer,
): Promise<void> {
  const said = reason === undefined ? [] : [UNSTAMPED, reason];
  response.writeHead(incoming.statusCode ?? 502, [...passedOn(incoming.rawHeaders), ...said]);
  if (known !== undefined) response.write(known);
  if (method === "HEAD") {
    incoming.resume();
    response.end();
    return;
  }
  await pipeline(incoming, response);
}

/** Why an answer is not recorded. */
function reasonAgainstAnswer(incoming: IncomingMessage, isWhole: boolean): Unstamped | undefined {
  const status = incoming.statusCode ?? 0;
  if (status < 200 || status > 299) return "status";
  if (/^text\/event-stream\b/i.test(incoming.headers["content-type"] ?? "")) return "streaming";
  return isWhole ? undefined : "answer_too_large";
}

function requestHeaders({ request, agentId }: Call, without: readonly string[]): string[] {
  const key = headerOf(request, "x-api-key");
  const isOwnKey = key?.startsWith(API_KEY_PREFIX) ?? false;
  const left = ["host", "x-forwarded-for", ...(isOwnKey ? ["x-api-key"] : []), ...without];
  const headers = passedOn(request.rawHeaders, left);
  const forwarded = [headerOf(request, "x-forwarded-for"), request.socket.remoteAddress];
  headers.push("X-Forwarded-For", forwarded.filter((item) => item !== undefined).join(", "));
  if (agentId !== undefined) headers.push("X-A2A-Agent", agentId);
  return headers;
}

/** Headers of an answer that was read whole. */
function headersOf(incoming: IncomingMessage, method: string, length: number): string[] {
  if (method === "HEAD") return passedOn(incoming.rawHeaders);
  return [...passedOn(incoming.rawHeaders, ["content-length"]), "Content-Length", `${length}`];
}

function stampOf(mission: Mission, { index, chain }: StoredRecord): string[] {
  const isLast = index === mission.steps.length - 1;
  const stamp = {
    step_index: index,
    chain_hash: chain,
    mission_status: isLast ? "completed" : "in_progress",
  };
  return [STAMP, JSON.stringify(stamp)];
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
