// How fast the operator's API answers with many agreements in its store, and what a flood does to it.
// The server is a process of its own with a real store on disk; the load comes from this process. Then, the other way
// round, an operator in this process settles agreements on mock chains while another process floods its port, and not.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureUnderFlood, type BridgeUnderFlood, type BridgeWork } from "./bridge/flood.ts";

const USAGE = `usage: npm run bench:api -- [options]

  --agreements <n>   agreements in the store (default 10000)
  --rate <n>         reads per second (default 200)
  --seconds <n>      length of each part (default 10)
  --turns <n>        times that the bridge is measured in quiet and under the flood (default 3)
  --json             one JSON object on standard output, nothing else there
`;

/** The least part of its agreements per second that the bridge may settle under a flood: unaffected, but for noise. */
const LEAST_RATIO = 0.9;
/** Load comes from this many addresses, as a proxy in front would name them. */
const CLIENTS = 50;

interface Part {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Longest that the server's event loop was late meanwhile, in milliseconds. */
  readonly loopDelay: number;
}

interface Server {
  readonly url: string;
  readonly paths: readonly string[];
  readonly child: ChildProcess;
}

async function startServer(folder: string, agreements: number): Promise<Server> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, "api-server.ts"), folder, String(agreements)],
    { stdio: ["ignore", "inherit", "inherit", "ipc"] },
  );
  const [message] = (await once(child, "message")) as [
    { readonly url: string; readonly paths: readonly string[] },
  ];
  return { ...message, child };
}

/** The longest delay of the server's event loop since the last time this was asked. */
async function loopDelay({ child }: Server): Promise<number> {
  child.send("delay");
  const [delay] = (await once(child, "message")) as [number];
  return delay;
}

/** Sends requests at an even pace, whether or not the answers keep up. */
async function load(server: Server, rate: number, seconds: number): Promise<Part> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  const { hostname, port } = new URL(server.url);
  await loopDelay(server);
  const ask = (index: number): Promise<void> =>
    new Promise((resolve) => {
      const startedAt = performance.now();
      const done = (status: string): void => {
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status === "200") times.push(performance.now() - startedAt);
        resolve();
      };
      const sent = request(
        {
          ...{ hostname, port, agent, path: server.paths[index % server.paths.length] },
          headers: { "x-forwarded-for": `198.51.100.${index % CLIENTS}` },
          timeout: 10_000,
        },
        (response) => {
          response.resume();
          response.on("end", () => done(String(response.statusCode)));
        },
      );
      sent.on("timeout", () => sent.destroy(new Error("timeout")));
      sent.on("error", () => done("failed"));
      sent.end();
    });
  const startedAt = performance.now();
  const pending: Promise<void>[] = [];
  for (let index = 0; index < rate * seconds; index++) {
    const due = startedAt + (index / rate) * 1_000;
    const early = due - performance.now();
    if (early > 1) await new Promise((resolve) => setTimeout(resolve, early));
    pending.push(ask(index));
  }
  await Promise.all(pending);
  const took = (performance.now() - startedAt) / 1_000;
  agent.destroy();
  times.sort((one, other) => one - other);
  const at = (share: number): number =>
    Math.round((times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0) * 10) / 10;
  return {
    requests: pending.length,
    perSecond: Math.round(pending.length / took),
    ...{ p50: at(0.5), p95: at(0.95), p99: at(0.99), statuses },
    loopDelay: await loopDelay(server),
  };
}

function tell(title: string, part: Part): string {
  const answers = Object.entries(part.statuses)
    .map(([status, count]) => `${count} × ${status}`)
    .join(", ");
  return `${title}: ${part.perSecond}/s, p50 ${part.p50} ms, p95 ${part.p95} ms, p99 ${part.p99} ms; ${answers}; event loop at most ${part.loopDelay} ms late\n`;
}

function tellBridge({ quiet, flooded, ratio, statuses, requestsPerSecond }: BridgeUnderFlood): string {
  const line = (title: string, work: BridgeWork): string =>
    `bridge ${title}: ${work.agreementsPerSecond} agreements/s, final to settled p50 ${work.finalizedToSettledP50Ms} ms, ` +
    `p95 ${work.finalizedToSettledP95Ms} ms, ${work.cpuMsPerAgreement} ms CPU for each\n`;
  const answers = Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status}`)
    .join(", ");
  return (
    line("in quiet", quiet) +
    line(`under ${requestsPerSecond} requests/s`, flooded) +
    `bridge, flooded over quiet: ${ratio.agreementsPerSecond} of the agreements/s, ` +
    `${ratio.finalizedToSettledP95Ms} times the p95; ${answers}\n`
  );
}

const { values } = parseArgs({
  options: {
    agreements: { type: "string", default: "10000" },
    rate: { type: "string", default: "200" },
    seconds: { type: "string", default: "10" },
    turns: { type: "string", default: "3" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) process.stdout.write(USAGE);
else {
  const [agreements, rate, seconds] = [values.agreements, values.rate, values.seconds].map(Number) as [
    number,
    number,
    number,
  ];
  const folder = await mkdtemp(join(tmpdir(), "assay-bench-api-"));
  try {
    process.stderr.write(`filling a store with ${agreements} agreements\n`);
    const server = await startServer(folder, agreements);
    await load(server, rate, 2);
    const steady = await load(server, rate, seconds);
    const flood = await load(server, rate * 10, seconds);
    const after = await load(server, rate, Math.min(seconds, 5));
    const alive = server.child.exitCode === null;
    server.child.disconnect();
    if (alive) await once(server.child, "exit");
    process.stderr.write("the bridge, in quiet and under the flood\n");
    const bridge = await measureUnderFlood(rate * 10, Number(values.turns));
    const result = { agreements, cpus: availableParallelism(), steady, flood, after, alive, bridge };
    process.stdout.write(
      values.json
        ? `${JSON.stringify(result)}\n`
        : tell(`${rate} reads/s`, steady) +
            tell(`${rate * 10} reads/s`, flood) +
            tell("afterwards", after) +
            tellBridge(bridge),
    );
    const holds =
      alive &&
      steady.p95 < 50 &&
      steady.statuses["200"] === steady.requests &&
      (flood.statuses["429"] ?? 0) > 0 &&
      (bridge.statuses["429"] ?? 0) > 0 &&
      bridge.ratio.agreementsPerSecond >= LEAST_RATIO;
    if (!holds) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
