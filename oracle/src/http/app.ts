import { OpenAPIHono } from "@hono/zod-openapi";
import type { Hono } from "hono";
import { cors } from "hono/cors";
import { invalidRequest, type Answers } from "../answers/index.ts";
import type { OperatorList } from "../attest/index.ts";
import type { OperatorConfig } from "../config/index.ts";
import type { Documents } from "../documents/index.ts";
import type { ChainView } from "../ingest/index.ts";
import type { Clock, Logger } from "../observe/index.ts";
import type { Store } from "../store/index.ts";
import { securityHeaders } from "./middleware/headers.ts";
import { limitRate } from "./middleware/limit.ts";
import { API_VERSION, ROUTES, openApiDocument } from "./openapi.ts";
import { ProblemError, notFound, problemOf, problemResponse } from "./problem.ts";
import { createRateLimiter } from "./rate-limit.ts";
import { serveAgreements } from "./routes/agreements.ts";
import { serveConventions } from "./routes/conventions.ts";
import { serveDocuments } from "./routes/documents.ts";
import { servePreparations } from "./routes/prepare.ts";
import { serveService } from "./routes/service.ts";
import { serveVerdicts } from "./routes/verdicts.ts";

/** The operator's HTTP API. Reads are public; the only write takes documents that hash to their name. */
export function createApp(options: {
  readonly config: OperatorConfig;
  readonly operators: OperatorList;
  readonly answers: Answers;
  readonly store: Store;
  readonly documents: Documents;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What those ask for who run the operator. */
  readonly operations: Hono;
  /** Answers MCP over Streamable HTTP at /mcp; null where that is not served. */
  readonly mcp: ((request: Request) => Promise<Response>) | null;
  /** Where others reach this operator, without a slash at the end. */
  publicUrl(): string;
  /** Milliseconds by which the event loop is late. */
  readonly lateness: () => number;
  view(): ChainView | null;
  haltReason(): string | null;
}): OpenAPIHono {
  const { config, logger } = options;
  const app = new OpenAPIHono({
    defaultHook: (result) => {
      if (!result.success) throw invalidRequest(result.error);
    },
  });

  const now = () => performance.now();
  app.use(securityHeaders());
  app.use(limitRate(createRateLimiter(config.http.rates, now, options.lateness), config.http.trustedProxies));
  // Reads are for every page. So is handing in a document: it needs no credential, and its name fixes its content.
  const crossOrigin = cors({ origin: "*", allowMethods: ["GET", "HEAD", "PUT"], exposeHeaders: ["etag"] });
  app.use("/v1/*", crossOrigin);
  app.use("/openapi.json", crossOrigin);
  app.use("/.well-known/*", crossOrigin);

  app.onError((error, context) => {
    const problem = problemOf(error);
    if (problem !== null) return problemResponse(context, problem);
    logger.error({ method: context.req.method, path: context.req.path, error }, "Request failed");
    return problemResponse(
      context,
      new ProblemError(
        "internal",
        "The request could not be completed.",
        "Try again; if it persists, tell the operator.",
      ),
    );
  });
  app.notFound((context) => {
    const allowed = methodsOf(context.req.path);
    const problem =
      allowed.length === 0
        ? notFound("No such resource.", "See /openapi.json for what there is.")
        : new ProblemError(
            "method_not_allowed",
            `${context.req.method} is not a method of this resource.`,
            `Use ${allowed.join(" or ")}.`,
            {
              headers: { allow: allowed.join(", ") },
            },
          );
    return problemResponse(context, problem);
  });

  serveDocuments(app, options);
  serveAgreements(app, options);
  serveVerdicts(app, options);
  servePreparations(app, options);
  serveService(app, options);
  serveConventions(app, options, API_VERSION);

  const description = openApiDocument();
  app.get("/openapi.json", (context) => context.json(description));

  const { mcp } = options;
  if (mcp !== null) app.all("/mcp", (context) => mcp(context.req.raw));

  app.route("/", options.operations);

  return app;
}

/** Methods of the routes that a path fits. */
function methodsOf(path: string): string[] {
  const fits = (template: string): boolean => {
    const parts = template.split("/");
    const given = path.split("/");
    return (
      parts.length === given.length &&
      parts.every((part, index) => part.startsWith("{") || part === given[index])
    );
  };
  return ROUTES.filter((route) => fits(route.path)).map(({ method }) => method.toUpperCase());
}
