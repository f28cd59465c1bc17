import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Wallet } from "ethers";
import { type Caller, createApi } from "./api.ts";
import { API_KEY_PREFIX, sha256Of } from "./ids.ts";
import { type Boundary, Missions } from "./missions.ts";
import { ProblemError, problemOf } from "./problem.ts";
import { createProxy } from "./proxy.ts";
import { RateLimiter } from "./rate-limiter.ts";
import { createEscrowReader } from "./reward.ts";
import type { Settings } from "./settings.ts";
import type { Sync } from "./database.ts";
import { Store } from "./store.ts";
import { createUpstream } from "./upstream.ts";

const PRUNE_MILLISECONDS = 60_000;
const KEEP_ANSWERS_SECONDS = 86_400;
const MOST_CONNECTIONS = 2_000;

/** A recorder that listens. */
export interface Recorder {
  /** Where it listens. */
  readonly url: string;
  /** Lets what is under way end, for some seconds, and closes the database. */
  close(): Promise<void>;
}

/** What a recorder tells its surroundings. */
export interface Surroundings {
  /** Hears of errors that nobody expected. */
  readonly report?: (error: unknown) => void;
  /** Hears of every moment between which the process may die. */
  readonly at?: (boundary: Boundary) => void;
  /** Syncs the store's log to its disk; Node's `fdatasync` unless given. */
  readonly sync?: Sync;
}

/** Starts a recorder. */
export async function startRecorder(
  settings: Settings,
  wallet: Wallet,
  { report = () => undefined, at = () => undefined, sync }: Surroundings = {},
): Promise<Recorder> {
  const now = (): number => Math.floor(Date.now() / 1000);
  const store = new Store(settings.database, sync);
  const upstream = createUpstream(settings.upstream, settings.upstreamTimeoutMilliseconds);
  const missions = new Missions({ ...settings, store, wallet, now, at });
  const api = createApi({
    ...settings,
    store,
    missions,
    now,
    report,
    readEscrow: createEscrowReader(settings.rpcUrls),
    isUpstreamThere: () =>
      upstream.send({ method: "GET", target: "/", headers: [], body: new Uint8Array() }).then(
        (answer) => {
          answer.resume();
          return true;
        },
        () => false,
      ),
  });
  const proxy = createProxy({
    ...settings,
    store,
    missions,
    upstream,
    now,
    at,
    exchangeMilliseconds: settings.upstreamTimeoutMilliseconds,
  });
  const perAgent = new RateLimiter(settings.requestsPerSecond, () => performance.now());
  const onboarding = new RateLimiter(settings.onboardingsPerMinute / 60, () => performance.now());
  const isOwn = ownRoutes(settings.prefix);
  const callers = new WeakMap<IncomingMessage, Caller>();
  const listen = getRequestListener((request, bindings) =>
    api.fetch(request, callers.get(bindings.incoming as IncomingMessage) ?? { agentId: undefined }),
  );

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    const key = request.headers["x-api-key"];
    const agentId =
      typeof key === "string" && key.startsWith(API_KEY_PREFIX) ? store.agentOf(sha256Of(key)) : undefined;
    const address = request.socket.remoteAddress ?? "";
    const wait =
      path === `${settings.prefix}/onboard` ? onboarding.admit(address) : perAgent.admit(agentId ?? address);
    if (wait > 0) {
      throw new ProblemError("too_many_requests", "too many requests", `Ask again in ${wait} s.`, wait);
    }
    if (!isOwn(path)) return proxy(request, response, agentId);
    callers.set(request, { agentId });
    await listen(request, response);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      const isGone = request.destroyed && !request.complete;
      const problem = problemOf(error);
      if (problem.code === "internal" && !isGone && !response.destroyed) report(error);
      if (response.headersSent || response.destroyed) response.destroy();
      else response.writeHead(problem.status, problem.headers()).end(problem.body());
    });
  });
  server.maxConnections = MOST_CONNECTIONS;
  const pruning = setInterval(() => {
    store.prune(now(), KEEP_ANSWERS_SECONDS).catch(report);
  }, PRUNE_MILLISECONDS);
  pruning.unref();
  const url = await listening(server, settings);

  return {
    url,
    close: async () => {
      clearInterval(pruning);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), CLOSE_MILLISECONDS).unref();
      });
      upstream.close();
      store.close();
    },
  };
}

const CLOSE_MILLISECONDS = 5_000;

function ownRoutes(prefix: string): (path: string) => boolean {
  const own = new RegExp(
    `^(?:/livez|/readyz|${prefix.replaceAll(".", "\\.")}/(?:onboard|board|recorder|jobs/[^/]+/(?:offer|start)|missions|missions/[^/]+(?:/agreement|/reward)?))$`,
  );
  return (path) => own.test(path);
}

function listening(server: Server, { host, port }: Settings): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const { port: actual } = server.address() as AddressInfo;
      resolve(`http://${host.includes(":") ? `[${host}]` : host}:${actual}`);
    });
  });
}
