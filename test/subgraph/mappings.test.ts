import { expect } from "chai";
import { agreement, funded, released } from "./support/agreements.ts";
import { LogChain } from "./support/chain.ts";
import { IndexUnderTest } from "./support/index-under-test.ts";
import type { Scenario } from "./support/scenario.ts";
import { credits } from "./scenarios/credits.ts";
import { endings } from "./scenarios/endings.ts";
import { operators } from "./scenarios/operators.ts";
import { steps } from "./scenarios/steps.ts";

const topics: Record<string, Scenario[]> = { steps, endings, credits, operators };
const DAY = 86_400;

describe("subgraph mappings", function () {
  this.timeout(60_000);
  let chain: LogChain;
  let index: IndexUnderTest;

  before(async () => {
    chain = await LogChain.start();
    for (const { blocks } of Object.values(topics).flat()) {
      for (const transactions of blocks(chain.contracts)) await chain.mine(transactions);
    }
    index = await IndexUnderTest.start(chain.evm.rpcUrl, chain.contracts, 1);
    await index.catchUp();
  });
  after(async () => {
    await index.stop();
    await chain.stop();
  });

  for (const [topic, scenarios] of Object.entries(topics)) {
    describe(topic, () => {
      for (const { name, check } of scenarios) it(name, () => check(index, chain.contracts));
    });
  }

  describe("together", () => {
    it("hold what a recount of all logs says", () => index.expectToMatchTheChain());

    it("sum each day's movements", async () => {
      const [one, two] = [agreement("daily one"), agreement("daily two")];
      await chain.mine([], DAY);
      await chain.mine([[funded(one)], [funded(two)]]);
      await chain.mine([], DAY);
      await index.catchUp();
      const { dailyFlows } = await index.query<{ dailyFlows: unknown[] }>(
        "{ dailyFlows(interval: day, orderBy: timestamp, orderDirection: desc, first: 1) { escrow opened closed funded sellerAmount } }",
      );
      expect(dailyFlows).to.deep.equal([
        { escrow: chain.contracts.escrow, opened: 2, closed: 0, funded: "50000002", sellerAmount: "0" },
      ]);
    });
  });

  describe("that meet what cannot be", () => {
    it("stop at an event of an agreement that was funded before the start block", async () => {
      const acceptance = (await chain.readLogs()).find(
        ({ name, logIndex }) => name === "Accepted" && logIndex === 0,
      )!;
      const graph = await index.startAnother(acceptance.blockNumber);
      const error: unknown = await graph
        .waitForBlock(await chain.readHead())
        .catch((reason: unknown) => reason);
      await graph.stop();
      expect(error).to.have.property("code", "BAD_STATE");
      expect(error)
        .to.have.property("message")
        .that.includes("handleAccepted")
        .and.includes(`agreement ${String(acceptance.args["agreementId"])}`)
        .and.includes("startBlock is too late");
    });

    // The last one: an index that has stopped answers nothing more.
    it("stop at a second end of one agreement", async () => {
      const ended = agreement("ended twice");
      await chain.mine([[funded(ended), released(ended), released(ended)]]);
      const error: unknown = await index.catchUp().catch((reason: unknown) => reason);
      expect(error)
        .to.have.property("message")
        .that.includes("handleReleased")
        .and.includes(`RELEASED after agreement ${ended.id} ended as RELEASED`);
    });
  });
});
