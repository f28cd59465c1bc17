import { RpcResponseError, RpcUnavailableError } from "./errors.ts";
import type { JsonRpc } from "./json-rpc.ts";
import type {
  CallOutcome,
  ObserveCall,
  ProviderChain,
  ProviderState,
  ProviderStatus,
} from "./provider-state.ts";
import { isRateLimit } from "./send-error.ts";
import { createTokenBucket, type TokenBucket } from "./token-bucket.ts";

/** Failures in a row after which an endpoint is left alone for a while. */
const MAX_FAILURES = 5;
/** Milliseconds that it is left alone, doubled with every probe that fails. */
const REST = { shortest: 2_000, longest: 60_000 };
/** Milliseconds to go without an endpoint that says "too many" and not for how long, doubled each time. */
const LIMITED = { shortest: 250, longest: 10_000 };
/** A call that would have to wait longer than this for its token fails instead, in milliseconds. */
const LONGEST_WAIT = 15_000;
/** Milliseconds without a new block after which an endpoint is said to stand still. */
const STANDING_STILL = 120_000;

/** Calls per second by the beginning of the method's name; the longest that fits counts. */
export type RateLimits = Readonly<Record<string, number>>;

/** One endpoint with a memory: how fast it may be asked, whether it is up, which chain it is of. */
export interface Provider extends JsonRpc {
  state(): ProviderState;
  /** What other libraries ask the same endpoint, under the same limits and the same watch. */
  run<T>(method: string, work: () => Promise<T>): Promise<T>;
  /** The highest block that any fellow announced: a provider that trails it far is out of sync. */
  compareWith(highest: number): void;
}

/** Blocks by which an endpoint may trail its fellows. */
const MAX_TRAIL = 10;

/**
 * Wraps an endpoint. A failing one is left alone for longer and longer (and its calls fail at once), one that limits
 * is asked more slowly and not before the time that it names, and one of another chain is asked for nothing but its
 * chain id.
 */
export function createProvider(
  rpc: JsonRpc,
  options: {
    readonly chain: ProviderChain;
    readonly chainId: number;
    readonly limits?: RateLimits;
    readonly observe?: ObserveCall | undefined;
    /** Wall clock, milliseconds, for what is shown. */
    readonly now?: () => number;
    /** A clock that never goes back, in milliseconds, for pauses and durations. */
    readonly monotonic?: () => number;
  },
): Provider {
  const { chain, chainId, limits = {}, observe = () => undefined } = options;
  const now = options.now ?? (() => Date.now());
  const monotonic = options.monotonic ?? (() => performance.now());
  const buckets = new Map<string, TokenBucket>(
    Object.entries(limits).map(([prefix, perSecond]) => [prefix, createTokenBucket(perSecond, monotonic)]),
  );
  const anyMethod = createTokenBucket(null, monotonic);

  let wrongChain = false;
  let failures = 0;
  let limited = 0;
  /** Monotonic time before which nothing is asked, and why. */
  let restUntil = 0;
  let pausedUntil = 0;
  let probing = false;
  let height: number | null = null;
  let heightSince = monotonic();
  let trails = false;
  let asked = false;

  function bucketOf(method: string): TokenBucket {
    const fitting = [...buckets.keys()].filter((prefix) => method.startsWith(prefix));
    const longest = fitting.sort((one, other) => other.length - one.length)[0];
    return (longest === undefined ? undefined : buckets.get(longest)) ?? anyMethod;
  }

  /** @throws RpcUnavailableError when the endpoint should not be asked now. */
  function admit(method: string): void {
    const at = monotonic();
    if (wrongChain && method !== "eth_chainId")
      throw new RpcUnavailableError(rpc.origin, method, "is left alone: it answers for another chain");
    if (at < pausedUntil)
      throw new RpcUnavailableError(
        rpc.origin,
        method,
        "is left alone, as it asked",
        Math.ceil(pausedUntil - at),
      );
    if (failures < MAX_FAILURES) return;
    // One call at a time finds out whether it is back.
    if (at < restUntil || probing)
      throw new RpcUnavailableError(rpc.origin, method, `is left alone after ${failures} failures`);
  }

  async function run<T>(method: string, work: () => Promise<T>): Promise<T> {
    admit(method);
    const bucket = bucketOf(method);
    const wait = bucket.take();
    if (wait > LONGEST_WAIT)
      throw new RpcUnavailableError(rpc.origin, method, "is asked too much already", wait);
    const isProbe = failures >= MAX_FAILURES;
    if (isProbe) probing = true;
    try {
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      const from = monotonic();
      const told = (outcome: CallOutcome) => {
        observe({ chain, provider: rpc.origin, method, outcome, seconds: (monotonic() - from) / 1_000 });
      };
      try {
        const result = await work();
        asked = true;
        failures = 0;
        limited = 0;
        bucket.faster();
        told("answered");
        return result;
      } catch (error) {
        asked = true;
        told(failed(method, error, bucket));
        throw error;
      }
    } finally {
      if (isProbe) probing = false;
    }
  }

  /** Takes a failure into account. */
  function failed(method: string, error: unknown, bucket: TokenBucket): CallOutcome {
    const retryAfter = error instanceof RpcUnavailableError ? error.retryAfter : null;
    if (isRateLimit(error)) {
      const pause = retryAfter ?? Math.min(LIMITED.longest, LIMITED.shortest * 2 ** limited);
      limited++;
      pausedUntil = Math.max(pausedUntil, monotonic() + pause);
      bucket.slower();
      return "limited";
    }
    if (error instanceof RpcResponseError) {
      failures = 0;
      return "refused";
    }
    failures++;
    if (failures >= MAX_FAILURES)
      restUntil =
        monotonic() + Math.min(REST.longest, REST.shortest * 2 ** Math.min(failures - MAX_FAILURES, 10));
    return "failed";
  }

  function status(): ProviderStatus {
    if (wrongChain) return "wrongChain";
    if (failures >= MAX_FAILURES) return "unreachable";
    if (trails) return "outOfSync";
    if (height !== null && monotonic() - heightSince > STANDING_STILL) return "standingStill";
    return asked ? "alive" : "unknown";
  }

  return {
    origin: rpc.origin,
    run,
    async send(method, parameters) {
      const result = await run(method, () => rpc.send(method, parameters));
      if (method === "eth_chainId") wrongChain = Number(result) !== chainId;
      if (method === "eth_getBlockByNumber" && parameters[0] === "latest") {
        const found = heightOf(result);
        if (found !== null && found !== height) {
          height = found;
          heightSince = monotonic();
        }
      }
      return result;
    },
    compareWith(highest) {
      trails = height !== null && highest - height > MAX_TRAIL;
    },
    state: () => ({
      chain,
      provider: rpc.origin,
      status: status(),
      height,
      failures,
      pausedUntil: pausedUntil > monotonic() ? now() + Math.ceil(pausedUntil - monotonic()) : null,
    }),
  };
}

/** Height of a block as a node describes it; null when it is none. */
export function heightOf(block: unknown): number | null {
  if (typeof block !== "object" || block === null || !("number" in block)) return null;
  const height = Number(block.number);
  return Number.isSafeInteger(height) && height >= 0 ? height : null;
}
