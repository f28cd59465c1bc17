import { expect } from "chai";
import { adjudicatorConfigOf, type Hex, type Verdict } from "@assay/protocol";
import { createWorkflow, fundBoth, jointDealOf, submitAs, ROLES } from "./support/joint-deal.ts";
import { OperatorSet, relayerOf, signedBy } from "./support/operators.ts";
import { createWorld, until, type World } from "./support/world.ts";

describe("two operators that both have to sign, with a joint agreement", () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });
  afterEach(() => world.end());

  it("deliver neither certificate while one of them lacks its quorum, and both once it has", async () => {
    const set = await OperatorSet.of(world, 2);
    const operator = await set.start(0, {}, { ASSAY_RANK_SECONDS: "0" });
    /** What the second operator, which is played here, has signed by now. */
    const signed = new Set<Hex>();
    const end = await set.impersonate(1, async (path) => {
      const agreementId = [...signed].find((id) => path === `/v1/attestations/${id}`);
      if (agreementId === undefined) return null;
      const response = await fetch(`${operator.url}${path}`);
      return response.ok ? signedBy(1, ((await response.json()) as { verdict: Verdict }).verdict) : null;
    });
    try {
      const deal = jointDealOf(world, {
        adjudication: { relayers: [relayerOf(0), relayerOf(1)] },
        joint: { adjudicatorConfig: adjudicatorConfigOf(set.members, 2) },
      });
      createWorkflow(world, deal);
      const ids = await fundBoth(world, operator, deal);
      for (const role of ROLES) await submitAs(world, operator, deal, role);
      for (const role of ROLES) await until(world, operator, ids[role], ["ATTESTED"], { timeout: 15_000 });
      signed.add(ids.A);
      await until(world, operator, ids.A, ["QUORUM"]);
      for (let block = 0; block < 20; block++) {
        world.evm.mine();
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      expect(world.evm.broadcast.size).to.equal(0);
      signed.add(ids.B);
      for (const role of ROLES) await until(world, operator, ids[role], ["SETTLED"], { timeout: 15_000 });
      expect(world.evm.settlements.map(({ verdict }) => verdict.outcome)).to.deep.equal([1, 1]);
    } finally {
      await end();
    }
  }).timeout(60_000);
});
