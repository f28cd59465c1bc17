import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Recorder, startRecorder } from "@assay/recorder";
import { expect } from "chai";
import { send } from "./support/send.ts";
import { type TestUpstream, startUpstream } from "./support/upstream.ts";
import { Walker, stampOn } from "./support/walker.ts";
import { JOBS, RECORDER, TOUR } from "./support/world.ts";

/** Longer than everything but a sync takes. */
const A_WHILE = 100;

describe("recorder: what it says is on disk", () => {
  let upstream: TestUpstream;
  let folder: string;
  let recorder: Recorder;
  let syncs = 0;
  /** Lets a sync end that has begun; null while none is held. */
  let release: (() => void) | null;
  let isHolding = false;
  let failure: Error | null;

  beforeEach(async () => {
    [syncs, release, isHolding, failure] = [0, null, false, null];
    upstream = await startUpstream();
    folder = mkdtempSync(join(tmpdir(), "recorder-durability-"));
    recorder = await startRecorder(
      {
        upstream: new URL(upstream.url),
        host: "127.0.0.1",
        port: 0,
        prefix: "/api/v1",
        database: join(folder, "recorder.sqlite"),
        jobs: JOBS,
        rpcUrls: {},
        maxBodyBytes: 65_536,
        upstreamTimeoutMilliseconds: 2_000,
        missionSeconds: 600,
        offerSeconds: 60,
        requestsPerSecond: 10_000,
        onboardingsPerMinute: 10_000,
      },
      RECORDER,
      {
        sync: async () => {
          syncs += 1;
          if (failure !== null) throw failure;
          if (isHolding) await new Promise<void>((resolve) => (release = resolve));
        },
      },
    );
  });
  afterEach(async () => {
    [isHolding, failure] = [false, null];
    release?.();
    await recorder.close();
    await upstream.close();
    rmSync(folder, { recursive: true });
  });

  /** Whether it is settled within a while. */
  const isSettled = async (promise: Promise<unknown>): Promise<boolean> =>
    Promise.race([promise.then(() => true), sleep(A_WHILE).then(() => false)]);

  it("stamps no step, and shows none, before its sync has ended; what needs no disk goes on", async () => {
    const walker = await Walker.onboard(recorder.url);
    const { mission_id: id } = await walker.start();
    isHolding = true;
    const step = walker.call(id, TOUR[0]);
    expect(await isSettled(step)).to.equal(false);
    expect(upstream.seen).to.have.length(1);
    const shown = walker.mission(id);
    expect(await isSettled(shown)).to.equal(false);
    const passed = send(recorder.url, { method: "GET", target: "/elsewhere" });
    expect(await isSettled(passed)).to.equal(true);
    isHolding = false;
    release?.();
    expect(stampOn(await step)).to.include({ step_index: 0 });
    expect((await shown).attestations).to.have.length(1);
  });

  it("keeps many walks' steps by one sync: all that came while another was under way", async () => {
    const walkers = await Promise.all(Array.from({ length: 20 }, () => Walker.onboard(recorder.url)));
    const missions = await Promise.all(walkers.map((walker) => walker.start()));
    isHolding = true;
    const before = syncs;
    const steps = walkers.map((walker, index) => walker.call(missions[index]!.mission_id, TOUR[0]));
    while (upstream.seen.length < walkers.length) await sleep(5);
    await sleep(A_WHILE);
    isHolding = false;
    release?.();
    for (const answer of await Promise.all(steps)) expect(stampOn(answer)).to.include({ step_index: 0 });
    expect(syncs - before).to.equal(2);
  });

  it("says nothing any more once the disk has failed", async () => {
    const walker = await Walker.onboard(recorder.url);
    const { mission_id: id } = await walker.start();
    failure = new Error("EIO");
    const failed = await walker.call(id, TOUR[0]);
    expect(failed.status).to.equal(500);
    expect(stampOn(failed)).to.equal(undefined);
    failure = null;
    const again = await walker.call(id, TOUR[0]);
    expect(stampOn(again)).to.equal(undefined);
    expect((await walker.api("GET", `/missions/${id}`)).status).to.equal(500);
    expect((await send(recorder.url, { method: "GET", target: "/readyz" })).status).to.equal(503);
    expect((await send(recorder.url, { method: "GET", target: "/elsewhere" })).status).to.equal(200);
  });
});
