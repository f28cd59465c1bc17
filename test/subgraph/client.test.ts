import { execFileSync } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import {
  COLLECTIONS,
  createIndexClient,
  IndexError,
  type Collection,
  type IndexClient,
} from "../../subgraph/client/index.ts";
import {
  accepted,
  addressOf,
  agreement,
  certified,
  credited,
  funded,
  OPERATORS,
  operatorRevoked,
  deliveryFailed,
  evaluated,
  executionProven,
  released,
  submitted,
  withdrawn,
} from "./support/agreements.ts";
import { LogChain, rpc } from "./support/chain.ts";
import { IndexUnderTest } from "./support/index-under-test.ts";

const refusal = (attempt: Promise<unknown>): Promise<unknown> => attempt.catch((reason: unknown) => reason);

describe("index client", function () {
  this.timeout(60_000);
  let chain: LogChain;
  let index: IndexUnderTest;
  let client: IndexClient;
  const [many, buyer, seller] = [1_100, addressOf("one buyer"), addressOf("one seller")];
  const settledOne = agreement("settled one");

  before(async () => {
    chain = await LogChain.start();
    const { escrow } = chain.contracts;
    await chain.mine([
      [funded(settledOne), accepted(settledOne)],
      [submitted(settledOne)],
      [certified(settledOne, 1, escrow), released(settledOne), credited(settledOne, settledOne.seller, 5n)],
      [withdrawn(settledOne.seller, addressOf("safe"), 5n)],
      [
        operatorRevoked(addressOf("gone")),
        deliveryFailed(0, settledOne.id, "0x"),
        evaluated(addressOf("commerce"), 1n, 1),
        executionProven(settledOne, addressOf("elsewhere")),
      ],
    ]);
    for (let first = 0; first < many; first += 100) {
      const some = Array.from({ length: 100 }, (_, number) =>
        agreement(`many ${first + number}`, { buyer, seller }),
      );
      await chain.mine([some.map(funded)]);
    }
    index = await IndexUnderTest.start(chain.evm.rpcUrl, chain.contracts, 1);
    await index.catchUp();
    client = createIndexClient({ url: index.graph.queryUrl, hashOf });
  });
  after(async () => {
    await index.stop();
    await chain.stop();
  });

  const hashOf = async (number: number): Promise<string | undefined> =>
    (
      await rpc<{ hash: string } | null>(
        chain.evm.rpcUrl,
        "eth_getBlockByNumber",
        `0x${number.toString(16)}`,
        false,
      )
    )?.hash;

  it("knows the schema as it is", () => {
    execFileSync(process.execPath, [
      fileURLToPath(new URL("../../subgraph/client/generate.ts", import.meta.url)),
      "--check",
    ]);
  });

  it("returns everything, however many pages it takes", async () => {
    const { found } = await client.all("agreements", ["id"], { where: { buyer } });
    expect(new Set(found.map(({ id }) => id))).to.have.property("size", many);
  });

  it("says for which block it speaks", async () => {
    const { block } = await client.all("escrows", ["agreementCount"]);
    expect(block).to.include(await chain.readHead());
    expect(block.timestamp).to.equal((await chain.readLogs()).at(-1)?.timestamp);
  });

  it("types what it returns: amounts are bigints, references have ids, enums are theirs", async () => {
    const { found } = await client.one("agreements", settledOne.id as `0x${string}`, [
      ...(["reward", "status", "outcome", "buyer", "closedAt", "conceder"] as const),
    ]);
    expect(found).to.deep.include({
      ...{ reward: settledOne.reward, status: "RELEASED", outcome: "PASS", conceder: null },
      buyer: { id: settledOne.buyer },
    });
    const [certificate] = (await client.all("certificates", ["id", "agreement", "signers"])).found;
    expect(certificate?.id).to.match(/^0x[0-9a-f]{72}$/);
    expect(certificate?.agreement).to.deep.equal({ id: settledOne.id });
    expect(certificate?.signers).to.deep.equal(OPERATORS.slice(0, 2).map((id) => ({ id })));
    expect(found?.closedAt).to.be.a("bigint");
  });

  for (const collection of Object.keys(COLLECTIONS) as Collection[]) {
    it(`reads every field of ${collection}`, async () => {
      const fields = Object.keys(COLLECTIONS[collection].fields) as never[];
      const { found } = await client.all(collection, fields);
      expect(found).to.not.be.empty;
    });
  }

  it("finds nothing where there is nothing", async () => {
    expect((await client.one("operators", `0x${"77".repeat(20)}`, ["id"])).found).to.equal(undefined);
  });

  it("passes on that a question makes no sense", async () => {
    const error = await refusal(client.all("agreements", ["id"], { where: { nonsense: 1 } }));
    expect(error).to.be.instanceOf(IndexError);
    expect(error).to.have.property("code", "REFUSED");
  });

  it("will not answer for a block that the index has not reached", async () => {
    const { number } = await chain.readHead();
    const error = await refusal(client.all("escrows", ["id"], { atLeast: number + 1 }));
    expect(error).to.include({
      code: "BEHIND",
      message: `The index stands at block ${number}, before block ${number + 1}`,
    });
  });

  it("will not answer from a block that the chain does not have", async () => {
    const other = createIndexClient({
      url: index.graph.queryUrl,
      hashOf: () => Promise.resolve(`0x${"ab".repeat(32)}`),
    });
    expect(await refusal(other.all("escrows", ["id"]))).to.have.property("code", "OFF_CHAIN");
  });

  it("says that nobody answers", async () => {
    const nobody = createIndexClient({ url: "http://127.0.0.1:1/" });
    expect(await refusal(nobody.head())).to.include({
      code: "UNREACHABLE",
      message: "The index does not answer at http://127.0.0.1:1/",
    });
  });
});

describe("index client before an index that misbehaves", () => {
  let server: Server;
  let client: IndexClient;
  let answers: unknown[];
  const block = { number: 7, hash: `0x${"ab".repeat(32)}`, timestamp: 1_700_000_000 };
  const healthy = { data: { _meta: { block, hasIndexingErrors: false } } };

  before(async () => {
    server = createServer((_request, response) => {
      const answer = answers.shift();
      response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    client = createIndexClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
  });
  after(() => server.close());

  const cases: Record<string, { answers: unknown[]; code: string; says: string }> = {
    "a handler that failed": {
      answers: [{ data: { _meta: { block, hasIndexingErrors: true } } }],
      ...{ code: "FAILING", says: "stopped at block 7" },
    },
    "an indexing error in the answer": {
      answers: [healthy, { errors: [{ message: "indexing_error" }], data: null }],
      ...{ code: "FAILING", says: "indexing_error" },
    },
    "no JSON": { answers: ["<html>"], code: "UNREACHABLE", says: "does not answer" },
    "no data": { answers: [{}], code: "MALFORMED", says: "without data" },
    "no block": { answers: [{ data: { _meta: null } }], code: "MALFORMED", says: "where it stands" },
    "no list": { answers: [healthy, { data: { page: null } }], code: "MALFORMED", says: "no list" },
    "an amount that is a number": {
      answers: [healthy, { data: { page: [{ id: "0x", fundedTotal: 5 }] } }],
      ...{ code: "MALFORMED", says: "escrows.fundedTotal should be BigInt, not 5" },
    },
  };
  for (const [name, { answers: given, code, says }] of Object.entries(cases)) {
    it(`refuses ${name}`, async () => {
      answers = [...given];
      const error = await refusal(client.all("escrows", ["fundedTotal"]));
      expect(error).to.have.property("code", code);
      expect(error).to.have.property("message").that.includes(says);
    });
  }

  it("asks again when the chain was reorganised under the question", async () => {
    const moved = {
      data: { _meta: { block: { number: 8, hash: `0x${"cd".repeat(32)}` }, hasIndexingErrors: false } },
    };
    const lost = { errors: [{ message: "no block with that hash found" }] };
    answers = [healthy, lost, moved, moved, { data: { page: [{ id: "0x", fundedTotal: "5" }] } }];
    expect(await client.all("escrows", ["fundedTotal"])).to.deep.equal({
      block: { number: 8, hash: `0x${"cd".repeat(32)}`, timestamp: null },
      found: [{ fundedTotal: 5n }],
    });
  });
});
