import type { MiddlewareHandler } from "hono";
import { ProblemError, problemResponse } from "../problem.ts";
import type { RateLimiter } from "../rate-limit.ts";
import { clientOf } from "./client.ts";

/** Tokens of a request that makes the operator compute, ask its endpoint, or store something. */
const HEAVY = 5;
/** What the operator's own supervision asks for must not fail because others ask too much. */
const SUPERVISION: readonly string[] = ["/livez", "/readyz", "/metrics"];

/** Turns away who asks too much, before anything else is done for the request. */
export function limitRate(limiter: RateLimiter, proxies: number): MiddlewareHandler {
  return async (context, next) => {
    const { method, path } = context.req;
    const cost = method === "GET" || method === "HEAD" || method === "OPTIONS" ? 1 : HEAVY;
    const seconds = limiter.admit(clientOf(context, proxies), cost, !SUPERVISION.includes(path));
    if (seconds === 0) {
      await next();
      return;
    }
    return problemResponse(
      context,
      new ProblemError(
        "rate_limited",
        "You, or all clients together, ask more than this operator answers.",
        `Wait ${seconds} s, then ask again; cache what is immutable.`,
        { headers: { "retry-after": String(seconds) } },
      ),
    );
  };
}
