import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { ConfigError, loadConfig } from "../../../oracle/src/index.ts";
import { SETTING_NAMES, redactedConfig, settingsHelp } from "../../../oracle/src/config/index.ts";
import { ESCROW, QUORUM } from "../support/sim-evm.ts";
import { ADDRESSES, KEYS } from "../support/world.ts";

const FILE = {
  ASSAY_EVM_RPC_URL: ["https://one.example/v2/CANARY", "https://two.example/CANARY"],
  ASSAY_EVM_CHAIN_ID: 84_532,
  ASSAY_ESCROW: ESCROW,
  ASSAY_QUORUM: QUORUM,
  ASSAY_QUORUM_MEMBERS: [ADDRESSES.attester],
  ASSAY_GENLAYER_RPC_URL: "https://genlayer.example/api/CANARY",
  ASSAY_GENLAYER_NETWORK: "testnetBradbury",
  ASSAY_ALLOW_ENV_KEYS: true,
  ASSAY_IPFS_GATEWAYS: ["https://ipfs.example/CANARY"],
};
const ENV = {
  ASSAY_ATTESTER_KEY: KEYS.attester,
  ASSAY_SUBMITTER_KEY: KEYS.submitter,
  ASSAY_RELAYER_KEY: KEYS.relayer,
  ASSAY_HTTP_PORT: "8080",
};

describe("configuration file", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-config-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function file(content: unknown): Promise<string> {
    const path = join(folder, "operator.json");
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  }

  function problems(env: Record<string, string>, path: string): Record<string, string> {
    try {
      loadConfig(env, path);
    } catch (error) {
      if (error instanceof ConfigError)
        return Object.fromEntries(error.problems.map(({ variable, message }) => [variable, message]));
      throw error;
    }
    return {};
  }

  it("gives what the environment does not, lists as arrays and numbers as numbers", async () => {
    const config = loadConfig(ENV, await file(FILE));
    expect(config.evm.endpoints.map(({ origin }) => origin)).to.deep.equal([
      "https://one.example",
      "https://two.example",
    ]);
    expect(config.evm.chainId).to.equal(84_532);
    expect(config.http.port).to.equal(8_080);
    expect(config.pollMilliseconds).to.equal(2_000);
  });

  it("is found through ASSAY_CONFIG, and loses against the environment", async () => {
    const path = await file({ ...FILE, ASSAY_HTTP_PORT: 1 });
    const config = loadConfig({ ...ENV, ASSAY_CONFIG: path, ASSAY_EVM_CHAIN_ID: "8453" });
    expect(config.http).to.include({ host: "127.0.0.1", port: 8_080 });
    expect(config.evm.chainId).to.equal(8_453);
  });

  it("is refused with a member that is no setting, and with a key in plain text", async () => {
    const path = await file({ ...FILE, ASSAY_ESCROWS: ESCROW, ASSAY_ATTESTER_KEY: KEYS.attester });
    expect(problems(ENV, path)).to.deep.equal({
      ASSAY_ESCROWS: `in ${path} is no setting; --help lists them all`,
      ASSAY_ATTESTER_KEY: `in ${path} is a key in plain text; use a keystore`,
    });
  });

  for (const [what, content, message] of [
    ["no JSON", "{ASSAY: CANARY}", /which is no JSON$/],
    ["a list", [], /which must be one JSON object/],
    ["nested", { ASSAY_EVM: { url: "CANARY" } }, /which must be one JSON object/],
  ] as const)
    it(`is refused when it is ${what}, and not quoted`, async () => {
      const found = problems(ENV, await file(content));
      expect(found["ASSAY_CONFIG"]).to.match(message);
      expect(JSON.stringify(found)).to.not.include("CANARY");
    });

  it("is missed by name", () => {
    expect(problems(ENV, join(folder, "nothing"))).to.deep.equal({
      ASSAY_CONFIG: `names ${join(folder, "nothing")}, which can't be read (ENOENT)`,
    });
  });

  it("is shown with the environment as one, each value with its source, and no secret or URL path", async () => {
    const path = await file(FILE);
    const shown = redactedConfig(loadConfig(ENV, path), ENV, path);
    expect(shown.settings["ASSAY_EVM_RPC_URL"]).to.deep.equal({
      value: "https://one.example,https://two.example",
      from: "file",
    });
    expect(shown.settings["ASSAY_HTTP_PORT"]).to.deep.equal({ value: "8080", from: "environment" });
    expect(shown.settings["ASSAY_EVM_FINALITY"]).to.deep.equal({ value: "finalized", from: "default" });
    expect(shown.settings["ASSAY_ATTESTER_KEY"]).to.deep.equal({ value: "[redacted]", from: "environment" });
    expect(shown.operator.attester).to.equal(ADDRESSES.attester);
    const text = JSON.stringify(shown);
    for (const secret of ["CANARY", ...Object.values(KEYS).map((key) => key.slice(2))])
      expect(text).to.not.include(secret);
  });
});

describe("settingsHelp", () => {
  it("has a line for every setting, with its default or that it is required", () => {
    const lines = settingsHelp().split("\n");
    expect(lines).to.have.length(SETTING_NAMES.length + 1);
    for (const name of SETTING_NAMES)
      expect(lines.some((line) => line.trim().startsWith(`${name} `))).to.equal(true);
    expect(lines.find((line) => line.includes("ASSAY_ESCROW"))).to.match(/\(required\)$/);
    expect(lines.find((line) => line.includes("ASSAY_RANK_SECONDS"))).to.match(/\[45\]$/);
  });

  it("has every setting in the operator's README as well", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../oracle/README.md"), "utf8");
    expect(SETTING_NAMES.filter((name) => !page.includes(`\`${name}\``))).to.deep.equal([]);
  });
});
