import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { Wallet } from "ethers";
import { SETTING_NAMES } from "../../../oracle/src/config/index.ts";
import { Runs } from "../support/operator-process.ts";
import { ESCROW, QUORUM } from "../support/sim-evm.ts";
import { ADDRESSES, KEYS } from "../support/world.ts";

const ENV = {
  ASSAY_EVM_RPC_URL: "https://rpc.example/v2/CANARY",
  ASSAY_EVM_CHAIN_ID: "84532",
  ASSAY_ESCROW: ESCROW,
  ASSAY_QUORUM: QUORUM,
  ASSAY_QUORUM_MEMBERS: ADDRESSES.attester,
  ASSAY_GENLAYER_RPC_URL: "https://genlayer.example/CANARY",
  ASSAY_GENLAYER_NETWORK: "testnetBradbury",
  ASSAY_ALLOW_ENV_KEYS: "1",
  ASSAY_ATTESTER_KEY: KEYS.attester,
  ASSAY_SUBMITTER_KEY: KEYS.submitter,
  ASSAY_RELAYER_KEY: KEYS.relayer,
};

describe("operator commands", function () {
  this.timeout(60_000);
  const runs = new Runs();
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-commands-"));
  });
  afterEach(async () => {
    await runs.end();
    await rm(folder, { recursive: true, force: true });
  });

  async function operator(args: readonly string[], env: Record<string, string> = {}) {
    const { ended, output } = runs.start(env, args);
    return { code: await ended, ...output };
  }

  it("--help lists every setting with its default, and the exit codes", async () => {
    const { code, stdout, stderr } = await operator(["--help"]);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: "" });
    for (const name of SETTING_NAMES) expect(stdout).to.include(`  ${name} `);
    expect(stdout).to.match(/75: start me again/);
  });

  it("config --redacted shows what is in effect, and nothing that is secret", async () => {
    const file = join(folder, "operator.json");
    await writeFile(file, JSON.stringify({ ASSAY_RANK_SECONDS: 30 }));
    const { code, stdout, stderr } = await operator(["config", "--redacted", "--config", file], ENV);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: "" });
    const { settings, operator: who } = JSON.parse(stdout) as {
      settings: Record<string, { value: string; from: string }>;
      operator: { attester: string };
    };
    expect(settings["ASSAY_RANK_SECONDS"]).to.deep.equal({ value: "30", from: "file" });
    expect(settings["ASSAY_EVM_RPC_URL"]).to.deep.equal({
      value: "https://rpc.example",
      from: "environment",
    });
    expect(who.attester).to.equal(ADDRESSES.attester);
    for (const secret of ["CANARY", ...Object.values(KEYS).map((key) => key.slice(2))])
      expect(stdout).to.not.include(secret);
  });

  it("config --redacted says everything that is wrong instead", async () => {
    const { code, stdout, stderr } = await operator(["config", "--redacted"], {
      ...ENV,
      ASSAY_ESCROW: "0x1",
    });
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: "" });
    expect(stderr).to.match(/^the configuration has one problem:\n {2}ASSAY_ESCROW /);
  });

  it("keystore makes a key that only its password opens, and never replaces a file", async () => {
    const [file, password] = [join(folder, "attester.json"), join(folder, "password")];
    await writeFile(password, "correct horse\n");
    const made = await operator(["keystore", file, "--password-file", password]);
    expect(made.code).to.equal(0);
    const json = await readFile(file, "utf8");
    const wallet = await Wallet.fromEncryptedJson(json, "correct horse");
    expect(made.stdout).to.equal(`${wallet.address}\n`);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);

    const again = await operator(["keystore", file, "--password-file", password]);
    expect(again.code).to.equal(1);
    expect(again.stderr).to.match(/EEXIST/);
    expect(await readFile(file, "utf8")).to.equal(json);
  });

  it("keystore wants a password", async () => {
    const empty = join(folder, "empty");
    await writeFile(empty, "\n");
    const file = join(folder, "key.json");
    expect((await operator(["keystore", file])).stderr).to.equal("keystore needs --password-file\n");
    const { code, stderr } = await operator(["keystore", file, "--password-file", empty]);
    expect({ code, stderr }).to.deep.equal({ code: 1, stderr: `${empty} holds no password\n` });
  });

  it("anything else is refused with the usage", async () => {
    for (const args of [["dance"], ["config"], ["--loud"]]) {
      const { code, stdout, stderr } = await operator(args, ENV);
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: "" });
      expect(stderr).to.include("Usage: operator.ts");
    }
  });
});
