import { rm } from "node:fs/promises";
import { copyOf } from "./copy.ts";
import { percentile, waitUntil } from "./measure.ts";
import { createBench, deals, onChain, storeDocuments, type Bench } from "./world.ts";
import { BLOCKS_PER_AGREEMENT } from "./catch-up.ts";

/**
 * Throughput: short blocks, and as many transactions of one key under way as the mocks take, since it is the service that
 * is measured and not how few a node keeps of one account.
 */
const BUSY = {
  blockMilliseconds: 50,
  pollMilliseconds: 100,
  finalAfter: () => 300,
  settings: { ASSAY_MAX_IN_FLIGHT: "256" },
};
/** Latency: blocks of an L2, the operator's own default of 2 s between looks, verdicts final within 4 to 9 s. */
const CALM = {
  blockMilliseconds: 2_000,
  pollMilliseconds: 2_000,
  finalAfter: () => 4_000 + Math.random() * 5_000,
};

/** A database with that many open agreements, and its chain. */
export interface Ground {
  readonly dataDir: string;
  readonly open: number;
}

export interface Throughput {
  readonly agreementsPerSecond: number;
  readonly agreementsPerCpuSecond: number;
  readonly settled: number;
}

/** Agreements that pass before any is counted: the first few hundred wait for the compiler. */
const WARM_UP = 300;

/** Puts many submissions on the chain at once, and measures how fast they are judged, signed and settled. */
export async function measureThroughput(
  ground: Ground,
  count: number,
  limitSeconds: number,
): Promise<Throughput> {
  return withOperator(ground, WARM_UP + count, { ...BUSY, perBlock: 100 }, async (bench) => {
    await bench.submit(WARM_UP);
    await waitUntil(async () => (await bench.chain.settled()).length >= WARM_UP, limitSeconds);
    const began = Date.now();
    const cpu = process.cpuUsage();
    await bench.submit(count);
    await waitUntil(async () => (await bench.chain.settled()).length >= WARM_UP + count, limitSeconds);
    const { user, system } = process.cpuUsage(cpu);
    const settled = (await bench.chain.settled()).slice(WARM_UP);
    const seconds = Math.max(1, (settled.at(-1)?.[1] ?? began) - began) / 1_000;
    return {
      agreementsPerSecond: settled.length / seconds,
      agreementsPerCpuSecond: (settled.length * 1_000_000) / (user + system),
      settled: settled.length,
    };
  });
}

export interface Latency {
  /** From a verdict that is final on GenLayer to this operator's published signature. */
  readonly finalizedToAttestedP95Ms: number;
  /** From there to the block that settles it, in times of a block. */
  readonly finalizedToSettledP95Blocks: number;
  readonly settled: number;
}

/** Lets submissions come at a calm pace, one or two in each block. */
export async function measureLatency(ground: Ground, count: number, limitSeconds: number): Promise<Latency> {
  return withOperator(ground, count, { ...CALM, perBlock: 3 }, async (bench) => {
    await bench.submit(count);
    await waitUntil(async () => (await bench.chain.settled()).length >= count, limitSeconds, 500);
    const settled = await bench.chain.settled();
    const attested: number[] = [];
    const included: number[] = [];
    for (const [agreementId, at] of settled) {
      const final = bench.judge.finalAt.get(agreementId);
      const signed = await bench.signedAt(agreementId);
      if (final === undefined || signed === null) continue;
      attested.push(signed - final);
      included.push((at - final) / CALM.blockMilliseconds);
    }
    return {
      finalizedToAttestedP95Ms: percentile(attested, 0.95),
      finalizedToSettledP95Blocks: percentile(included, 0.95),
      settled: settled.length,
    };
  });
}

interface Running extends Bench {
  /** Gives the next of the submissions to the chain. */
  submit(count: number): Promise<void>;
}

async function withOperator<T>(
  { dataDir, open }: Ground,
  count: number,
  pace: {
    readonly blockMilliseconds: number;
    readonly pollMilliseconds: number;
    readonly finalAfter: () => number;
    readonly perBlock: number;
    readonly settings?: Readonly<Record<string, string>>;
  },
  measure: (bench: Running) => Promise<T>,
): Promise<T> {
  const copy = await copyOf(dataDir);
  const bench = await createBench({
    ...pace,
    dataDir: copy,
    pastBlocks: open * BLOCKS_PER_AGREEMENT,
    pastAgreements: open,
    known: true,
  });
  try {
    const busy = deals(count);
    const store = bench.openStore();
    await storeDocuments(store, busy);
    await store.close();
    const operator = await bench.start();
    try {
      await waitUntil(async () => (await fetch(`${operator.url}/livez`)).ok, 30);
      const left = [...busy];
      return await measure({
        ...bench,
        submit: (next) => bench.chain.submit(left.splice(0, next).map(onChain)),
      });
    } finally {
      await operator.stop();
    }
  } finally {
    await bench.chain.stop();
    await rm(copy, { recursive: true, force: true });
  }
}
