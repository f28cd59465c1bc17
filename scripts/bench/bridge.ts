/**
 * Measures the operator on mock chains: `npm run bench:bridge -- [--json]`.
 *
 * The service is the real one with its SQLite database at `synchronous=FULL`; the EVM chain is a mock in a thread of its
 * own, GenLayer a mock in memory, so no transport is measured except for memory, where the chain is behind HTTP.
 *
 * - `agreementsPerSecond`: judged, signed and settled, of many submissions that come at once, after the first few hundred.
 * - `finalizedToAttestedP95Ms`: from a verdict that is final on GenLayer to the published signature.
 * - `finalizedToSettledP95Blocks`: from there to the settlement's block, in times of a block of 2 s.
 * - `catchUpBlocksPerSecond`: an empty database reads 1,000,000 blocks with 100,000 agreements.
 * - `rssMiBAt100kOpen`: most memory of the service's process while 100,000 agreements are open.
 *
 * Each is measured with 1,000 and with 100,000 open agreements; `growth` holds both.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { age, measureCatchUp, type CatchUp } from "./bridge/catch-up.ts";
import { measureLatency, measureThroughput, type Latency, type Throughput } from "./bridge/live.ts";
import { measureMemory } from "./bridge/memory.ts";

const BARS = {
  agreementsPerSecond: { at: "least", value: 200 },
  finalizedToAttestedP95Ms: { at: "most", value: 2_000 },
  finalizedToSettledP95Blocks: { at: "most", value: 2 },
  catchUpBlocksPerSecond: { at: "least", value: 20_000 },
  rssMiBAt100kOpen: { at: "most", value: 400 },
} as const;
type Key = keyof typeof BARS;

/** Seconds that each part may take, so that the whole stays below ten minutes on a slow machine. */
const LIMITS = { catchUp: 150, throughput: 60, latency: 50, memory: 20 };
const BUSY_AGREEMENTS = 1_000;
const CALM_AGREEMENTS = 40;

interface Measured {
  readonly open: number;
  readonly catchUp: CatchUp;
  readonly throughput: Throughput;
  readonly latency: Latency;
  readonly rssMiB: number;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function measure(open: number): Promise<Measured> {
  const dataDir = await mkdtemp(join(tmpdir(), "assay-bench-"));
  try {
    say(`with ${open} open agreements: catching up`);
    const catchUp = await measureCatchUp(dataDir, open, LIMITS.catchUp);
    age(dataDir);
    // As many as were read in time.
    const ground = { dataDir, open: catchUp.agreements };
    say(`with ${ground.open} open agreements: memory`);
    const rssMiB = await measureMemory(ground, LIMITS.memory);
    say(`with ${ground.open} open agreements: throughput`);
    const throughput = await measureThroughput(ground, BUSY_AGREEMENTS, LIMITS.throughput);
    say(`with ${ground.open} open agreements: latency`);
    const latency = await measureLatency(ground, CALM_AGREEMENTS, LIMITS.latency);
    return { open: ground.open, catchUp, throughput, latency, rssMiB };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function figuresOf({ catchUp, throughput, latency, rssMiB }: Measured): Record<Key, number> {
  return {
    agreementsPerSecond: rounded(throughput.agreementsPerSecond, 1),
    finalizedToAttestedP95Ms: rounded(latency.finalizedToAttestedP95Ms, 0),
    finalizedToSettledP95Blocks: rounded(latency.finalizedToSettledP95Blocks, 2),
    catchUpBlocksPerSecond: rounded(catchUp.blocksPerSecond, 0),
    rssMiBAt100kOpen: rounded(rssMiB, 0),
  };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function meets(key: Key, value: number): boolean {
  const { at, value: bar } = BARS[key];
  return at === "least" ? value >= bar : value < bar;
}

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help) {
  process.stdout.write(
    "npm run bench:bridge -- [--json]   measure the operator on mock chains, about ten minutes\n",
  );
  process.exit(0);
}
const few = await measure(1_000);
const many = await measure(100_000);
const [at1k, at100k] = [figuresOf(few), figuresOf(many)];
const headline: Record<Key, number> = {
  ...at1k,
  catchUpBlocksPerSecond: at100k.catchUpBlocksPerSecond,
  rssMiBAt100kOpen: at100k.rssMiBAt100kOpen,
};
if (values.json) {
  process.stdout.write(
    `${JSON.stringify({ ...headline, growth: { at1k, at100k }, details: { few, many } })}\n`,
  );
} else {
  for (const key of Object.keys(BARS) as Key[]) {
    const { at, value: bar } = BARS[key];
    const verdict = meets(key, headline[key]) ? "met" : "MISSED";
    process.stdout.write(
      `${key.padEnd(30)}${String(headline[key]).padStart(10)}  bar: at ${at} ${bar}, ${verdict}` +
        `  (1k open: ${at1k[key]}, 100k open: ${at100k[key]})\n`,
    );
  }
}
