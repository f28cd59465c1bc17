import { expect } from "chai";
import { LogChain } from "./support/chain.ts";
import { IndexUnderTest } from "./support/index-under-test.ts";
import { randomLives } from "./support/random-lives.ts";

/** Another seed or a longer run: ASSAY_LIVES_SEED=7 ASSAY_LIVES=1000 npx mocha test/subgraph/random-lives.test.ts */
const SEED = Number(process.env["ASSAY_LIVES_SEED"] ?? 20_260_101);
const LIVES = Number(process.env["ASSAY_LIVES"] ?? 150);

describe(`subgraph after ${LIVES} random lives (seed ${SEED})`, function () {
  this.timeout(300_000);
  let chain: LogChain;
  let index: IndexUnderTest;

  before(async () => {
    chain = await LogChain.start();
    for (const block of randomLives(SEED, LIVES, chain.contracts.escrow)) await chain.mine(block);
    index = await IndexUnderTest.start(chain.evm.rpcUrl, chain.contracts, 1);
    await index.catchUp();
  });
  after(async () => {
    await index.stop();
    await chain.stop();
  });

  it("saw every way in which an agreement can end", async () => {
    const { histories } = await index.query<{
      histories: Record<string, number>[];
    }>(`{ histories(first: 1000) {
      passed failed undetermined withheld noShows lapsed unjudged cancelled concededByBuyer concededBySeller declined settled } }`);
    for (const end of Object.keys(histories[0]!)) {
      expect(
        histories.reduce((total, history) => total + history[end]!, 0),
        end,
      ).to.be.greaterThan(0);
    }
  });

  it("holds what a recount of the logs says", () => index.expectToMatchTheChain());

  it("has kept its books balanced at every block", async () => {
    const { number: head } = await chain.readHead();
    for (let block = 1; block <= head; block++) {
      const { escrows } = await index.query<{ escrows: Record<string, string>[] }>(
        `{ escrows(block: { number: ${block} }) { fundedTotal paidOutTotal lockedReward openCredits } }`,
      );
      for (const books of escrows) {
        const sum = (name: string): bigint => BigInt(books[name]!);
        expect(sum("lockedReward") + sum("openCredits"), `block ${block}`).to.equal(
          sum("fundedTotal") - sum("paidOutTotal"),
        );
        expect(sum("lockedReward") >= 0n && sum("openCredits") >= 0n, `block ${block}`).to.equal(true);
      }
    }
  });
});
