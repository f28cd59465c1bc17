import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Boundary, type Job, type Recorder, type Settings, startRecorder } from "@assay/recorder";
import { Wallet } from "ethers";
import { type TestUpstream, startUpstream } from "./upstream.ts";

/** Signs the terminals of these tests. */
export const RECORDER = new Wallet(`0x${"4e".repeat(32)}`);

const GET = (pathTemplate: string, index: number, auth = false) => ({
  index,
  method: "GET",
  pathTemplate,
  auth,
});

export const JOBS: readonly Job[] = [
  {
    id: "tour",
    title: "Read the platform",
    description: "Five calls.",
    network: "testnet",
    reward: "0.01 USDC",
    steps: [
      GET("/api/v1/agents", 0),
      GET("/api/v1/agents/{name}", 1),
      GET("/api/v1/agents/me/dashboard", 2, true),
      { index: 3, method: "POST", pathTemplate: "/orders", auth: true },
      GET("/content/{slug}.md", 4),
    ],
  },
  {
    id: "twice",
    title: "The same call twice",
    description: "Two equal steps.",
    network: "other",
    steps: [GET("/status", 0), GET("/status", 1)],
  },
  {
    id: "head",
    title: "No body",
    description: "A call without a body.",
    network: "other",
    steps: [{ index: 0, method: "HEAD", pathTemplate: "/status", auth: false }],
  },
];

/** The calls that walk the tour. */
export const TOUR = [
  { method: "GET", target: "/api/v1/agents?limit=10" },
  { method: "GET", target: "/api/v1/agents/ada" },
  { method: "GET", target: "/api/v1/agents/me/dashboard" },
  { method: "POST", target: "/orders", body: '{"item":"é"}' },
  { method: "GET", target: "/content/read-me.md" },
] as const;

/** A recorder in front of an upstream. */
export interface World {
  readonly upstream: TestUpstream;
  readonly settings: Settings;
  recorder: Recorder;
  readonly boundaries: Boundary[];
  readonly reports: unknown[];
  /** Stops the recorder and starts it on the same database. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function startWorld(changes: Partial<Settings> = {}): Promise<World> {
  const upstream = await startUpstream();
  const folder = mkdtempSync(join(tmpdir(), "recorder-"));
  const settings: Settings = {
    upstream: new URL(upstream.url),
    host: "127.0.0.1",
    port: 0,
    prefix: "/api/v1",
    database: join(folder, "recorder.sqlite"),
    jobs: JOBS,
    rpcUrls: {},
    maxBodyBytes: 64 * 1024,
    upstreamTimeoutMilliseconds: 2_000,
    missionSeconds: 600,
    offerSeconds: 60,
    requestsPerSecond: 10_000,
    onboardingsPerMinute: 10_000,
    ...changes,
  };
  const boundaries: Boundary[] = [];
  const reports: unknown[] = [];
  const surroundings = {
    at: (boundary: Boundary) => boundaries.push(boundary),
    report: (error: unknown) => reports.push(error),
  };
  const world: World = {
    upstream,
    settings,
    recorder: await startRecorder(settings, RECORDER, surroundings),
    boundaries,
    reports,
    restart: async () => {
      await world.recorder.close();
      world.recorder = await startRecorder(settings, RECORDER, surroundings);
    },
    close: async () => {
      await world.recorder.close();
      await upstream.close();
      rmSync(folder, { recursive: true });
    },
  };
  return world;
}
