import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bareEnvironment } from "@assay/localnet";
import { verifyExecution } from "@assay/protocol";
import type { Boundary } from "@assay/recorder";
import { expect } from "chai";
import { claimOf } from "./support/claim.ts";
import { dealFor } from "./support/deal.ts";
import type { RawRequest } from "./support/send.ts";
import { type TestUpstream, startUpstream } from "./support/upstream.ts";
import { type MissionView, type Stamp, Walker, stampOn } from "./support/walker.ts";
import { JOBS, RECORDER, TOUR } from "./support/world.ts";

const VICTIM = fileURLToPath(new URL("support/victim.ts", import.meta.url));
const NEVER = ["none", "1"];

/** Every boundary, in the middle and at the end of a walk of five steps. */
const DEATHS: [Boundary, number][] = [
  ["mission-started", 1],
  ...(["request-read", "upstream-answered", "step-recorded", "answer-sent"] as const).flatMap(
    (boundary): [Boundary, number][] => [2, 5].map((passage) => [boundary, passage]),
  ),
  ["terminal-signed", 1],
];

describe("recorder: killed in the middle of a walk", function () {
  this.timeout(120_000);
  let upstream: TestUpstream;
  let folder: string;
  let child: ChildProcess | undefined;

  beforeEach(async () => {
    upstream = await startUpstream();
    folder = mkdtempSync(join(tmpdir(), "recorder-crash-"));
    writeFileSync(join(folder, "jobs.json"), JSON.stringify(JOBS));
  });
  afterEach(async () => {
    await stop();
    await upstream.close();
    rmSync(folder, { recursive: true });
  });

  /** Starts a recorder in a process of its own; its URL. */
  function start(...death: string[]): Promise<string> {
    const started = spawn(process.execPath, [VICTIM, ...death], {
      env: {
        ...bareEnvironment(folder),
        RECORDER_UPSTREAM: upstream.url,
        RECORDER_PORT: "0",
        RECORDER_DATABASE: join(folder, "recorder.sqlite"),
        RECORDER_JOBS: join(folder, "jobs.json"),
        RECORDER_KEY: RECORDER.privateKey,
        RECORDER_ALLOW_ENV_KEYS: "1",
        RECORDER_REQUESTS_PER_SECOND: "10000",
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    child = started;
    return new Promise((resolve, reject) => {
      started.stdout.once("data", (data: Buffer) => resolve(data.toString().trim()));
      started.once("exit", (code) => reject(new Error(`the recorder ended with ${code} before it listened`)));
    });
  }

  async function stop(): Promise<NodeJS.Signals | null> {
    const ending = child;
    if (ending === undefined) return null;
    child = undefined;
    if (ending.exitCode === null && ending.signalCode === null) {
      const ended = new Promise((resolve) => ending.once("exit", resolve));
      ending.kill("SIGKILL");
      await ended;
    }
    return ending.signalCode;
  }

  for (const [boundary, passage] of DEATHS) {
    it(`goes on after death at ${boundary}, passage ${passage}, and stamps no step twice`, async () => {
      let walker = await Walker.onboard(await start(boundary, `${passage}`));
      let deaths = 0;
      const stamps: Stamp[] = [];

      /** Does something, and once more in a new process when the recorder died of it. */
      async function surely<T>(action: () => Promise<T>): Promise<T> {
        try {
          return await action();
        } catch {
          deaths += 1;
          await stop();
          walker = walker.at(await start(...NEVER));
          return action();
        }
      }

      const deal = await dealFor(walker);
      const begun = await surely(() => walker.api("POST", "/missions", deal.body));
      const id = begun.body["mission_id"] as string;
      for (const [index, call] of TOUR.entries()) {
        const request: RawRequest = { ...call, headers: { "x-a2a-mission-step": `${index}` } };
        const stamp = stampOn(await surely(() => walker.call(id, request)));
        expect(stamp, `step ${index}`).to.include({ step_index: index });
        stamps.push(stamp!);
      }
      const view: MissionView = await surely(() => walker.mission(id));
      if (deaths === 0) {
        // It died after its last answer was out: what it said must be what it kept.
        expect(boundary).to.equal("answer-sent");
        await stop();
        walker = walker.at(await start(...NEVER));
        expect(await walker.mission(id)).to.deep.equal(view);
      }
      const claim = claimOf(view);
      expect(verifyExecution(claim).valid).to.equal(true);
      expect(view.status).to.equal("completed");
      expect(view.signature).to.match(/^0x/);
      expect(stamps.map((stamp) => stamp.chain_hash)).to.deep.equal(claim.records.map(({ chain }) => chain));
      // A call may reach the upstream again only when it died before the record was on disk.
      const repeated = ["request-read", "upstream-answered"].includes(boundary) ? 1 : 0;
      expect(upstream.seen.length).to.be.within(TOUR.length, TOUR.length + repeated);
    });
  }

  it("has its database to itself", async () => {
    await start(...NEVER);
    const first = child;
    child = undefined;
    const second = spawn(process.execPath, [VICTIM, ...NEVER], {
      env: {
        ...bareEnvironment(folder),
        RECORDER_UPSTREAM: upstream.url,
        RECORDER_PORT: "0",
        RECORDER_DATABASE: join(folder, "recorder.sqlite"),
        RECORDER_KEY: RECORDER.privateKey,
        RECORDER_ALLOW_ENV_KEYS: "1",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    second.stderr.on("data", (data: Buffer) => (said += data.toString()));
    const code = await new Promise((resolve) => second.once("exit", resolve));
    expect(code).to.equal(1);
    expect(said).to.match(/locked/);
    child = first;
  });
});
