import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { percentile, waitUntil } from "./measure.ts";
import { createBench, deals, onChain, storeDocuments, type Bench, type Deal } from "./world.ts";

/** Twenty submissions a second, verdicts final half a second after they were asked for. */
const PACE = { blockMilliseconds: 250, perBlock: 5, pollMilliseconds: 500, finalAfter: () => 500 };
/** Agreements of one turn. */
const TURN = 60;
/** Seconds that a turn may take. */
const TURN_LIMIT = 120;

/** How the bridge's own work goes. */
export interface BridgeWork {
  readonly settled: number;
  /** Of a turn's submissions, from the first one given to the chain to the last one settled. */
  readonly agreementsPerSecond: number;
  /** From a verdict that is final on GenLayer to the block that settles it, in milliseconds. */
  readonly finalizedToSettledP50Ms: number;
  readonly finalizedToSettledP95Ms: number;
  /** Of this process, for each agreement; under a flood with what the flood costs. */
  readonly cpuMsPerAgreement: number;
}

export interface BridgeUnderFlood {
  readonly quiet: BridgeWork;
  readonly flooded: BridgeWork;
  /** What answered the flood. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly requestsPerSecond: number;
  /** Flooded over quiet. */
  readonly ratio: { readonly agreementsPerSecond: number; readonly finalizedToSettledP95Ms: number };
}

interface Turn {
  readonly seconds: number;
  readonly cpuMs: number;
  readonly latencies: readonly number[];
}

/**
 * Has one operator settle agreements while its HTTP port is flooded and while it is not, turn by turn, so that whatever
 * else this machine does meets both alike.
 *
 * @param rate requests per second of the flood, which comes from a process of its own.
 */
export async function measureUnderFlood(rate: number, turns: number): Promise<BridgeUnderFlood> {
  const dataDir = await mkdtemp(join(tmpdir(), "assay-bench-flood-"));
  const bench = await createBench({ ...PACE, dataDir, settings: { ASSAY_HTTP_TRUSTED_PROXIES: "1" } });
  try {
    const all = deals(TURN * (2 * turns + 1));
    const store = bench.openStore();
    await storeDocuments(store, all);
    await store.close();
    const operator = await bench.start();
    try {
      await waitUntil(async () => (await fetch(`${operator.url}/livez`)).ok, 30);
      const next = (): readonly Deal[] => all.slice(done * TURN, ++done * TURN);
      let done = 0;
      // The first turn warms up.
      await settle(bench, next());
      const quiet: Turn[] = [];
      const flooded: Turn[] = [];
      const statuses: Record<string, number> = {};
      let floodSeconds = 0;
      for (let turn = 0; turn < turns; turn++) {
        quiet.push(await settle(bench, next()));
        const client = startFlood(`${operator.url}/v1/agreements`, rate);
        flooded.push(await settle(bench, next()));
        const answered = await endFlood(client);
        floodSeconds += answered.seconds;
        for (const [status, count] of Object.entries(answered.statuses))
          statuses[status] = (statuses[status] ?? 0) + count;
      }
      return summary(quiet, flooded, statuses, floodSeconds);
    } finally {
      await operator.stop();
    }
  } finally {
    await bench.chain.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function settle(bench: Bench, turn: readonly Deal[]): Promise<Turn> {
  const ids = new Set(turn.map(({ agreementId }) => agreementId));
  const ours = async () => (await bench.chain.settled()).filter(([id]) => ids.has(id));
  const began = Date.now();
  const cpu = process.cpuUsage();
  await bench.chain.submit(turn.map(onChain));
  await waitUntil(async () => (await ours()).length >= turn.length, TURN_LIMIT, 100);
  const { user, system } = process.cpuUsage(cpu);
  const settled = await ours();
  return {
    seconds: (Math.max(...settled.map(([, at]) => at)) - began) / 1_000,
    cpuMs: (user + system) / 1_000,
    latencies: settled.flatMap(([id, at]) => {
      const final = bench.judge.finalAt.get(id);
      return final === undefined ? [] : [at - final];
    }),
  };
}

function startFlood(url: string, rate: number): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, "../flood-client.ts"), url, String(rate)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}

async function endFlood(
  client: ChildProcess,
): Promise<{ readonly statuses: Readonly<Record<string, number>>; readonly seconds: number }> {
  client.send("stop");
  const [told] = (await once(client, "message")) as [{ statuses: Record<string, number>; seconds: number }];
  return told;
}

function summary(
  quietTurns: readonly Turn[],
  floodedTurns: readonly Turn[],
  statuses: Readonly<Record<string, number>>,
  floodSeconds: number,
): BridgeUnderFlood {
  const [quiet, flooded] = [workOf(quietTurns), workOf(floodedTurns)];
  const requests = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const ratioOf = (key: "agreementsPerSecond" | "finalizedToSettledP95Ms"): number =>
    Math.round((flooded[key] / quiet[key]) * 100) / 100;
  return {
    quiet,
    flooded,
    statuses,
    requestsPerSecond: Math.round(requests / floodSeconds),
    ratio: {
      agreementsPerSecond: ratioOf("agreementsPerSecond"),
      finalizedToSettledP95Ms: ratioOf("finalizedToSettledP95Ms"),
    },
  };
}

function workOf(turns: readonly Turn[]): BridgeWork {
  const sum = (of: (turn: Turn) => number): number => turns.reduce((total, turn) => total + of(turn), 0);
  const latencies = turns.flatMap((turn) => turn.latencies);
  return {
    settled: latencies.length,
    agreementsPerSecond: Math.round((latencies.length / sum(({ seconds }) => seconds)) * 10) / 10,
    finalizedToSettledP50Ms: Math.round(percentile(latencies, 0.5)),
    finalizedToSettledP95Ms: Math.round(percentile(latencies, 0.95)),
    cpuMsPerAgreement: Math.round((sum(({ cpuMs }) => cpuMs) / latencies.length) * 10) / 10,
  };
}
