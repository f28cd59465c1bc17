import { Hono, type Context } from "hono";
import { cors } from "hono/cors";
import { isHash, toHash, type Hex, type Verdict } from "@assay/protocol";
import type { OperatorList } from "../attest/index.ts";
import type { OperatorConfig } from "../config/index.ts";
import { DocumentRefusedError, LARGEST_DOCUMENT, tooLarge, type Documents } from "../documents/index.ts";
import type { ChainView } from "../ingest/index.ts";
import type { Clock, Health, Logger } from "../observe/index.ts";
import { readBounded } from "../rpc/index.ts";
import type { Store } from "../store/index.ts";
import { badRequest, notFound, problemResponse, refusedDocument } from "./problem.ts";
import { agreementSummary, agreementView } from "./views.ts";

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 200;
/** What is named by its content, or signed once, never changes. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/** The operator's HTTP API. Reads are public; the only write takes documents that hash to their name. */
export function createApp(options: {
  readonly config: OperatorConfig;
  readonly operators: OperatorList;
  readonly store: Store;
  readonly documents: Documents;
  readonly health: Health;
  readonly clock: Clock;
  readonly logger: Logger;
  view(): ChainView | null;
  haltReason(): string | null;
}): Hono {
  const { config, store, documents, health, clock, logger } = options;
  const app = new Hono();

  app.use("/v1/*", cors({ origin: "*", allowMethods: ["GET", "HEAD", "PUT"], exposeHeaders: ["etag"] }));
  app.use(async (context, next) => {
    await next();
    context.header("x-content-type-options", "nosniff");
  });

  app.onError((error, context) => {
    logger.error({ method: context.req.method, path: context.req.path, error }, "Request failed");
    return problemResponse(context, {
      status: 500,
      code: "internal",
      title: "The operator failed",
      detail: "The request could not be completed.",
      hint: "Try again; if it persists, tell the operator.",
    });
  });
  app.notFound((context) => problemResponse(context, notFound("no such resource", "See /v1/operator.")));

  app.put("/v1/documents/:hash", async (context) => {
    const hash = hashParameter(context);
    if (hash === null) return problemResponse(context, malformedHash(context.req.param("hash")));
    try {
      const bytes = await readBody(context.req.raw, LARGEST_DOCUMENT);
      const added = await documents.put(hash, bytes);
      return context.json({ hash, bytes: bytes.length }, added ? 201 : 200);
    } catch (error) {
      if (error instanceof DocumentRefusedError) return problemResponse(context, refusedDocument(error));
      throw error;
    }
  });

  app.get("/v1/documents/:hash", async (context) => {
    const hash = hashParameter(context);
    if (hash === null) return problemResponse(context, malformedHash(context.req.param("hash")));
    const bytes = await documents.get(hash);
    if (bytes === null)
      return problemResponse(
        context,
        notFound(
          `this operator does not hold document ${hash}`,
          "Ask another operator, or PUT the document here.",
        ),
      );
    return immutable(context, hash, () =>
      context.body(new Uint8Array(bytes), 200, { "content-type": "application/json" }),
    );
  });

  app.get("/v1/agreements", async (context) => {
    const limit = Number(context.req.query("limit") ?? PAGE_SIZE);
    const cursor = context.req.query("cursor") ?? null;
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_SIZE)
      return problemResponse(
        context,
        badRequest(
          "bad_limit",
          `limit must be an integer from 1 to ${MAX_PAGE_SIZE}`,
          "Leave it out for the default.",
        ),
      );
    if (cursor !== null && !/^\d{1,15}$/.test(cursor))
      return problemResponse(
        context,
        badRequest(
          "bad_cursor",
          "the cursor is not one of this listing's",
          "Use the cursor of the page before.",
        ),
      );
    const page = await store.agreements({ limit, cursor });
    const agreements = await Promise.all(page.items.map((agreement) => agreementSummary(store, agreement)));
    return context.json({ agreements, cursor: page.cursor });
  });

  app.get("/v1/agreements/:id", async (context) => {
    const id = context.req.param("id").toLowerCase();
    const agreement = isHash(id) ? await store.agreement(id) : null;
    if (agreement === null)
      return problemResponse(
        context,
        notFound(
          "this operator has not seen such an agreement",
          "Give the 32-byte agreement id; wait for its block.",
        ),
      );
    return context.json(await agreementView(store, agreement));
  });

  app.get("/v1/attestations/:agreementId", async (context) => {
    const id = context.req.param("agreementId").toLowerCase();
    const rows = isHash(id) ? await store.submissionsOf(id) : [];
    for (const { state } of rows.toReversed()) {
      const key = { agreementId: state.agreementId, submissionHash: state.submissionHash };
      const signed = await store.signed(config.evm.escrow, key);
      if (signed === null) continue;
      return immutable(context, signed.digest, () =>
        context.json({
          ...key,
          operator: signed.operator,
          digest: signed.digest,
          signature: signed.signature,
          verdict: JSON.parse(signed.verdict) as Verdict,
          record: JSON.parse(signed.record) as unknown,
          quorum: {
            chainId: config.evm.chainId,
            address: config.evm.quorum,
            members: config.members.addresses,
            threshold: config.members.threshold,
          },
        }),
      );
    }
    return problemResponse(
      context,
      notFound("this operator has signed nothing about that agreement", "Wait until the verdict is final."),
    );
  });

  app.get("/v1/operators", (context) => context.json(options.operators));

  app.get("/v1/operator", (context) => {
    const view = options.view();
    return context.json({
      attester: config.keys.attester.address,
      relayer: config.keys.relayer.address,
      submitter: config.keys.submitter.address,
      evm: {
        chainId: config.evm.chainId,
        escrow: config.evm.escrow,
        quorum: config.evm.quorum,
        finality: config.evm.finality,
        read: view,
      },
      genLayer: {
        network: config.genLayer.network.name,
        chainId: config.genLayer.network.chainId,
        consensusMain: config.genLayer.network.consensusMain,
        simulated: config.genLayer.network.simulated,
      },
      quorum: {
        members: config.members.addresses,
        threshold: config.members.threshold,
        adjudicatorConfig: config.members.configHash,
      },
      documents: {
        /** Null: half of what is left until the end of the adjudication window. Never more than that. */
        windowSeconds: config.documents.windowSeconds,
        largestBytes: LARGEST_DOCUMENT,
      },
      halted: options.haltReason(),
    });
  });

  app.get("/livez", async (context) => {
    try {
      await store.setMeta("livez", String(clock.now()));
      return context.json({ alive: true });
    } catch (error) {
      logger.error({ error }, "The database takes no write");
      return context.json({ alive: false }, 503);
    }
  });

  app.get("/readyz", async (context) => {
    const ready = health.ready();
    return context.json(
      {
        ready,
        components: health.components(),
        read: options.view(),
        submissions: Object.fromEntries(await store.countByState()),
      },
      ready ? 200 : 503,
    );
  });

  return app;
}

function hashParameter(context: Context): Hex | null {
  try {
    return toHash(context.req.param("hash") ?? "");
  } catch {
    return null;
  }
}

function malformedHash(given: string) {
  return badRequest(
    "malformed_hash",
    `"${given.slice(0, 80)}" is not a SHA-256`,
    "Write 0x and the 64 hexadecimal digits of the document's SHA-256.",
  );
}

/** Answers 304 when the caller has it already. */
function immutable(context: Context, tag: string, respond: () => Response): Response {
  const etag = `"${tag}"`;
  context.header("etag", etag);
  context.header("cache-control", IMMUTABLE);
  return context.req.header("if-none-match") === etag ? context.body(null, 304) : respond();
}

async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
  const bytes = await readBounded(request, limit);
  if (bytes === null) throw tooLarge(limit);
  return bytes;
}
