import { MAX_STEPS, sequenceHash } from "@assay/protocol";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { objectOf, optionalHash, readPlace } from "./binding.ts";
import { newApiKey, newId, sha256Of } from "./ids.ts";
import type { Job } from "./job.ts";
import type { Mission } from "./mission.ts";
import type { Missions } from "./missions.ts";
import { ProblemError, problemOf } from "./problem.ts";
import { type EscrowReader, rewardView } from "./reward.ts";
import type { Store } from "./store.ts";
import { missionView, stepsView } from "./view.ts";

/** Most bytes of a request's body: an agreement, its terms, a signature. */
const MAX_REQUEST_BYTES = 256 * 1024;

/** What {@link createApi} needs. */
export interface ApiOptions {
  readonly store: Store;
  readonly missions: Missions;
  readonly jobs: readonly Job[];
  readonly prefix: string;
  readonly maxBodyBytes: number;
  readonly readEscrow: EscrowReader;
  readonly now: () => number;
  /** Whether the upstream answers. */
  readonly isUpstreamThere: () => Promise<boolean>;
  readonly report: (error: unknown) => void;
}

/** Who asks, as the server found out. */
export interface Caller {
  readonly agentId: string | undefined;
}

type App = Hono<{ Bindings: Caller }>;

/** The recorder's own routes. */
export function createApi(options: ApiOptions): App {
  const { store, missions, jobs, prefix, now } = options;
  const app: App = new Hono();
  const api = new Hono<{ Bindings: Caller }>();

  api.use(
    bodyLimit({
      maxSize: MAX_REQUEST_BYTES,
      onError: () => {
        throw new ProblemError(
          "too_large",
          `the body has more than ${MAX_REQUEST_BYTES} bytes`,
          "Send less.",
        );
      },
    }),
  );

  api.post("/onboard", async (context) => {
    objectOf(await jsonOf(context));
    const [agentId, key] = [newId("agent"), newApiKey()];
    await store.addAgent(agentId, sha256Of(key), now());
    return context.json({ api_key: key, agent_id: agentId }, 201);
  });

  api.get("/board", (context) => {
    const network = context.req.query("network");
    const shown = jobs.filter((job) => network === undefined || job.network === network);
    return context.json({ jobs: shown.map(jobView) });
  });

  api.get("/recorder", (context) =>
    context.json({
      recorder: missions.recorder,
      signs: "ExecutionTerminal(bytes32 agreementId,bytes32 committedRoot,bytes32 terminal)",
      domain: {
        name: "Assay Execution",
        version: "1",
        chainId: "the escrow's",
        verifyingContract: "the escrow",
      },
      limits: { steps: MAX_STEPS, body_bytes: options.maxBodyBytes },
    }),
  );

  api.post("/jobs/:id/offer", async (context) => {
    const { offer, commitment } = await missions.offer(context.req.param("id"), agentOf(context));
    return context.json(
      { offer_id: offer.id, recorder_commitment: commitment, expires_at: offer.expiresAt },
      201,
    );
  });

  api.post("/jobs/:id/start", async (context) => {
    const body = objectOf(await jsonOf(context));
    const offerId = body["offer_id"];
    if (offerId !== undefined && typeof offerId !== "string") {
      throw new ProblemError("invalid", "offer_id is no text", "Send the offer's id, or leave it out.");
    }
    const agentNonce = optionalHash(body["agent_nonce"], "agent_nonce");
    const mission = await missions.start(context.req.param("id"), agentOf(context), offerId, agentNonce);
    return context.json(await shown(mission), 201);
  });

  api.post("/missions", async (context) => {
    const mission = await missions.startFor(await jsonOf(context), agentOf(context));
    return context.json(await shown(mission), 201);
  });

  api.get("/missions", async (context) => {
    const mission = store.missionOf(readPlace((name) => context.req.query(name)));
    return context.json({ missions: mission === undefined ? [] : [await shown(mission)] });
  });

  api.get("/missions/:id", async (context) =>
    context.json(await shown(missions.mission(context.req.param("id")))),
  );

  api.post("/missions/:id/agreement", async (context) => {
    const mission = await missions.bind(context.req.param("id"), await jsonOf(context), agentOf(context));
    return context.json(await shown(mission));
  });

  api.get("/missions/:id/reward", async (context) => {
    const mission = await missions.signed(missions.mission(context.req.param("id")));
    await store.synced();
    const onChain = mission.binding === null ? null : await options.readEscrow(mission.binding);
    return context.json(rewardView(mission, missions.statusOf(mission), onChain));
  });

  app.get("/livez", (context) => context.json({ status: "alive" }));
  app.get("/readyz", async (context) => {
    if (!store.isAlive())
      throw new ProblemError("not_ready", "the database does not answer", "Look at the disk.");
    if (!(await options.isUpstreamThere())) {
      throw new ProblemError(
        "not_ready",
        "the upstream can't be reached",
        "Start it, or set RECORDER_UPSTREAM.",
      );
    }
    return context.json({ status: "ready" });
  });

  app.route(prefix, api);
  app.notFound(() => {
    throw new ProblemError("not_found", "the recorder has no such route", "See recorder/README.md.");
  });
  app.onError((error, context) => {
    const problem = problemOf(error);
    if (problem.code === "internal") options.report(error);
    return context.body(problem.body(), problem.status as ContentfulStatusCode, problem.headers());
  });
  return app;

  /** A mission with its signature; nothing is told that is not on disk. */
  async function shown(mission: Mission): Promise<Record<string, unknown>> {
    const told = view(await missions.signed(mission));
    await store.synced();
    return told;
  }

  function view(mission: Mission): Record<string, unknown> {
    return missionView(mission, store.records(mission.id), missions.statusOf(mission), missions.recorder);
  }
}

function jobView({ id, title, description, network, steps, reward }: Job): Record<string, unknown> {
  return {
    job_id: id,
    title,
    description,
    network,
    steps: stepsView(steps),
    sequence_hash: sequenceHash(steps),
    reward: reward ?? null,
  };
}

function agentOf({ env }: Context<{ Bindings: Caller }>): string {
  if (env.agentId !== undefined) return env.agentId;
  throw new ProblemError(
    "unauthenticated",
    "X-API-Key is missing or unknown",
    "Send the api_key that onboarding gave.",
  );
}

/** The body as JSON; an absent one is an empty object. */
async function jsonOf(context: Context): Promise<unknown> {
  const text = await context.req.text();
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ProblemError("invalid", "the body is no JSON", "Send a JSON object.");
  }
}
