import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SETTINGS, SettingsError, readKey, readSettings } from "@assay/recorder";
import { expect } from "chai";
import { encryptKeystoreJsonSync } from "ethers";
import { JOBS, RECORDER } from "./support/world.ts";

const BIN = fileURLToPath(new URL("../../recorder/src/bin.ts", import.meta.url));

/** What is wrong with an environment. */
function problemsOf(action: () => unknown): readonly string[] {
  try {
    action();
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe("recorder: settings", () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), "recorder-settings-"))));
  after(() => rmSync(folder, { recursive: true }));

  function file(name: string, content: string): string {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  }

  it("need nothing but an upstream", () => {
    const settings = readSettings({ RECORDER_UPSTREAM: "http://127.0.0.1:8080" });
    expect(settings).to.include({
      host: "127.0.0.1",
      port: 8790,
      prefix: "/api/v1",
      maxBodyBytes: 1_048_576,
    });
    expect(settings.jobs).to.deep.equal([]);
  });

  it("read the board from a file", () => {
    const path = file("jobs.json", JSON.stringify(JOBS));
    const { jobs } = readSettings({ RECORDER_UPSTREAM: "https://api.example.org", RECORDER_JOBS: path });
    expect(jobs).to.deep.equal(JOBS);
  });

  it("are all refused together, each by its name", () => {
    const problems = problemsOf(() =>
      readSettings({
        RECORDER_PORT: "70000",
        RECORDER_PREFIX: "api",
        RECORDER_MAX_BODY_BYTES: "1e6",
        RECORDER_RPC_URLS: "[]",
        RECORDER_JOBS: join(folder, "none.json"),
        RECORDER_PROT: "1",
        RECORDER_OFFER_SECONDS: "0",
      }),
    );
    expect(problems.map((problem) => problem.split(" ")[0])).to.have.members([
      "RECORDER_UPSTREAM",
      "RECORDER_PORT",
      "RECORDER_PREFIX",
      "RECORDER_MAX_BODY_BYTES",
      "RECORDER_RPC_URLS",
      "RECORDER_JOBS",
      "RECORDER_PROT",
      "RECORDER_OFFER_SECONDS",
    ]);
  });

  it("refuse upstreams with credentials, queries or other schemes", () => {
    for (const url of ["ftp://x", "http://user:pass@x", "http://x/?a=1", "x"]) {
      expect(
        problemsOf(() => readSettings({ RECORDER_UPSTREAM: url })),
        url,
      ).to.have.length(1);
    }
  });

  it("refuse jobs whose steps are none", () => {
    const [job] = JOBS;
    for (const [jobs, part] of [
      [[{ ...job, steps: [] }], "job 0: steps"],
      [[{ ...job, steps: [{ ...job!.steps[0], pathTemplate: "a" }] }], "job 0: steps.0.pathTemplate"],
      [[{ ...job, id: "" }], "job 0 has no id"],
      [[job, job], "two jobs of one id"],
      [{}, "holds no array"],
    ] as const) {
      const RECORDER_JOBS = file("jobs.json", JSON.stringify(jobs));
      const [problem] = problemsOf(() => readSettings({ RECORDER_UPSTREAM: "http://x", RECORDER_JOBS }));
      expect(problem).to.contain(part);
    }
  });

  it("open a keystore, and refuse a wrong password, another file and a raw key that is not allowed", () => {
    const json = encryptKeystoreJsonSync(RECORDER, "right", { scrypt: { N: 2, r: 1, p: 1 } });
    const RECORDER_KEYSTORE = file("key.json", json);
    const RECORDER_PASSWORD_FILE = file("password", "right\n");
    expect(readKey({ RECORDER_KEYSTORE, RECORDER_PASSWORD_FILE }).address).to.equal(RECORDER.address);
    const raw = RECORDER.privateKey;
    expect(readKey({ RECORDER_KEY: raw, RECORDER_ALLOW_ENV_KEYS: "1" }).address).to.equal(RECORDER.address);
    const refused: Record<string, string>[] = [
      {},
      { RECORDER_KEYSTORE },
      { RECORDER_KEYSTORE, RECORDER_PASSWORD_FILE: file("wrong", "wrong") },
      { RECORDER_KEYSTORE: RECORDER_PASSWORD_FILE, RECORDER_PASSWORD_FILE },
      { RECORDER_KEYSTORE: join(folder, "none"), RECORDER_PASSWORD_FILE },
      { RECORDER_KEY: raw },
      { RECORDER_KEY: raw, RECORDER_ALLOW_ENV_KEYS: "yes" },
      { RECORDER_KEY: raw, RECORDER_ALLOW_ENV_KEYS: "1", RECORDER_KEYSTORE, RECORDER_PASSWORD_FILE },
      { RECORDER_KEY: "0x12", RECORDER_ALLOW_ENV_KEYS: "1" },
    ];
    for (const environment of refused) {
      const [problem] = problemsOf(() => readKey(environment));
      expect(problem, JSON.stringify(Object.keys(environment))).to.match(/^RECORDER_/);
      expect(problem).to.not.contain(raw.slice(2));
    }
  });

  it("are all in --help, and a wrong one ends the program with code 2", () => {
    const help = spawnSync(process.execPath, [BIN, "--help"], { encoding: "utf8" });
    expect(help.status).to.equal(0);
    for (const [name] of SETTINGS) expect(help.stdout).to.contain(name);
    const wrong = spawnSync(process.execPath, [BIN], { encoding: "utf8", env: { RECORDER_PORT: "x" } });
    expect(wrong.status).to.equal(2);
    expect(wrong.stderr).to.contain("RECORDER_UPSTREAM is required");
    expect(wrong.stderr).to.contain("RECORDER_PORT must be a whole number from 0 to 65535");
  }).timeout(60_000);
});
