import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { encryptKeystoreJsonSync } from "ethers";
import { ConfigError, loadConfig, type OperatorConfig } from "../../../oracle/src/index.ts";
import { ESCROW, QUORUM } from "../support/sim-evm.ts";
import { ADDRESSES, KEYS } from "../support/world.ts";

const BASE = {
  ASSAY_EVM_RPC_URL: "https://rpc.example",
  ASSAY_EVM_CHAIN_ID: "84532",
  ASSAY_ESCROW: ESCROW,
  ASSAY_QUORUM: QUORUM,
  ASSAY_QUORUM_MEMBERS: ADDRESSES.attester,
  ASSAY_GENLAYER_RPC_URL: "https://genlayer.example",
  ASSAY_GENLAYER_NETWORK: "testnetBradbury",
};
const RAW = {
  ASSAY_ATTESTER_KEY: KEYS.attester,
  ASSAY_SUBMITTER_KEY: KEYS.submitter,
  ASSAY_RELAYER_KEY: KEYS.relayer,
};
const PASSWORD = "CANARY-PASSWORD";

/** A keystore that opens quickly: the work factor is in the file. */
function keystore(role: keyof typeof KEYS, password = PASSWORD): string {
  const account = { address: ADDRESSES[role], privateKey: KEYS[role] };
  return encryptKeystoreJsonSync(account, password, { scrypt: { N: 1_024, r: 8, p: 1 } });
}

function load(env: Record<string, string>): OperatorConfig | Record<string, string> {
  try {
    return loadConfig({ ...BASE, ...env });
  } catch (error) {
    if (error instanceof ConfigError)
      return Object.fromEntries(error.problems.map(({ variable, message }) => [variable, message]));
    throw error;
  }
}

describe("keys of an operator", () => {
  let folder: string;
  let files: Record<string, string>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-keys-"));
    const place = (name: string) => join(folder, name);
    files = {
      ASSAY_ATTESTER_KEYSTORE: place("attester.json"),
      ASSAY_SUBMITTER_KEYSTORE: place("submitter.json"),
      ASSAY_RELAYER_KEYSTORE: place("relayer.json"),
      ASSAY_PASSWORD_FILE: place("password"),
    };
    for (const role of ["attester", "submitter", "relayer"] as const)
      await writeFile(place(`${role}.json`), keystore(role));
    await writeFile(place("password"), `${PASSWORD}\n`);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("come from keystores, opened with the password that stands in a file", () => {
    const { keys } = load(files) as OperatorConfig;
    for (const role of ["attester", "submitter", "relayer"] as const) {
      expect(keys[role].address).to.equal(ADDRESSES[role]);
      expect(keys[role].privateKey.reveal()).to.equal(KEYS[role]);
    }
  });

  it("may each have a password of their own", async () => {
    const other = join(folder, "other");
    await writeFile(other, "another one");
    await writeFile(join(folder, "relayer.json"), keystore("relayer", "another one"));
    expect(load({ ...files, ASSAY_RELAYER_PASSWORD_FILE: other })).to.have.property("keys");
    expect(load(files)).to.deep.equal({
      ASSAY_RELAYER_KEYSTORE: `names ${join(folder, "relayer.json")}, which the password in ${join(folder, "password")} does not open`,
    });
  });

  it("are missed by the name of the file, and its content is never quoted", async () => {
    await writeFile(join(folder, "submitter.json"), '{"CANARY":1}');
    await rm(join(folder, "relayer.json"));
    expect(load(files)).to.deep.equal({
      ASSAY_SUBMITTER_KEYSTORE: `names ${join(folder, "submitter.json")}, which is no keystore of version 3`,
      ASSAY_RELAYER_KEYSTORE: `names ${join(folder, "relayer.json")}, which can't be read (ENOENT)`,
    });
  });

  it("need a password file", () => {
    const { ASSAY_PASSWORD_FILE: _absent, ...rest } = files;
    expect(load(rest)).to.have.property(
      "ASSAY_ATTESTER_PASSWORD_FILE",
      "is required with ASSAY_ATTESTER_KEYSTORE",
    );
  });

  it("are refused in the environment unless that is allowed explicitly", () => {
    expect(load(RAW)).to.deep.equal(
      Object.fromEntries(
        ["ATTESTER", "SUBMITTER", "RELAYER"].map((role) => [
          `ASSAY_${role}_KEY`,
          `is a key in the environment, which ASSAY_ALLOW_ENV_KEYS=1 allows on development chains; use ASSAY_${role}_KEYSTORE`,
        ]),
      ),
    );
    expect(load({ ...RAW, ASSAY_ALLOW_ENV_KEYS: "1" })).to.have.property("keys");
    expect(load({ ...RAW, ASSAY_ALLOW_ENV_KEYS: "yes" })).to.have.property(
      "ASSAY_ALLOW_ENV_KEYS",
      "must be 1 or 0",
    );
  });

  it("come from one place only", () => {
    expect(load({ ...files, ASSAY_ALLOW_ENV_KEYS: "1", ASSAY_RELAYER_KEY: KEYS.relayer })).to.deep.equal({
      ASSAY_RELAYER_KEY: "is given beside ASSAY_RELAYER_KEYSTORE; give one of the two",
    });
  });

  for (const [role, other] of [
    ["submitter", "attester"],
    ["relayer", "attester"],
    ["relayer", "submitter"],
  ] as const)
    it(`are refused when the ${role}'s is the ${other}'s`, () => {
      const name = `ASSAY_${role.toUpperCase()}`;
      expect(load({ ...RAW, ASSAY_ALLOW_ENV_KEYS: "1", [`${name}_KEY`]: KEYS[other] })).to.deep.equal({
        [`${name}_KEYSTORE`]: `is the same key as the ${other}'s; every role needs its own`,
      });
    });
});
