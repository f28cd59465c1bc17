import { readFileSync } from "node:fs";
import { canonicalize, parseStrict, stepsField } from "@assay/protocol";
import type { Job } from "./job.ts";

/** How a recorder runs. */
export interface Settings {
  /** The API that it stands in front of. */
  readonly upstream: URL;
  readonly host: string;
  readonly port: number;
  /** Path that the recorder's own routes begin with; everything else is the upstream's. */
  readonly prefix: string;
  /** SQLite file. */
  readonly database: string;
  readonly jobs: readonly Job[];
  /** JSON-RPC endpoints by chain id, to tell what became of rewards. */
  readonly rpcUrls: Readonly<Record<number, string>>;
  readonly maxBodyBytes: number;
  readonly upstreamTimeoutMilliseconds: number;
  readonly missionSeconds: number;
  readonly offerSeconds: number;
  /** Requests per second of one agent, or of one address without a key. */
  readonly requestsPerSecond: number;
  /** New agents per minute from one address. */
  readonly onboardingsPerMinute: number;
}

/** What is wrong with a recorder's settings; all of it. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Every setting with its meaning, for `--help`. */
export const SETTINGS: readonly (readonly [name: string, meaning: string])[] = [
  ["RECORDER_UPSTREAM", "URL of the API to record, such as http://127.0.0.1:8080 (required)"],
  ["RECORDER_DATABASE", "SQLite file (default recorder.sqlite)"],
  ["RECORDER_HOST", "address to listen on (default 127.0.0.1)"],
  ["RECORDER_PORT", "port to listen on (default 8790)"],
  ["RECORDER_PREFIX", "path of the recorder's own routes (default /api/v1)"],
  ["RECORDER_JOBS", "JSON file with the board: [{id, title, description, network, steps, reward?}]"],
  ["RECORDER_RPC_URLS", "JSON object of JSON-RPC endpoints by chain id, to tell what became of rewards"],
  ["RECORDER_MAX_BODY_BYTES", "most bytes of a body that is recorded (default 1048576)"],
  ["RECORDER_UPSTREAM_TIMEOUT_MS", "silence of the upstream that ends an exchange (default 30000)"],
  ["RECORDER_MISSION_SECONDS", "how long a mission may be walked (default 86400)"],
  ["RECORDER_OFFER_SECONDS", "how long a committed nonce may be taken (default 600)"],
  ["RECORDER_REQUESTS_PER_SECOND", "of one agent (default 50)"],
  ["RECORDER_ONBOARDINGS_PER_MINUTE", "from one address (default 10)"],
  ["RECORDER_KEYSTORE", "keystore (version 3) of the account that signs terminals (required)"],
  ["RECORDER_PASSWORD_FILE", "file with the keystore's password"],
  ["RECORDER_KEY", "raw private key instead, only with RECORDER_ALLOW_ENV_KEYS=1, for development chains"],
  ["RECORDER_LOG_LEVEL", "fatal, error, warn, info, debug or trace (default info)"],
];

/**
 * Reads the settings from the environment.
 *
 * @throws SettingsError with everything that is wrong.
 */
export function readSettings(environment: Environment): Settings {
  const problems: string[] = [];
  const known = new Set(SETTINGS.map(([name]) => name));
  for (const name of Object.keys(environment)) {
    if (name.startsWith("RECORDER_") && !known.has(name) && name !== "RECORDER_ALLOW_ENV_KEYS") {
      problems.push(`${name} is no setting; see --help`);
    }
  }
  const attempt = <T>(name: string, read: (value: string | undefined) => T, fallback: T): T => {
    try {
      const value = environment[name];
      return read(value === "" ? undefined : value);
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : String(error)}`);
      return fallback;
    }
  };
  const integer = (name: string, fallback: number, low: number, high: number): number =>
    attempt(name, (value) => (value === undefined ? fallback : integerOf(value, low, high)), fallback);
  const settings = {
    upstream: attempt("RECORDER_UPSTREAM", upstreamOf, new URL("http://127.0.0.1")),
    host: environment["RECORDER_HOST"] ?? "127.0.0.1",
    port: integer("RECORDER_PORT", 8790, 0, 65_535),
    prefix: attempt("RECORDER_PREFIX", prefixOf, "/api/v1"),
    database: environment["RECORDER_DATABASE"] ?? "recorder.sqlite",
    jobs: attempt("RECORDER_JOBS", (path) => (path === undefined ? [] : readJobs(path)), []),
    rpcUrls: attempt("RECORDER_RPC_URLS", rpcUrlsOf, {}),
    maxBodyBytes: integer("RECORDER_MAX_BODY_BYTES", 1 << 20, 1, 64 << 20),
    upstreamTimeoutMilliseconds: integer("RECORDER_UPSTREAM_TIMEOUT_MS", 30_000, 10, 600_000),
    missionSeconds: integer("RECORDER_MISSION_SECONDS", 86_400, 1, 31_536_000),
    offerSeconds: integer("RECORDER_OFFER_SECONDS", 600, 1, 86_400),
    requestsPerSecond: integer("RECORDER_REQUESTS_PER_SECOND", 50, 1, 1_000_000),
    onboardingsPerMinute: integer("RECORDER_ONBOARDINGS_PER_MINUTE", 10, 1, 1_000_000),
  };
  if (problems.length > 0) throw new SettingsError(problems);
  return settings;
}

function integerOf(value: string, low: number, high: number): number {
  const number = /^[0-9]{1,12}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= low && number <= high)) throw new Error(`must be a whole number from ${low} to ${high}`);
  return number;
}

function upstreamOf(value: string | undefined): URL {
  if (value === undefined) throw new Error("is required: the URL of the API to record");
  const url = URL.parse(value);
  const isPlain =
    url !== null && url.search === "" && url.hash === "" && url.username === "" && url.password === "";
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new Error("must be an http or https URL without credentials and query");
  }
  return url;
}

function prefixOf(value: string | undefined): string {
  if (value === undefined) return "/api/v1";
  if (!/^(?:\/[A-Za-z0-9._-]+)+$/.test(value)) throw new Error("must be a path such as /recorder/v1");
  return value;
}

function rpcUrlsOf(value: string | undefined): Record<number, string> {
  if (value === undefined) return {};
  const urls = JSON.parse(value) as unknown;
  const isMap = typeof urls === "object" && urls !== null && !Array.isArray(urls);
  const entries = isMap ? Object.entries(urls) : [];
  const areGood = entries.every(
    ([id, url]) => /^[1-9][0-9]*$/.test(id) && typeof url === "string" && URL.canParse(url),
  );
  if (!isMap || !areGood) throw new Error('must be a JSON object such as {"8453": "https://…"}');
  return urls as Record<number, string>;
}

function readJobs(path: string): Job[] {
  const value = parseStrict(readFileSync(path, "utf8"));
  if (!Array.isArray(value)) throw new Error(`names ${path}, which holds no array`);
  const jobs = value.map((item, index) => jobOf(item, index));
  if (new Set(jobs.map((job) => job.id)).size < jobs.length) throw new Error("has two jobs of one id");
  return jobs;
}

function jobOf(value: unknown, index: number): Job {
  const job = value as Record<string, unknown>;
  const isText = (name: string): boolean => typeof job[name] === "string" && job[name] !== "";
  const members = ["id", "title", "description", "network"];
  const missing =
    typeof value !== "object" || value === null ? members : members.filter((name) => !isText(name));
  if (missing.length > 0) throw new Error(`job ${index} has no ${missing.join(", ")}`);
  if (!/^[A-Za-z0-9._:-]{1,128}$/.test(job["id"] as string))
    throw new Error(`job ${index} has an id with other than A-Z a-z 0-9 . _ : -`);
  const steps = stepsField.safeParse(JSON.parse(canonicalize(job["steps"] ?? [])));
  if (!steps.success) {
    const [issue] = steps.error.issues;
    throw new Error(
      `job ${index}: steps${issue === undefined ? "" : `.${issue.path.join(".")} ${issue.message}`}`,
    );
  }
  const { id, title, description, network, reward } = job as unknown as Job;
  const paid = typeof reward === "string" ? { reward } : {};
  return { id, title, description, network, steps: steps.data, ...paid };
}
