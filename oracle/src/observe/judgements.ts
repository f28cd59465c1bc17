/**
 * What measurements mean for readiness: pure, so that every threshold stands in one place.
 *
 * Degraded is worth a look; unhealthy takes the operator out of service. What only stops this operator from sending
 * (an empty account, silent peers) is never unhealthy: its documents and signatures are still wanted.
 */
import type { PeerState } from "../attest/peers.ts";
import type { ProviderState } from "../rpc/index.ts";
import type { HealthStatus } from "./health.ts";

/** A component's status, with the sentence that says why. */
export interface Judgement {
  readonly status: HealthStatus;
  readonly detail: string;
}

/** Seconds that this machine's clock may be away from a chain's before it is worth a word, and before it is wrong. */
const SKEW = { degraded: 30, unhealthy: 120 };
/** Deliveries that the balance has to pay for without a word. */
const FEW_DELIVERIES = 20;
/** Part of the document quota above which it is worth a word. */
const NEARLY_FULL = 0.9;

/** The chain's own clock is a fact that all operators share; GenLayer's status even depends on the local one. */
export function judgeClock(skew: Readonly<Record<string, number | null>>): Judgement {
  const known = Object.entries(skew).flatMap(([chain, seconds]) =>
    seconds === null ? [] : [{ chain, seconds }],
  );
  if (known.length === 0) return { status: "degraded", detail: "no chain has shown a fresh block yet" };
  const worst = known.reduce((one, other) => (Math.abs(other.seconds) > Math.abs(one.seconds) ? other : one));
  const away = Math.abs(worst.seconds);
  const status = away > SKEW.unhealthy ? "unhealthy" : away > SKEW.degraded ? "degraded" : "healthy";
  const direction = worst.seconds < 0 ? "behind" : "ahead of";
  return {
    status,
    detail: `this machine's clock is ${Math.round(away)} s ${direction} the blocks of ${worst.chain}`,
  };
}

export function judgeQuorum(threshold: number, members: number): Judgement {
  return threshold === 1
    ? {
        status: "degraded",
        detail: `ONE signature of ${members} is enough to pay: whoever has one key decides alone; for development chains only`,
      }
    : { status: "healthy", detail: `${threshold} of ${members} members decide` };
}

export function judgePeers(peers: readonly PeerState[], threshold: number): Judgement {
  const answering = peers.filter(({ status }) => status === "answers").length;
  const others = peers.filter(({ status }) => status !== "answers");
  const named = others.map(
    ({ origin, status }) => `${origin} ${status === "foreign" ? "is another operator" : "is silent"}`,
  );
  if (answering + 1 < threshold)
    return {
      status: "degraded",
      detail: `${answering + 1} of the ${threshold} operators that have to sign answer: nothing is paid meanwhile${list(named)}`,
    };
  return others.length === 0
    ? { status: "healthy", detail: `${answering} peers answer` }
    : { status: "degraded", detail: `${answering} of ${peers.length} peers answer${list(named)}` };
}

const list = (items: readonly string[]): string => (items.length === 0 ? "" : ` (${items.join(", ")})`);

export function judgeProviders(providers: readonly ProviderState[]): Judgement {
  const down = providers.filter(({ status }) => status !== "alive" && status !== "unknown");
  return down.length === 0
    ? { status: "healthy", detail: `${providers.length} endpoints answer` }
    : {
        status: "degraded",
        detail: down
          .map(({ chain, provider, status }) => `${chain} ${provider} is ${PROVIDER_WORDS[status]}`)
          .join(", "),
      };
}

const PROVIDER_WORDS: Readonly<Record<ProviderState["status"], string>> = {
  unknown: "not asked yet",
  alive: "up",
  unreachable: "unreachable",
  wrongChain: "of another chain",
  outOfSync: "out of sync",
  standingStill: "standing still",
};

/**
 * @param deliveriesLeft null when the price is unknown.
 * @param daysLeft how long the balance lasts at the rate of the last hours; null when it does not fall.
 */
export function judgeBalance(
  balance: bigint,
  deliveriesLeft: number | null,
  daysLeft: number | null,
): Judgement {
  const pays = deliveriesLeft === null ? "" : `, enough for about ${deliveriesLeft} deliveries`;
  const lasts =
    daysLeft === null
      ? ""
      : ` or ${daysLeft < 1 ? "less than a day" : `${Math.floor(daysLeft)} days`} at the rate of late`;
  const low =
    balance === 0n ||
    (deliveriesLeft ?? FEW_DELIVERIES) < FEW_DELIVERIES ||
    (daysLeft !== null && daysLeft < 3);
  return {
    status: low ? "degraded" : "healthy",
    detail: `the submitter holds ${balance} wei${pays}${lasts}`,
  };
}

export function judgeDocuments(bytes: number, quota: number): Judgement {
  const percent = Math.floor((100 * bytes) / quota);
  return {
    status: bytes >= quota * NEARLY_FULL ? "degraded" : "healthy",
    detail: `${bytes} bytes of documents, ${percent} % of the quota`,
  };
}

/** A balance at a time (wall clock, milliseconds). */
export interface BalanceSample {
  readonly at: number;
  readonly balance: bigint;
}

/**
 * Days that the balance lasts at the rate at which it fell between the samples, top-ups left out; null when it did not
 * fall, or the samples span less than an hour.
 */
export function daysLeft(samples: readonly BalanceSample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.at - first.at < 3_600_000) return null;
  let spent = 0n;
  for (const [index, sample] of samples.entries()) {
    const before = samples[index - 1];
    if (before !== undefined && sample.balance < before.balance) spent += before.balance - sample.balance;
  }
  if (spent === 0n) return null;
  const perDay = (Number(spent) * 86_400_000) / (last.at - first.at);
  return Number(last.balance) / perDay;
}
