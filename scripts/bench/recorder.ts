/**
 * Measures the recorder in front of a trivial upstream: `npm run bench:recorder -- [--json] [--seconds N]`.
 *
 * Upstream and recorder run in processes of their own; this one is the client. Each figure is measured with the
 * upstream alone first, in the same way and at the same load.
 *
 * - `addedMillisecondsP95`: 95th percentile of a recorded call's time, less that of the same call without a recorder,
 *   one after another.
 * - `addedMillisecondsP95PassedOn`: the same for requests of no mission.
 * - `recordedPerSecond`: recorded calls in a second, many missions at once, each record on disk before its answer.
 * - `passedOnPerSecond`: requests of no mission in a second.
 * - `recordedCpuMilliseconds`, `passedOnCpuMilliseconds`: the recorder's own CPU time for one of them, which a busy
 *   machine changes less than the others.
 * - `syncMillisecondsP95`: what this disk takes to keep 16 KiB, in the same folder. A recorded call waits for one such
 *   sync, so no recorder on this machine adds less.
 * - `passedOnMillisecondsP95WhileRecording`: a request of no mission, one after another, while all the walks go on.
 *
 * Everything is measured twice: with the store on the disk of the temporary folder, and on a file system in memory where
 * there is one, which shows what the recorder itself adds.
 */
import { type ChildProcess, spawn } from "node:child_process";
import {
  accessSync,
  closeSync,
  constants,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const BARS = {
  addedMillisecondsP95: 2,
  addedMillisecondsP95PassedOn: 2,
  recordedPerSecond: 1000,
  passedOnPerSecond: 1000,
} as const;
const STEPS = 256;
const WALKS_AT_ONCE = 32;
const CALLS_IN_TURN = 2_000;
const WARM_UP_CALLS = 500;
const API = "/api/v1";
/** Linux keeps files in memory here. */
const IN_MEMORY = "/dev/shm";

/** Lets the recorder's process tell its CPU time when asked. */
const METER = `data:text/javascript,${encodeURIComponent(
  "process.on('message', () => { const { user, system } = process.cpuUsage(); process.send((user + system) / 1000); })",
)}`;

const UPSTREAM = `
  import { createServer } from "node:http";
  const server = createServer((request, response) => { request.resume(); response.end("ok"); });
  server.listen(0, "127.0.0.1", () => console.log("http://127.0.0.1:" + server.address().port));
`;

const { values } = parseArgs({
  options: { json: { type: "boolean", default: false }, seconds: { type: "string", default: "10" } },
});
const seconds = Number(values.seconds);
const agent = new Agent({ keepAlive: true, maxSockets: WALKS_AT_ONCE + 1 });
const children: ChildProcess[] = [];

interface Call {
  readonly base: string;
  readonly target: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  readonly stamp: string | undefined;
  readonly body: string;
}

function send({ base, target, method = "GET", headers = {}, body }: Call): Promise<Answer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path: target, method, headers, agent }, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8");
      incoming.on("data", (chunk: string) => (text += chunk));
      incoming.on("end", () => {
        const stamp = incoming.headers["x-a2a-mission-step"];
        resolve({ status: incoming.statusCode ?? 0, stamp: stamp as string | undefined, body: text });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Starts a process that prints its URL. */
function start(args: string[], env: Record<string, string> = {}): Promise<string> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout?.on("data", (data: Buffer) => {
      output += data.toString();
      const url = /http:\/\/127\.0\.0\.1:[0-9]+/.exec(output)?.[0];
      if (url !== undefined) resolve(url);
    });
    child.once("exit", () => reject(new Error(`${args.join(" ").slice(0, 80)} ended before it listened`)));
  });
}

function startRecorder(upstream: string, folder: string): Promise<string> {
  const steps = Array.from({ length: STEPS }, (_, index) => ({
    index,
    method: "GET",
    pathTemplate: `/items/{id}/${index}`,
    auth: false,
  }));
  const jobs = join(folder, "jobs.json");
  writeFileSync(
    jobs,
    JSON.stringify([{ id: "bench", title: "Bench", description: "Bench", network: "none", steps }]),
  );
  return start(["--import", METER, fileURLToPath(new URL("../../recorder/src/bin.ts", import.meta.url))], {
    RECORDER_UPSTREAM: upstream,
    RECORDER_PORT: "0",
    RECORDER_DATABASE: join(folder, "recorder.sqlite"),
    RECORDER_JOBS: jobs,
    RECORDER_KEY: `0x${"4e".repeat(32)}`,
    RECORDER_ALLOW_ENV_KEYS: "1",
    RECORDER_REQUESTS_PER_SECOND: "1000000",
    RECORDER_ONBOARDINGS_PER_MINUTE: "1000000",
  });
}

async function json(call: Call): Promise<Record<string, string>> {
  return JSON.parse((await send({ method: "POST", ...call })).body) as Record<string, string>;
}

/** An endless walk of missions, call by call; each is checked for its stamp. */
async function walker(base: string): Promise<() => Promise<void>> {
  const { api_key: key = "" } = await json({ base, target: `${API}/onboard` });
  let mission = "";
  let step = STEPS;
  return async () => {
    if (step === STEPS) {
      const target = `${API}/jobs/bench/start`;
      mission = (await json({ base, target, headers: { "x-api-key": key } }))["mission_id"] ?? "";
      step = 0;
    }
    const headers = { "x-api-key": key, "x-a2a-mission": mission };
    const { status, stamp } = await send({ base, target: `/items/7/${step}`, headers });
    if (status !== 200 || stamp === undefined) throw new Error(`step ${step} was not recorded: ${status}`);
    step += 1;
  };
}

/** A call that nothing records. */
function plain(base: string): () => Promise<void> {
  return async () => {
    const { body } = await send({ base, target: "/items/7/0" });
    if (body !== "ok") throw new Error(`the upstream's answer was ${body}`);
  };
}

/** The 95th percentile of one call after another, in milliseconds. */
async function p95(call: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < WARM_UP_CALLS + CALLS_IN_TURN; index += 1) {
    const started = performance.now();
    await call();
    if (index >= WARM_UP_CALLS) times.push(performance.now() - started);
  }
  return times.sort((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? Number.NaN;
}

async function perSecond(calls: (() => Promise<void>)[]): Promise<number> {
  let done = 0;
  const started = performance.now();
  const lane = async (call: () => Promise<void>): Promise<void> => {
    while (performance.now() - started < seconds * 1000) {
      await call();
      done += 1;
    }
  };
  await Promise.all(calls.map(lane));
  return done / ((performance.now() - started) / 1000);
}

/** CPU time that the last started process has used, in milliseconds. */
function cpuMilliseconds(): Promise<number> {
  const child = children.at(-1);
  return new Promise((resolve) => {
    child?.once("message", resolve);
    child?.send("cpu");
  });
}

/** Calls in a second, and the recorder's CPU time for each. */
async function measured(calls: (() => Promise<void>)[]): Promise<{ rate: number; cpu: number }> {
  const before = await cpuMilliseconds();
  const rate = await perSecond(calls);
  return { rate, cpu: ((await cpuMilliseconds()) - before) / (rate * seconds) };
}

/** The 95th percentile of a small write's way to this disk. */
function syncP95(folder: string): number {
  const file = openSync(join(folder, "sync"), "w");
  const times = Array.from({ length: 200 }, () => {
    const started = performance.now();
    writeSync(file, Buffer.alloc(16_384));
    fdatasyncSync(file);
    return performance.now() - started;
  });
  closeSync(file);
  return times.sort((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? Number.NaN;
}

const lanes = <T>(make: () => T): T[] => Array.from({ length: WALKS_AT_ONCE }, make);

/** Everything about a recorder whose store is in that folder. */
async function measure(upstream: string, folder: string): Promise<Record<string, number>> {
  const recorder = await startRecorder(upstream, folder);
  const alone = await p95(plain(upstream));
  const walkers = await Promise.all(lanes(() => walker(recorder)));
  const recorded = await measured(walkers);
  const passedOn = await measured(lanes(() => plain(recorder)));
  let isOver = false;
  const walking = Promise.all(
    walkers.map(async (walk) => {
      while (!isOver) await walk();
    }),
  );
  const meanwhile = await p95(plain(recorder));
  isOver = true;
  await walking;
  return {
    upstreamMillisecondsP95: alone,
    addedMillisecondsP95: (await p95(await walker(recorder))) - alone,
    addedMillisecondsP95PassedOn: (await p95(plain(recorder))) - alone,
    passedOnMillisecondsP95WhileRecording: meanwhile,
    syncMillisecondsP95: syncP95(folder),
    upstreamPerSecond: await perSecond(lanes(() => plain(upstream))),
    recordedPerSecond: recorded.rate,
    recordedCpuMilliseconds: recorded.cpu,
    passedOnPerSecond: passedOn.rate,
    passedOnCpuMilliseconds: passedOn.cpu,
  };
}

/** Where files are kept in memory; null where this machine has no such place. */
function memoryFolder(): string | null {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    return IN_MEMORY;
  } catch {
    return null;
  }
}

const folders: string[] = [];
try {
  const upstream = await start(["--input-type=module", "-e", UPSTREAM]);
  const figures: Record<string, Record<string, number>> = {};
  const places = { disk: tmpdir(), memory: memoryFolder() };
  for (const [name, place] of Object.entries(places)) {
    if (place === null) continue;
    const folder = mkdtempSync(join(place, "recorder-bench-"));
    folders.push(folder);
    figures[name] = await measure(upstream, folder);
    children.pop()?.kill();
  }
  if (values.json) console.log(JSON.stringify(figures));
  else {
    const names = Object.keys(figures["disk"] ?? {});
    console.log(["".padEnd(38), ...Object.keys(figures).map((name) => name.padStart(9))].join(" "));
    for (const name of names) {
      const bar = name in BARS ? `   bar ${BARS[name as keyof typeof BARS]}` : "";
      const columns = Object.values(figures).map((found) =>
        (found[name] ?? Number.NaN).toFixed(2).padStart(9),
      );
      console.log([name.padEnd(38), ...columns].join(" ") + bar);
    }
  }
} finally {
  for (const child of children) child.kill();
  agent.destroy();
  for (const folder of folders) rmSync(folder, { recursive: true });
}
