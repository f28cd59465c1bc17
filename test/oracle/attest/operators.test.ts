import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { adjudicatorConfigOf } from "@assay/protocol";
import {
  OPERATORS_SCHEMA,
  OperatorListError,
  OperatorListUnavailableError,
  bareOperatorList,
  loadOperatorList,
  parseOperatorList,
  peersOf,
} from "../../../oracle/src/attest/index.ts";
import { Endpoint, createLogger, loadConfig, openSqliteStore } from "../../../oracle/src/index.ts";
import { rejection } from "../support/rejection.ts";
import { CHAIN_ID, ESCROW, QUORUM } from "../support/sim-evm.ts";
import { hash } from "../support/states.ts";
import { ADDRESSES, KEYS } from "../support/world.ts";

const OTHER = "0x0000000000000000000000000000000000000aBc";
const MEMBERS = [OTHER, ADDRESSES.attester] as const;

const CONFIG = loadConfig({
  ASSAY_EVM_RPC_URL: "https://rpc.example",
  ASSAY_EVM_CHAIN_ID: String(CHAIN_ID),
  ASSAY_ESCROW: ESCROW,
  ASSAY_QUORUM: QUORUM,
  ASSAY_QUORUM_MEMBERS: MEMBERS.join(),
  ASSAY_QUORUM_THRESHOLD: "2",
  ASSAY_GENLAYER_RPC_URL: "https://genlayer.example",
  ASSAY_GENLAYER_NETWORK: "localnet",
  ASSAY_ALLOW_ENV_KEYS: "1",
  ASSAY_ATTESTER_KEY: KEYS.attester,
  ASSAY_SUBMITTER_KEY: KEYS.submitter,
  ASSAY_RELAYER_KEY: KEYS.relayer,
});

const LIST = {
  schema: OPERATORS_SCHEMA,
  chainId: CHAIN_ID,
  quorum: QUORUM,
  threshold: 2,
  adjudicatorConfig: adjudicatorConfigOf(MEMBERS, 2),
  members: [
    { address: OTHER, url: "https://other.example/assay", name: "Other", notes: "in another cloud" },
    { address: ADDRESSES.attester, url: "https://own.example" },
  ],
};

function problems(list: unknown): readonly string[] {
  try {
    parseOperatorList(typeof list === "string" ? list : JSON.stringify(list), CONFIG, "here");
  } catch (error) {
    if (error instanceof OperatorListError) return error.problems;
    throw error;
  }
  return [];
}

describe("operators.json", () => {
  it("names every member of the set, where to ask it, and what it says about itself", () => {
    const list = parseOperatorList(JSON.stringify(LIST), CONFIG, "here");
    expect(list).to.deep.equal(LIST);
  });

  it("makes peers of the members that announce a place, this operator excepted", () => {
    const peers = peersOf(CONFIG, parseOperatorList(JSON.stringify(LIST), CONFIG, "here"));
    expect(peers.map(({ endpoint, member }) => [endpoint.url.reveal(), member])).to.deep.equal([
      ["https://other.example/assay", OTHER],
    ]);
    const silent = { ...LIST, members: [{ address: OTHER }, { address: ADDRESSES.attester, url: null }] };
    expect(peersOf(CONFIG, parseOperatorList(JSON.stringify(silent), CONFIG, "here"))).to.deep.equal([]);
  });

  it("follows from the configuration when there is no file", () => {
    expect(bareOperatorList(CONFIG)).to.deep.equal({
      ...LIST,
      members: MEMBERS.map((address) => ({ address, url: null })),
    });
    expect(problems(bareOperatorList(CONFIG))).to.deep.equal([]);
  });

  it("is refused when it is about another set, with every difference", () => {
    const stranger = "0x3333333333333333333333333333333333333333";
    expect(
      problems({
        ...LIST,
        chainId: 1,
        quorum: ESCROW,
        threshold: 1,
        adjudicatorConfig: hash(1),
        members: [{ address: stranger }, { address: ADDRESSES.attester }],
      }),
    ).to.deep.equal([
      `chainId is 1, ASSAY_EVM_CHAIN_ID is ${CHAIN_ID}`,
      `quorum is ${ESCROW}, ASSAY_QUORUM is ${QUORUM}`,
      "threshold is 1, ASSAY_QUORUM_THRESHOLD is 2",
      `members lacks ${OTHER} of ASSAY_QUORUM_MEMBERS`,
      `members has ${stranger}, which ASSAY_QUORUM_MEMBERS lacks`,
      `adjudicatorConfig is ${hash(1)}, the configured set's is ${LIST.adjudicatorConfig}`,
    ]);
  });

  it("is refused when it names a member twice", () => {
    expect(problems({ ...LIST, members: [...LIST.members, { address: OTHER }] })).to.deep.equal([
      "members names an address twice",
    ]);
  });

  for (const [what, change, problem] of [
    ["a URL with a user", { url: "https://user:pass@other.example" }, /base URL without user/],
    ["a URL with a query", { url: "https://other.example/?key=1" }, /base URL without user/],
    ["a URL of another kind", { url: "file:///etc/passwd" }, /http or https URL/],
    ["a name that moves the cursor", { name: "\u001b[2J" }, /control characters/],
    [
      "an address with a wrong checksum",
      { address: "0x0000000000000000000000000000000000000ABc" },
      /address/,
    ],
    ["a member that nobody knows", { stake: 1 }, /stake/],
  ] as const)
    it(`is refused with ${what}`, () => {
      const found = problems({ ...LIST, members: [{ ...LIST.members[0], ...change }, LIST.members[1]] });
      expect(found.join()).to.match(problem);
    });

  it("is refused when it is no JSON", () => {
    expect(problems("{")).to.deep.equal(["it is no JSON"]);
  });

  describe("when an operator starts", () => {
    const store = openSqliteStore(":memory:");
    const logger = createLogger("silent", { write: () => undefined });
    let folder: string;
    let server: Server;
    let served: string | null;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), "assay-operators-"));
      server = createServer((_request, response) => {
        response.writeHead(served === null ? 500 : 200).end(served ?? "");
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    });
    after(async () => {
      server.close();
      server.closeAllConnections();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    });

    const load = (operatorsFile: string | Endpoint | null) =>
      loadOperatorList({ ...CONFIG, operatorsFile }, store, logger);
    const elsewhere = () =>
      new Endpoint(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/CANARY`));

    it("is read from disk", async () => {
      const path = join(folder, "operators.json");
      await writeFile(path, JSON.stringify(LIST));
      expect(await load(path)).to.deep.equal(LIST);
    });

    it("is missed by name", async () => {
      const path = join(folder, "nothing");
      expect(await rejection(load(path))).to.be.instanceOf(OperatorListError);
      expect(String(await rejection(load(path)))).to.include(
        `${path} can't be used:\n  it can't be read (ENOENT)`,
      );
    });

    it("is fetched from elsewhere, and the last copy serves while it can't be", async () => {
      served = null;
      const error = await rejection(load(elsewhere()));
      expect(error).to.be.instanceOf(OperatorListUnavailableError);
      expect(String(error)).to.not.include("CANARY");
      served = JSON.stringify(LIST);
      expect(await load(elsewhere())).to.deep.equal(LIST);
      served = null;
      expect(await load(elsewhere())).to.deep.equal(LIST);
    });

    it("is refused from elsewhere like any other, and leaves the copy alone", async () => {
      served = JSON.stringify({ ...LIST, threshold: 1 });
      expect(await rejection(load(elsewhere()))).to.be.instanceOf(OperatorListError);
      served = null;
      expect(await load(elsewhere())).to.deep.equal(LIST);
    });

    it("is not read further than a list goes", async () => {
      served = JSON.stringify({ ...LIST, members: [{ ...LIST.members[0], notes: "x".repeat(300_000) }] });
      expect(await load(elsewhere())).to.deep.equal(LIST);
    });
  });
});
