import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { toAddress, toHash, type Address, type Categories } from "../../protocol/src/index.ts";
import {
  createIndexClient,
  createQueryClient,
  NoSourceError,
  type AnswerBlock,
  type QueryClient,
  type QueryClientParameters,
} from "../../subgraph/client/index.ts";
import { agreement, funded, released, type TestAgreement } from "./support/agreements.ts";
import { LogChain, rpc } from "./support/chain.ts";
import { IndexUnderTest } from "./support/index-under-test.ts";
import {
  startOperatorStandIn,
  type OperatorKnowledge,
  type OperatorStandIn,
} from "./support/operator-stand-in.ts";
import { randomLives } from "./support/random-lives.ts";

const SEED = 7;
const LIVES = 30;
const CHECK = fileURLToPath(new URL("../../subgraph/deploy/check.ts", import.meta.url));
const NOBODY = "http://127.0.0.1:1/";

describe("query client", function () {
  this.timeout(120_000);
  let chain: LogChain;
  let index: IndexUnderTest;
  let operator: OperatorStandIn;
  let knowledge: OperatorKnowledge;
  let server: Server;
  let impostor: { url: string; answer: unknown };
  let head: AnswerBlock;
  let parties: Address[];
  let ids: string[];
  let categories: Categories;
  const doomed = agreement("ended twice");

  const send = (method: string, params: unknown[]): Promise<unknown> =>
    rpc(chain.evm.rpcUrl, method, ...params);
  const clientOf = (changes: Partial<QueryClientParameters>): QueryClient => {
    const { escrow, quorum } = chain.contracts;
    const deployment = { chainId: 31337, startBlock: 1 };
    return createQueryClient({
      deployment: { ...deployment, escrow: toAddress(escrow), quorum: toAddress(quorum) },
      ...changes,
    });
  };
  const byChain = (): QueryClient => clientOf({ rpc: send });

  before(async () => {
    chain = await LogChain.start();
    for (const block of randomLives(SEED, LIVES, chain.contracts.escrow)) await chain.mine(block);
    index = await IndexUnderTest.start(chain.evm.rpcUrl, chain.contracts, 1);
    await index.catchUp();
    const fundings = (await chain.readLogs()).filter(({ name }) => name === "Funded");
    ids = fundings.map(({ args }) => String(args["agreementId"]));
    const terms = fundings.map(({ args }) => args["terms"] as TestAgreement);
    parties = [...new Set(terms.flatMap(({ buyer, seller }) => [buyer, seller]))].map((one) =>
      toAddress(one),
    );
    ({ block: head } = await byChain().totals());

    const [party] = parties;
    // Every other document names a category.
    categories = new Map(
      terms.map(({ agreementHash }, number) => [toHash(agreementHash), number % 2 === 0 ? "writing" : null]),
    );
    knowledge = {
      ...{ caip2: "eip155:31337", escrow: toAddress(chain.contracts.escrow), block: head },
      agreement: (await byChain().agreement(ids[0]!)).value,
      agreements: (await byChain().agreementsOf(party!)).value,
      reputation: (await byChain().reputation(party!, { categories })).value,
    };
    operator = await startOperatorStandIn(() => knowledge);
    server = createServer((_request, response) => response.end(JSON.stringify(impostor.answer)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    impostor = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, answer: null };
  });
  after(async () => {
    server.close();
    await operator.stop();
    await index.stop();
    await chain.stop();
  });

  /** An index that says where it stands, and nothing else. */
  const standingAt = (block: AnswerBlock, hasIndexingErrors = false): string => {
    const _meta = { block, hasIndexingErrors };
    impostor.answer = { data: { _meta, page: [] } };
    return impostor.url;
  };

  describe("with an index", () => {
    it("takes every answer from it, and says for which block it speaks", async () => {
      const client = clientOf({ graphUrl: index.graph.queryUrl, rpc: send });
      const [party, other] = parties as [Address, Address];
      for (const answer of [
        await client.agreement(ids[0]!),
        await client.agreementsOf(party),
        await client.reputation(party),
        await client.pairHistory(party, other),
        await client.totals(),
      ]) {
        const { value: _value, ...rest } = answer;
        expect(rest).to.deep.equal({ source: "graph", sourceReason: "graph", block: head, passedOver: [] });
      }
    });

    it("gets the same from it as from the chain", async () => {
      const [graph, direct] = [clientOf({ graphUrl: index.graph.queryUrl, rpc: send }), byChain()];
      const same = async (question: (client: QueryClient) => Promise<{ value: unknown }>): Promise<void> => {
        expect((await question(graph)).value).to.deep.equal((await question(direct)).value);
      };
      await same((client) => client.totals());
      for (const id of ids) await same((client) => client.agreement(id));
      for (const party of parties) {
        await same((client) => client.agreementsOf(party));
        await same((client) => client.reputation(party));
        await same((client) => client.pairHistory(parties[0]!, party));
      }
      await same((client) => client.agreement(`0x${"77".repeat(32)}`));
      for (const party of parties) await same((client) => client.facts(party));
    });

    it("tells which agreements a hash belongs to, and as what, as the chain does", async () => {
      const [graph, direct] = [clientOf({ graphUrl: index.graph.queryUrl, rpc: send }), byChain()];
      const { found } = await createIndexClient({ url: index.graph.queryUrl }).all("agreements", [
        "id",
        "agreementHash",
        "submissionHash",
        "verdictHash",
      ]);
      const roles = new Set<string>();
      for (const { id, agreementHash, submissionHash, verdictHash } of found)
        for (const [role, hash] of Object.entries({
          agreement: agreementHash,
          submission: submissionHash,
          verdict: verdictHash,
        })) {
          if (hash === null || roles.has(`${role} ${hash}`)) continue;
          roles.add(`${role} ${hash}`);
          const { value } = await graph.ownersOf(hash);
          expect(value).to.deep.include({ agreementId: id, role });
          expect((await direct.ownersOf(hash)).value).to.deep.equal(value);
        }
      expect([...roles].some((named) => named.startsWith("verdict"))).to.equal(true);
      expect((await graph.ownersOf(`0x${"77".repeat(32)}`)).value).to.deep.equal([]);
    });

    it("lists what was funded last, newest first, as the chain does", async () => {
      const [graph, direct] = [clientOf({ graphUrl: index.graph.queryUrl, rpc: send }), byChain()];
      const whole = (await graph.latest(ids.length)).value;
      const byId = (list: typeof whole) =>
        list.toSorted((one, other) => (one.agreementId < other.agreementId ? -1 : 1));
      expect(byId(whole)).to.deep.equal(byId((await direct.latest(ids.length)).value));
      for (const client of [graph, direct]) {
        const times = (await client.latest(5)).value.map(({ fundedAt }) => fundedAt);
        expect(times).to.have.length(5);
        expect(times).to.deep.equal(times.toSorted((one, other) => other - one));
        expect(times[0]).to.equal(whole[0]?.fundedAt);
      }
    });
  });

  describe("without an index", () => {
    it("asks the operator, all its pages, and says why", async () => {
      const client = clientOf({ operatorUrl: operator.url, rpc: send });
      const [party] = parties as [Address];
      operator.paths.length = 0;
      const answer = await client.agreementsOf(party);
      expect(answer).to.deep.include({
        source: "operator",
        sourceReason: "graph_not_configured",
        block: head,
      });
      expect(answer.value).to.deep.equal(knowledge.agreements);
      expect(operator.paths).to.have.length(knowledge.agreements.length);
      expect((await client.agreement(ids[0]!)).value).to.deep.equal(knowledge.agreement);
      const reputation = await client.reputation(party);
      expect(reputation.value).to.deep.equal({ ...knowledge.reputation, byCategory: null });
      expect(reputation.source).to.equal("operator");
    });

    it("asks the operator by category, and gets what the chain's logs and the documents say", async () => {
      const [party] = parties as [Address];
      const { value, source } = await clientOf({ operatorUrl: operator.url, rpc: send }).reputation(party, {
        categories,
      });
      expect(source).to.equal("operator");
      expect(value.byCategory?.categories.map(({ category }) => category)).to.deep.equal(["writing", null]);
      expect(value).to.deep.equal((await byChain().reputation(party, { categories })).value);
    });

    it("asks the chain by category when the operator lacks a document that the asker may hold", async () => {
      const [party] = parties as [Address];
      const before = knowledge;
      const { value: lacking } = await byChain().reputation(party, { categories: new Map() });
      knowledge = { ...knowledge, reputation: lacking };
      const answer = await clientOf({ operatorUrl: operator.url, rpc: send }).reputation(party, {
        categories,
      });
      knowledge = before;
      expect(lacking.byCategory?.documentsMissing).to.be.greaterThan(0);
      expect(answer.source).to.equal("chain");
      expect(answer.passedOver[1]).to.include({ source: "operator", refusal: "cannot_tell" });
      expect(answer.value.byCategory?.documentsMissing).to.equal(0);
    });

    it("asks the chain what an operator can't tell", async () => {
      const client = clientOf({ operatorUrl: operator.url, rpc: send });
      const [party, other] = parties as [Address, Address];
      const adjudications = [{ adjudicator: party, adjudicatorConfig: `0x${"01".repeat(32)}` as const }];
      for (const answer of [
        await client.totals(),
        await client.facts(party),
        await client.ownersOf(ids[0]!),
        await client.pairHistory(party, other),
        await client.reputation(party, { adjudications }),
      ]) {
        expect(answer).to.include({ source: "chain", sourceReason: "graph_not_configured" });
        expect(answer.passedOver.map(({ source, refusal }) => [source, refusal])).to.deep.equal([
          ["graph", "not_configured"],
          ["operator", "cannot_tell"],
        ]);
      }
    });

    const unusable: [string, Partial<OperatorKnowledge>, string][] = [
      ["answers for another escrow", { escrow: `0x${"00".repeat(19)}01` }, "failed"],
      ["answers for another chain", { caip2: "eip155:1" }, "failed"],
      ["has read no block", { block: null }, "behind"],
      ["does not know the agreement", { agreement: null }, "cannot_tell"],
    ];
    for (const [what, changes, refusal] of unusable) {
      it(`passes over an operator that ${what}`, async () => {
        const before = knowledge;
        knowledge = { ...knowledge, ...changes };
        const answer = await clientOf({ operatorUrl: operator.url, rpc: send }).agreement(ids[0]!);
        knowledge = before;
        expect(answer.source).to.equal("chain");
        expect(answer.passedOver[1]).to.include({ source: "operator", refusal });
      });
    }

    it("passes over an operator on a block that the chain does not have", async () => {
      const before = knowledge;
      knowledge = { ...knowledge, block: { ...head, hash: `0x${"ab".repeat(32)}` } };
      const answer = await clientOf({ operatorUrl: operator.url, rpc: send }).agreement(ids[0]!);
      knowledge = before;
      expect(answer.passedOver[1]).to.include({ refusal: "off_chain" });
    });

    it("passes over an operator whose answer is malformed", async () => {
      const { caip2, escrow } = knowledge;
      impostor.answer = { source: { caip2, escrow, block: head }, agreementId: 5 };
      const answer = await clientOf({ operatorUrl: impostor.url, rpc: send }).agreement(ids[0]!);
      expect(answer.passedOver[1]).to.include({ refusal: "failed" });
    });

    it("says source by source why nobody answers", async () => {
      const client = clientOf({ graphUrl: NOBODY, operatorUrl: NOBODY });
      const error: unknown = await client.agreement(ids[0]!).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(NoSourceError);
      const { passedOver } = error as NoSourceError;
      expect(passedOver.map(({ source, refusal }) => [source, refusal])).to.deep.equal([
        ["graph", "failed"],
        ["operator", "failed"],
        ["chain", "not_configured"],
      ]);
    });

    it("does not take what is no address for a party", async () => {
      const error: unknown = await byChain()
        .reputation("0x12")
        .catch((reason: unknown) => reason);
      expect(error).to.have.property("name", "ValueError");
    });
  });

  describe("check of a deployment", () => {
    const check = (graphUrl: string, rpcUrl: string): Promise<{ status: number; said: string }> =>
      new Promise((resolve) => {
        const options = ["--graph", graphUrl, "--rpc", rpcUrl, "--behind", "0", "--for", "0"];
        execFile(process.execPath, [CHECK, ...options], (error, _out, said) => {
          resolve({ status: Number(error?.code ?? 0), said });
        });
      });

    it("finds nothing wrong with an index that keeps up", async () => {
      expect(await check(index.graph.queryUrl, chain.evm.rpcUrl)).to.deep.equal({ status: 0, said: "" });
    });

    it("exits 1 and says what is wrong with one that does not", async () => {
      const cases: [string, string][] = [
        [NOBODY, "UNREACHABLE"],
        [standingAt({ ...head, hash: `0x${"ab".repeat(32)}` }), "OFF_CHAIN"],
      ];
      for (const [url, code] of cases) {
        const { status, said } = await check(url, chain.evm.rpcUrl);
        expect(status).to.equal(1);
        expect(said).to.match(new RegExp(`^${code}: .*\n$`));
      }
    });

    it("exits 2 when the chain does not answer, since a restart would not mend that", async () => {
      expect((await check(index.graph.queryUrl, NOBODY)).status).to.equal(2);
    });
  });

  describe("with an index that can't be used", () => {
    const reasonOf = async (
      graphUrl: string,
      changes: Partial<QueryClientParameters> = {},
    ): Promise<string> => {
      const answer = await clientOf({ graphUrl, rpc: send, ...changes }).totals();
      expect(answer.source).to.equal("chain");
      return answer.sourceReason;
    };

    it("that is behind in blocks", async () => {
      const block = await send("eth_getBlockByNumber", ["0x2", false]);
      const { hash, timestamp } = block as { hash: `0x${string}`; timestamp: string };
      const old = { number: 2, hash, timestamp: Number(timestamp) };
      expect(await reasonOf(standingAt(old), { maxBehindBlocks: 3 })).to.equal("graph_behind");
    });

    it("that is behind in time", async () => {
      const client = clientOf({
        graphUrl: standingAt({ ...head, timestamp: 1_000 }),
        operatorUrl: operator.url,
      });
      const now = { maxBehindSeconds: 10 ** 10 };
      const answer = await clientOf({ graphUrl: impostor.url, ...now }).totals();
      expect(answer).to.include({ source: "graph" });
      expect(await client.totals().catch((error: unknown) => error))
        .to.have.property("message")
        .that.includes("graph: behind");
    });

    it("that is off the chain", async () => {
      const elsewhere = { ...head, hash: `0x${"ab".repeat(32)}` as const };
      expect(await reasonOf(standingAt(elsewhere))).to.equal("graph_off_chain");
    });

    it("that answers nonsense", async () => {
      impostor.answer = { data: { _meta: "here" } };
      expect(await reasonOf(impostor.url)).to.equal("graph_failed");
    });

    it("whose handler failed", async () => {
      await chain.mine([[funded(doomed), released(doomed), released(doomed)]]);
      await index.catchUp().catch(() => undefined);
      const client = clientOf({ graphUrl: index.graph.queryUrl, rpc: send });
      expect(await client.agreement(ids[0]!)).to.include({
        source: "chain",
        sourceReason: "graph_indexing_errors",
      });
    });

    it("that was stopped", async () => {
      const { queryUrl } = index.graph;
      await index.graph.stop();
      const client = clientOf({ graphUrl: queryUrl, rpc: send });
      expect(await client.agreement(ids[0]!)).to.include({ source: "chain", sourceReason: "graph_failed" });
    });
  });
});
