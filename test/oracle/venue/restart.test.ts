import { expect } from "chai";
import { createJobWorld, deliverJob } from "../support/job-world.ts";
import { deathsOf, ENDINGS } from "../support/deaths.ts";
import { submissionView, until } from "../support/world.ts";

/** Blocks come until the operator has died, or far too long has passed. */
async function mineUntil(mine: () => void, died: Promise<unknown>): Promise<boolean> {
  const life = { over: false };
  void died.then(() => {
    life.over = true;
  });
  for (let turn = 0; turn < 300 && !life.over; turn++) {
    mine();
    await new Promise((resolve) => setTimeout(resolve, 12));
  }
  return life.over;
}

describe("an operator that evaluates ERC-8183 jobs, killed and started again", () => {
  const [pass] = ENDINGS;
  for (const [boundary, passage] of deathsOf(pass!))
    it(`ends the job exactly once when it dies at ${boundary}, passage ${passage}`, async () => {
      const world = await createJobWorld();
      try {
        let passed = 0;
        const victim = await world.start({
          boundary(name) {
            if (name === boundary && ++passed === passage) throw new Error("killed");
          },
        });
        const died = victim.failed.catch(() => undefined);
        const { key } = await deliverJob(world, victim);
        expect(await mineUntil(() => world.evm.mine(1, 2), died), `never came to ${boundary}`).to.equal(true);
        await victim.stop();

        const operator = await world.start();
        await until(world, operator, key, ["SETTLED"], { seconds: 2 });
        expect((await submissionView(operator, key))?.verdict?.outcome).to.equal("PASS");
        expect(world.evm.settlements.map(({ verdict }) => verdict.agreementId)).to.deep.equal([key]);
        expect(world.evm.broadcast.size).to.equal(1);
        expect(world.genLayer.transactions).to.have.length(1);
      } finally {
        await world.end();
      }
    }).timeout(15_000);
});
