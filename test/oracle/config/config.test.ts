import { inspect } from "node:util";
import { expect } from "chai";
import { ConfigError, Endpoint, Secret, loadConfig } from "../../../oracle/src/index.ts";
import { withoutUrls } from "../../../oracle/src/config/index.ts";
import { ADDRESSES, KEYS } from "../support/world.ts";
import { ESCROW, QUORUM } from "../support/sim-evm.ts";

const OTHER = "0x0000000000000000000000000000000000000abC";

const ENV = {
  ASSAY_EVM_RPC_URL: "https://rpc.example/v2/SECRET-KEY, https://other.example/",
  ASSAY_EVM_CHAIN_ID: "84532",
  ASSAY_ESCROW: ESCROW.toLowerCase(),
  ASSAY_QUORUM: QUORUM,
  ASSAY_QUORUM_MEMBERS: `${ADDRESSES.attester},${OTHER.toLowerCase()}`,
  ASSAY_QUORUM_THRESHOLD: "2",
  ASSAY_GENLAYER_RPC_URL: "https://genlayer.example/api",
  ASSAY_GENLAYER_NETWORK: "testnetBradbury",
  ASSAY_ALLOW_ENV_KEYS: "1",
  ASSAY_ATTESTER_KEY: KEYS.attester,
  ASSAY_SUBMITTER_KEY: KEYS.submitter,
  ASSAY_RELAYER_KEY: KEYS.relayer,
};

function problems(env: Record<string, string | undefined>): Record<string, string> {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError)
      return Object.fromEntries(error.problems.map(({ variable, message }) => [variable, message]));
    throw error;
  }
  return {};
}

describe("loadConfig", () => {
  it("reads a whole environment, and takes defaults for what is absent", () => {
    const config = loadConfig(ENV);
    expect(config.evm.endpoints.map(({ origin }) => origin)).to.deep.equal([
      "https://rpc.example",
      "https://other.example",
    ]);
    expect(config.evm.escrow).to.equal(ESCROW);
    expect(config.evm.finality).to.equal("finalized");
    expect(config.evm.tokenDecimals).to.equal(6);
    expect(config.genLayer.network.consensusMain).to.equal("0x0112Bf6e83497965A5fdD6Dad1E447a6E004271D");
    expect(config.keys.attester.address).to.equal(ADDRESSES.attester);
    expect(config.http).to.deep.equal({
      host: "127.0.0.1",
      port: 0,
      rates: { perClient: 100, total: 500 },
      trustedProxies: 0,
      mcp: false,
    });
    expect(config.documents.windowSeconds).to.equal(null);
    expect(config.peers).to.deep.equal([]);
  });

  it("sorts the members, so that their order in the environment does not matter", () => {
    const turned = loadConfig({
      ...ENV,
      ASSAY_QUORUM_MEMBERS: `${OTHER.toLowerCase()},${ADDRESSES.attester}`,
    });
    expect(turned.members).to.deep.equal(loadConfig(ENV).members);
    expect(turned.members.addresses[0]).to.equal("0x0000000000000000000000000000000000000aBc");
  });

  it("takes an empty variable for an absent one", () => {
    expect(loadConfig({ ...ENV, ASSAY_HTTP_PORT: " " }).http.port).to.equal(0);
    expect(problems({ ...ENV, ASSAY_ESCROW: "" })).to.deep.equal({ ASSAY_ESCROW: "is required" });
  });

  for (const [text, finality] of [
    ["safe", "safe"],
    ["12", { confirmations: 12 }],
    ["0", { confirmations: 0 }],
  ] as const)
    it(`reads the finality "${text}"`, () => {
      expect(loadConfig({ ...ENV, ASSAY_EVM_FINALITY: text }).evm.finality).to.deep.equal(finality);
    });

  it("lists everything that is wrong at once", () => {
    const found = problems({
      ...ENV,
      ASSAY_EVM_RPC_URL: "ftp://rpc.example",
      ASSAY_EVM_CHAIN_ID: "0x1",
      ASSAY_ESCROW: "0x5fbDB2315678afecb367f032d93F642f64180aa3",
      ASSAY_QUORUM_THRESHOLD: undefined,
      ASSAY_EVM_FINALITY: "soon",
      ASSAY_GENLAYER_NETWORK: "mainnet",
      ASSAY_ATTESTER_KEY: "0x01",
      ASSAY_HTTP_PORT: "70000",
      ASSAY_POLL_MILLISECONDS: "1.5",
      ASSAY_LOG_LEVEL: "loud",
      ASSAY_RELAYER_KEY: `0x${"00".repeat(32)}`,
    });
    expect(Object.keys(found)).to.have.members([
      "ASSAY_EVM_RPC_URL",
      "ASSAY_EVM_CHAIN_ID",
      "ASSAY_ESCROW",
      "ASSAY_EVM_FINALITY",
      "ASSAY_GENLAYER_NETWORK",
      "ASSAY_ATTESTER_KEY",
      "ASSAY_HTTP_PORT",
      "ASSAY_POLL_MILLISECONDS",
      "ASSAY_LOG_LEVEL",
      "ASSAY_RELAYER_KEY",
    ]);
    expect(found["ASSAY_EVM_RPC_URL"]).to.equal("must be an http or https URL");
    expect(found["ASSAY_ESCROW"]).to.match(/EIP-55/);
    expect(found["ASSAY_HTTP_PORT"]).to.equal("must be an integer from 0 to 65535");
    expect(found["ASSAY_ATTESTER_KEY"]).to.equal("must be 0x and 64 hexadecimal digits");
  });

  it("demands what has no default", () => {
    const found = problems({});
    expect(Object.values(found).every((message) => message === "is required")).to.equal(true);
    expect(Object.keys(found)).to.deep.equal([
      "ASSAY_EVM_RPC_URL",
      "ASSAY_EVM_CHAIN_ID",
      "ASSAY_ESCROW",
      "ASSAY_QUORUM",
      "ASSAY_QUORUM_MEMBERS",
      "ASSAY_GENLAYER_RPC_URL",
      "ASSAY_GENLAYER_NETWORK",
      "ASSAY_ATTESTER_KEYSTORE",
      "ASSAY_SUBMITTER_KEYSTORE",
      "ASSAY_RELAYER_KEYSTORE",
    ]);
  });

  it("demands that the attester is a member, and the threshold possible", () => {
    expect(
      problems({ ...ENV, ASSAY_QUORUM_MEMBERS: OTHER.toLowerCase(), ASSAY_QUORUM_THRESHOLD: "1" }),
    ).to.deep.equal({
      ASSAY_QUORUM_MEMBERS: `must hold this operator's attester ${ADDRESSES.attester}`,
    });
    expect(problems({ ...ENV, ASSAY_QUORUM_THRESHOLD: "3" })).to.have.property("ASSAY_QUORUM_MEMBERS");
  });

  it("takes more than two thirds of the members when no threshold is given", () => {
    const thresholdOf = (members: readonly string[]) =>
      loadConfig({ ...ENV, ASSAY_QUORUM_MEMBERS: members.join(), ASSAY_QUORUM_THRESHOLD: undefined }).members
        .threshold;
    const others = Array.from({ length: 6 }, (_unused, index) => `0x${`${index + 1}`.repeat(40)}`);
    expect(
      [0, 1, 2, 3, 4, 6].map((count) => thresholdOf([ADDRESSES.attester, ...others.slice(0, count)])),
    ).to.deep.equal([1, 2, 3, 3, 4, 5]);
  });

  it("demands that the escrow differs from the quorum", () => {
    expect(problems({ ...ENV, ASSAY_QUORUM: ESCROW })).to.deep.equal({
      ASSAY_QUORUM: "must differ from ASSAY_ESCROW",
    });
  });

  it("takes an operators.json or peers, not both, and the file from disk or over https only", () => {
    const file = { ...ENV, ASSAY_OPERATORS_FILE: "https://set.example/operators.json" };
    expect(String(loadConfig(file).operatorsFile)).to.equal("https://set.example");
    expect(loadConfig({ ...ENV, ASSAY_OPERATORS_FILE: "operators.json" }).operatorsFile).to.equal(
      "operators.json",
    );
    expect(problems({ ...file, ASSAY_PEERS: "https://peer.example" })).to.deep.equal({
      ASSAY_PEERS: "is given beside ASSAY_OPERATORS_FILE; give one of the two",
    });
    expect(problems({ ...ENV, ASSAY_OPERATORS_FILE: "http://set.example/operators.json" })).to.deep.equal({
      ASSAY_OPERATORS_FILE: "must be a path or an https URL",
    });
  });

  it("never quotes a value in an error", () => {
    try {
      loadConfig({ ...ENV, ASSAY_ATTESTER_KEY: "0xCANARY", ASSAY_EVM_RPC_URL: "CANARY://x" });
      expect.fail();
    } catch (error) {
      expect(String(error)).to.not.include("CANARY");
    }
  });

  it("never shows a key or a URL's path, however it is printed", () => {
    const config = loadConfig(ENV);
    for (const text of [
      JSON.stringify(config, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
      inspect(config, { depth: 9 }),
      String(config.keys.attester.privateKey),
    ]) {
      expect(text).to.not.include("a1a1a1");
      expect(text).to.not.include("SECRET-KEY");
    }
  });
});

describe("Secret", () => {
  it("reveals itself only when asked", () => {
    const secret = new Secret("CANARY");
    expect(secret.reveal()).to.equal("CANARY");
    expect(`${String(secret)} ${JSON.stringify({ secret })} ${inspect(secret)}`).to.not.include("CANARY");
  });
});

describe("withoutUrls", () => {
  it("leaves the origin of every URL in a text", () => {
    expect(
      withoutUrls("GET https://user:pass@a.example:8545/v2/KEY?x=1 failed, see http://b.example/."),
    ).to.equal("GET https://a.example:8545 failed, see http://b.example");
    expect(new Endpoint(new URL("https://a.example/KEY")).origin).to.equal("https://a.example");
  });
});
