import type { Context, MiddlewareHandler } from "hono";
import { sha256, utf8Encode, type Hex } from "@assay/protocol";
import type { Clock } from "../../observe/index.ts";
import type { RememberedAnswer, Store } from "../../store/index.ts";
import { ProblemError } from "../problem.ts";

/** How long an answer is remembered, in milliseconds. */
const LIFETIME = 24 * 3_600_000;
/** Answers that are remembered; strangers can make the operator keep no more. */
const MOST_ANSWERS = 10_000;
/** Longest body that is kept word for word. A longer one is computed again. */
const LONGEST_BODY = 65_536;
/** Stands for an answer that is computed again. */
const RECOMPUTE = 0;

const KEY = /^[\x21-\x7e]{16,128}$/;

/**
 * Honours `Idempotency-Key`: the same key with the same body gets the same answer, with another body a refusal.
 * Goes after whatever has read and bounded the body.
 */
export function idempotent(store: Store, clock: Clock): MiddlewareHandler {
  /** Keys whose first request is being answered. */
  const underWay = new Map<string, Promise<undefined>>();
  return async (context, next) => {
    const given = context.req.header("idempotency-key");
    if (given === undefined) {
      await next();
      return;
    }
    if (!KEY.test(given))
      throw new ProblemError(
        "idempotency_key_malformed",
        "The Idempotency-Key is not 16 to 128 visible ASCII characters.",
        "Use a random one, such as a UUID, for each request that you mean.",
      );
    const key = `${context.req.method} ${context.req.path} ${given}`;
    const requestHash = sha256(utf8Encode(await context.req.text()));
    await underWay.get(key);
    const known = await store.rememberedAnswer(key, clock.now());
    if (known !== null && known.requestHash !== requestHash) throw reused();
    if (known !== null && known.status !== RECOMPUTE) return replay(known);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    underWay.set(key, promise);
    try {
      await next();
      await remember(context, key, requestHash);
    } finally {
      underWay.delete(key);
      resolve(undefined);
    }
  };

  async function remember(context: Context, key: string, requestHash: Hex): Promise<void> {
    const { status } = context.res;
    if (status >= 500 || context.error !== undefined) return;
    const body = await context.res.clone().text();
    const now = clock.now();
    const isShort = body.length <= LONGEST_BODY;
    await store.rememberAnswer(
      {
        ...{ key, requestHash, expiresAt: now + LIFETIME },
        status: isShort ? status : RECOMPUTE,
        body: isShort ? body : "",
      },
      now,
      MOST_ANSWERS,
    );
  }
}

function replay({ status, body }: RememberedAnswer): Response {
  return new Response(body, {
    status,
    headers: { "content-type": "application/json", "idempotency-replayed": "true" },
  });
}

function reused(): ProblemError {
  return new ProblemError(
    "idempotency_key_reused",
    "This Idempotency-Key was used with another body.",
    "Use a new key for another request; the same key only to repeat one.",
  );
}
