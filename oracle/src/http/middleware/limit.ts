import type { MiddlewareHandler } from "hono";
import { ProblemError, problemResponse } from "../problem.ts";
import type { RateLimiter } from "../rate-limit.ts";
import { clientOf } from "./client.ts";

/** Tokens of a request that makes the operator compute, ask its endpoint, or store something. */
const HEAVY = 5;
/** What the operator's own supervision asks for must not fail because others ask too much. */
const SUPERVISION: readonly string[] = ["/livez", "/readyz", "/metrics"];

/** Requests that are answered at the same time: more would only wait for each other, and be answered late. */
export const MOST_AT_ONCE = 64;
/** Seconds after which who found no room may ask again. */
const NO_ROOM_SECONDS = 1;

/** Turns away who asks too much, before anything else is done for the request. */
export function limitRate(limiter: RateLimiter, proxies: number): MiddlewareHandler {
  let underWay = 0;
  return async (context, next) => {
    const { method, path } = context.req;
    const cost = method === "GET" || method === "HEAD" || method === "OPTIONS" ? 1 : HEAVY;
    const isShared = !SUPERVISION.includes(path);
    const admitted = limiter.admit(clientOf(context, proxies), cost, isShared);
    const seconds = admitted === 0 && isShared && underWay >= MOST_AT_ONCE ? NO_ROOM_SECONDS : admitted;
    if (seconds === 0) {
      if (!isShared) return next();
      underWay++;
      try {
        await next();
      } finally {
        underWay--;
      }
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
