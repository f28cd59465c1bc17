import { expect } from "chai";
import { toTermsStruct } from "../../protocol/src/index.ts";
import { createIndexClient, type IndexClient } from "../../subgraph/client/index.ts";
import { readHead } from "./support/chain.ts";
import { IndexUnderTest } from "./support/index-under-test.ts";
import { Market, type Deal } from "./support/market.ts";

const HOUR = 3_600;
/** graph-node's own threshold is 10 blocks. */
const TOO_DEEP = 40;

describe("subgraph on the real contracts", function () {
  this.timeout(60_000);
  let market: Market;
  let index: IndexUnderTest;
  const deals: Record<string, Deal> = {};

  before(async () => {
    market = await Market.start();
    index = await IndexUnderTest.start(market.evm.rpcUrl, market.contracts, market.contracts.startBlock);
  });
  after(async () => {
    await index.stop();
    await market.stop();
  });

  const expectAgreement = async (deal: Deal, expected: Record<string, unknown>): Promise<void> => {
    await index.catchUp();
    const { agreement } = await index.query<{ agreement: unknown }>(
      `{ agreement(id: "${deal.id}") { ${Object.keys(expected).join(" ")} } }`,
    );
    expect(agreement).to.deep.equal(expected);
  };

  it("follows a PASS, and names the certificate's signers", async () => {
    deals["passed"] = await market.deliver();
    await market.rule(deals["passed"], "PASS");
    await expectAgreement(deals["passed"], { status: "RELEASED", outcome: "PASS", sellerAmount: "25000001" });
    const { operators } = await index.query<{ operators: unknown[] }>(
      "{ operators(orderBy: id) { id passes } }",
    );
    expect(operators).to.deep.equal(
      market.operators.slice(0, 2).map(({ address }) => ({ id: address.toLowerCase(), passes: 1 })),
    );
  });

  it("follows a batch of FAIL, WITHHELD and one certificate that fails", async () => {
    const [failed, withheld] = [await market.deliver(), await market.deliver()];
    const batch = [
      await market.certify(failed, "FAIL"),
      await market.certify(deals["passed"]!, "FAIL"),
      await market.certify(withheld, "WITHHELD"),
    ];
    await market.quorumAs(market.stranger, "deliverMany", batch);
    await expectAgreement(failed, { status: "REFUNDED", outcome: "FAIL", buyerAmount: "25000001" });
    await expectAgreement(withheld, { status: "REFUNDED", outcome: "WITHHELD", buyerAmount: "25000001" });
    const { deliveryFailures } = await index.query<{ deliveryFailures: unknown[] }>(
      "{ deliveryFailures { index agreementId } }",
    );
    expect(deliveryFailures).to.deep.equal([{ index: "1", agreementId: deals["passed"]!.id }]);
  });

  it("follows UNDETERMINED, and gives the odd unit to the seller", async () => {
    const deal = await market.deliver();
    await market.rule(deal, "UNDETERMINED");
    await expectAgreement(deal, {
      ...{ status: "SPLIT", outcome: "UNDETERMINED", cause: "VERDICT" },
      ...{ sellerAmount: "12500001", buyerAmount: "12500000" },
    });
  });

  it("follows cancellation, both concessions and a settlement", async () => {
    const [cancelled, released, refunded] = [
      await market.fund(false),
      await market.fund(true),
      await market.fund(false),
    ];
    const settled = await market.deliver();
    await market.as(market.buyer, "cancel", toTermsStruct(cancelled.terms));
    await market.as(market.buyer, "concede", toTermsStruct(released.terms));
    await market.as(market.seller, "concede", toTermsStruct(refunded.terms));
    await market.settle(settled, 7n);
    await expectAgreement(cancelled, { status: "REFUNDED", cause: "CANCELLED" });
    await expectAgreement(released, { status: "RELEASED", cause: "CONCEDED" });
    await expectAgreement(refunded, { status: "REFUNDED", cause: "CONCEDED" });
    await expectAgreement(settled, { status: "SPLIT", cause: "SETTLED", sellerAmount: "7" });
  });

  it("follows a payout to a blacklisted seller into its credit and out again", async () => {
    const deal = await market.deliver();
    await market.token.blacklist(market.seller.address);
    await market.rule(deal, "PASS");
    await market.token.unBlacklist(market.seller.address);
    await expectAgreement(deal, { status: "RELEASED", sellerCredited: "25000001" });
    await market.expectIndexToAgree(index);
    await market.as(market.seller, "withdraw", market.stranger.address);
    await index.catchUp();
    const { credits } = await index.query<{ credits: unknown[] }>("{ credits { open withdrawn } }");
    expect(credits).to.deep.equal([{ open: "0", withdrawn: "25000001" }]);
  });

  it("follows expiry before acceptance, before delivery and before a verdict", async () => {
    const [lapsed, missed, unjudged] = [
      await market.fund(false),
      await market.fund(true),
      await market.deliver(),
    ];
    await market.passTime(unjudged.terms.adjudicateBy);
    for (const { terms } of [lapsed, missed, unjudged]) {
      await market.as(market.stranger, "expire", toTermsStruct(terms));
    }
    await expectAgreement(lapsed, { status: "REFUNDED", cause: "NO_SUBMISSION" });
    await expectAgreement(missed, { status: "REFUNDED", cause: "NO_SUBMISSION" });
    await expectAgreement(unjudged, { status: "SPLIT", cause: "NO_VERDICT", sellerAmount: "12500001" });
    const { party } = await index.query<{ party: unknown }>(
      `{ party(id: "${market.seller.address.toLowerCase()}") { asSeller { lapsed noShows unjudged } } }`,
    );
    expect(party).to.deep.equal({ asSeller: { lapsed: 1, noShows: 1, unjudged: 1 } });
  });

  it("knows in which contract an operator revoked itself", async () => {
    await market.quorumAs(market.operators[2]!, "revoke");
    await market.leaveEvaluator(market.operators[1]!);
    await index.catchUp();
    const { revocations } = await index.query<{ revocations: unknown[] }>(
      "{ revocations(orderBy: blockNumber) { verifier operator { id } } }",
    );
    const of = (verifier: string, operator: number): unknown => ({
      verifier: verifier.toLowerCase(),
      operator: { id: market.operators[operator]!.address.toLowerCase() },
    });
    expect(revocations).to.deep.equal([of(market.contracts.quorum, 2), of(market.contracts.evaluator, 1)]);
  });

  it("holds what a recount of the chain's logs says, and what the contracts hold", async () => {
    await index.expectToMatchTheChain();
    await market.expectIndexToAgree(index);
  });

  for (const depth of [5, 9]) {
    it(`takes back what a reorganisation ${depth} blocks deep took back`, async () => {
      const kept = await market.deliver();
      const lost = await market.fund(false);
      for (let block = 2; block < depth; block++)
        await market.passTime(lost.terms.deliverBy - HOUR + block * 10);
      await market.rule(kept, "PASS");
      await expectAgreement(kept, { status: "RELEASED" });
      await market.reorganise(depth);
      await expectAgreement(kept, { status: "SUBMITTED", outcome: null, closedAt: null });
      expect(await index.query(`{ agreement(id: "${lost.id}") { id } }`)).to.deep.equal({ agreement: null });
      await index.expectToMatchTheChain();
      await market.rule(kept, "FAIL");
      await expectAgreement(kept, { status: "REFUNDED", outcome: "FAIL" });
      await market.expectIndexToAgree(index);
    });
  }

  it("holds the same after a restart in the middle of a day", async () => {
    const deal = await market.deliver();
    await index.catchUp();
    await index.restart();
    await market.rule(deal, "PASS");
    await expectAgreement(deal, { status: "RELEASED" });
    await index.expectToMatchTheChain();
    await market.expectIndexToAgree(index);
  });
});

describe("subgraph under a reorganisation that is too deep for graph-node", function () {
  this.timeout(60_000);
  let market: Market;
  let index: IndexUnderTest;

  before(async () => {
    market = await Market.start();
    index = await IndexUnderTest.start(market.evm.rpcUrl, market.contracts, market.contracts.startBlock);
  });
  after(async () => {
    await index.stop();
    await market.stop();
  });

  it("is found to stand off the chain, and recovers by a restart", async () => {
    const kept = await market.fund(true);
    const lost = await market.fund(false);
    const { timestamp } = (await market.provider.getBlock("latest"))!;
    for (let block = 1; block < TOO_DEEP; block++) await market.passTime(timestamp + block * 10);
    await index.catchUp();
    await market.reorganise(TOO_DEEP);
    const client = (): IndexClient =>
      createIndexClient({
        url: index.graph.queryUrl,
        hashOf: async (number) => (await market.provider.getBlock(number))?.hash ?? undefined,
      });
    const waited: unknown = await index.graph
      .waitForBlock(await readHead(market.evm.rpcUrl), 2_000)
      .catch((error: unknown) => error);
    expect(waited).to.have.property("code", "START_TIMEOUT");
    expect(
      await client()
        .head()
        .catch((error: unknown) => error),
    ).to.have.property("code", "OFF_CHAIN");
    await index.restart();
    await index.expectToMatchTheChain();
    expect(await index.query(`{ agreement(id: "${lost.id}") { id } }`)).to.deep.equal({ agreement: null });
    expect((await client().one("agreements", kept.id, ["status"])).found).to.deep.equal({
      status: "ACCEPTED",
    });
    await market.expectIndexToAgree(index);
  });
});
