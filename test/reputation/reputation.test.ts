import { expect } from "chai";
import {
  AGREEMENT_FACT_FIELDS,
  decodeLifecycleEvent,
  factsFromEntities,
  factsFromEvents,
  reputationOf,
  type AgreementFact,
  type AsOf,
  type Hex,
  type Reputation,
} from "../../protocol/src/index.ts";
import { COLLECTIONS, createIndexClient, type Field, type IndexClient } from "../../subgraph/client/index.ts";
import type { BlockReference } from "../../localnet/src/graph/index.ts";
import { agreementsAt, startIndex, type Index } from "./support/index.ts";
import { BUYERS, planLives, SELLERS, WAYS, type Plan } from "./support/plan.ts";
import { Play } from "./support/play.ts";
import { parseLogs, readLogs, Recount, type Event } from "./support/recount.ts";
import { rpc } from "./support/rpc.ts";

const LIVES = 1_000;
/** Another one is another thousand lives: `ASSAY_REPUTATION_SEED=7 npx mocha 'test/reputation/**\/*.test.ts'`. */
const SEED = Number(process.env["ASSAY_REPUTATION_SEED"] ?? 1);
const HISTORY_FIELDS = Object.keys(COLLECTIONS.histories.fields) as Field<"histories">[];
const PARTY_FIELDS = Object.keys(COLLECTIONS.parties.fields) as Field<"parties">[];
const PAIR_FIELDS = Object.keys(COLLECTIONS.pairs.fields) as Field<"pairs">[];
const PARTIES = [...new Set([...BUYERS, ...SELLERS])];
/** Its payouts all become credits, which must change nothing. */
const BARRED = SELLERS.at(-1)!;

describe(`reputation after ${LIVES} random lifecycles, seed ${SEED}`, function () {
  this.timeout(180_000);
  let plan: Plan;
  let play: Play;
  let index: Index;
  let client: IndexClient;
  let events: Event[];
  let facts: AgreementFact[];
  let head: BlockReference & AsOf;
  /** Whatever was started, the last first. */
  const started: { stop(): Promise<void> }[] = [];

  before(async () => {
    plan = planLives(SEED, LIVES);
    play = await Play.start(BARRED);
    started.unshift(play);
    // It indexes while the lives are lived.
    index = await startIndex(play.evm.rpcUrl, play.contracts);
    started.unshift(index);
    await play.live(plan);
    head = await blockAt("latest");
    const { rpcUrl } = play.evm;
    const { escrow, quorum, startBlock } = play.contracts;
    const logs = await readLogs(rpcUrl, [escrow, quorum], { from: startBlock, to: head.number });
    facts = factsFromEvents(logs.flatMap((log) => decodeLifecycleEvent(log, play.contracts) ?? []));
    events = parseLogs(logs, escrow);
    await index.graph.waitForBlock(head);
    client = createIndexClient({
      url: index.graph.queryUrl,
      hashOf: async (number) => (await blockAt(`0x${number.toString(16)}`)).hash,
    });
  });
  after(async () => {
    for (const part of started) await part.stop();
  });

  const blockAt = async (number: string): Promise<BlockReference & AsOf> => {
    const block = await rpc<Record<"number" | "hash" | "timestamp", Hex>>(
      ...([play.evm.rpcUrl, "eth_getBlockByNumber", number, false] as const),
    );
    const [blockNumber, timestamp] = [Number(block.number), Number(block.timestamp)];
    return { number: blockNumber, hash: block.hash, blockNumber, blockHash: block.hash, timestamp };
  };

  const asOf = ({ blockNumber, blockHash, timestamp }: AsOf): AsOf => ({ blockNumber, blockHash, timestamp });

  /** From a past block's index. */
  const fromPast = async (party: string, block: BlockReference & AsOf): Promise<Reputation> => {
    const [sold, bought] = [
      await agreementsAt(index.graph, block, "seller", party, AGREEMENT_FACT_FIELDS),
      await agreementsAt(index.graph, block, "buyer", party, AGREEMENT_FACT_FIELDS),
    ];
    const agreements = factsFromEntities([...sold, ...bought]);
    return reputationOf({ party: party.toLowerCase(), asOf: asOf(block), agreements });
  };

  const addresses = (): Hex[] => PARTIES.map((party) => play.parties[party]!.address);

  it("has seen every planned end, and every way to it", () => {
    const count = (ends: (string | null)[]): Map<string, number> =>
      new Map([...Map.groupBy(ends, String)].map(([end, { length }]) => [end, length]));
    const planned = count(plan.lives.map(({ way }) => way.end));
    expect(count(facts.map(({ end }) => end?.as ?? null))).to.deep.equal(planned);
    expect(new Set(plan.lives.map(({ way }) => way)).size).to.equal(WAYS.length);
  });

  it("is the same from the chain's events and by a brute-force recount of the raw logs", () => {
    const recount = new Recount(events, head.timestamp);
    for (const party of addresses()) {
      const { asSeller, asBuyer } = reputationOf({ party, asOf: asOf(head), agreements: facts });
      expect(asSeller, `${party} as a seller`).to.deep.equal(recount.seller(party));
      expect(asBuyer, `${party} as a buyer`).to.deep.equal(recount.buyer(party));
    }
  });

  it("is the same from the index", async () => {
    const { found } = await client.all("agreements", AGREEMENT_FACT_FIELDS, { atLeast: head.number });
    expect(found).to.have.length(LIVES);
    const agreements = factsFromEntities(found);
    // What the documents would say does not matter here; that both find the same documents does.
    const categories = new Map(
      facts.map(({ agreementHash }, index) => [agreementHash, ["painting", "writing", null][index % 3]!]),
    );
    for (const party of addresses()) {
      const expected = reputationOf({ party, asOf: asOf(head), agreements: facts, categories });
      const indexed = { party: party.toLowerCase(), asOf: asOf(head), agreements, categories };
      expect(reputationOf(indexed)).to.deep.equal(expected);
      expect(expected.byCategory?.documentsMissing).to.equal(0);
    }
  });

  it("is the same for an earlier block: from that block's index, from later facts, and by a recount", async () => {
    const middle = await blockAt(`0x${(head.number - Math.floor(plan.times.length / 2)).toString(16)}`);
    const recount = new Recount(events, middle.timestamp);
    for (const party of addresses()) {
      const later = reputationOf({ party, asOf: asOf(middle), agreements: facts });
      const [{ counts: sold }, { counts: bought }] = [later.asSeller, later.asBuyer];
      expect(sold.funded + bought.funded).to.be.greaterThan(sold.ended + bought.ended);
      expect(await fromPast(party, middle)).to.deep.equal(later);
      expect(later.asSeller).to.deep.equal(recount.seller(party));
      expect(later.asBuyer).to.deep.equal(recount.buyer(party));
    }
  });

  it("leaves out agreements that somebody else than the named quorum rules on", () => {
    const { quorum } = play.contracts;
    const recount = new Recount(events, head.timestamp, quorum);
    const adjudications = [{ adjudicator: quorum, adjudicatorConfig: play.quorumConfig }];
    for (const party of addresses()) {
      const named = reputationOf({ party, asOf: asOf(head), agreements: facts, adjudications });
      expect(named.asSeller).to.deep.equal(recount.seller(party));
      expect(named.asBuyer).to.deep.equal(recount.buyer(party));
    }
  });

  it("has the counts that the index keeps", async () => {
    const histories = new Map(
      (await client.all("histories", HISTORY_FIELDS)).found.map(({ id, ...history }) => [id, history]),
    );
    const parties = new Map((await client.all("parties", PARTY_FIELDS)).found.map((one) => [one.id, one]));
    for (const party of addresses()) {
      const { asBuyer, asSeller } = reputationOf({ party, asOf: asOf(head), agreements: facts });
      const kept = parties.get(party.toLowerCase() as Hex)!;
      expect(kept, party).to.include({
        ...{ boughtCount: asBuyer.counts.funded, boughtVolume: asBuyer.fundedVolume },
        ...{ soldCount: asSeller.counts.funded, soldVolume: asSeller.fundedVolume },
      });
      let lastActivity = kept.lastFundedAt;
      for (const [byte, role] of [
        ["01", asBuyer],
        ["02", asSeller],
      ] as const) {
        const { overdue: _overdue, funded: _funded, ...counts } = role.counts;
        const { lastEndedAt, ...history } = histories.get(`0x${byte}${party.slice(2).toLowerCase()}`)!;
        const { sellerVolume, buyerVolume } = role;
        expect(history, party).to.deep.equal({ ...counts, sellerVolume, buyerVolume });
        if (lastEndedAt !== null && lastEndedAt > lastActivity) lastActivity = lastEndedAt;
      }
      const times = (name: "firstFundedAt" | "lastChangedAt"): number[] =>
        [asBuyer[name], asSeller[name]].flatMap((time) => time ?? []);
      expect(kept.firstFundedAt, party).to.equal(BigInt(Math.min(...times("firstFundedAt"))));
      expect(lastActivity, party).to.equal(BigInt(Math.max(...times("lastChangedAt"))));
    }
  });

  it("has the pairwise history that the index keeps", async () => {
    const { found } = await client.all("pairs", PAIR_FIELDS);
    const pairs = Map.groupBy(
      facts,
      ({ buyer, seller }) => buyer.toLowerCase() + seller.slice(2).toLowerCase(),
    );
    expect(found).to.have.length(pairs.size);
    for (const pair of found) {
      const own = pairs.get(pair.id)!;
      const total = (amounts: bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);
      expect(pair).to.include({
        funded: own.length,
        ended: own.filter(({ end }) => end !== null).length,
        passed: own.filter(({ end }) => end?.as === "passed").length,
        fundedVolume: total(own.map(({ reward }) => reward)),
        sellerVolume: total(own.map(({ end }) => end?.sellerAmount ?? 0n)),
      });
    }
  });
});
