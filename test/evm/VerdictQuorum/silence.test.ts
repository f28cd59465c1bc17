import { expect } from "chai";
import { packDelivery } from "../support/packed.ts";
import { configOf } from "../support/typed-data.ts";
import { deployWorld, ethers, loadFixture } from "../support/world.ts";

/** An agreement that one operator judges, a contract that says yes to everything. */
async function deployCredulous() {
  const world = await deployWorld();
  const operator = await (await ethers.deployContract("Credulous1271")).getAddress();
  const quorum = { members: [operator], threshold: 1n };
  const terms = await world.makeQuorumTerms(1, 1n, { adjudicatorConfig: configOf(quorum) });
  await world.fund(terms);
  await world.submit(terms);
  const verdict = world.makeVerdict(terms);
  return { ...world, silent: { terms, verdict, quorum, signatures: ["0x"] } };
}

describe("VerdictQuorum: an operator's silence", () => {
  it("never counts, not even when its wallet would take it for a signature", async () => {
    const { quorum, escrow, silent } = await loadFixture(deployCredulous);
    const missing = [await quorum.digestOf(silent.verdict), 0n, 1n] as const;
    await expect(quorum.deliver(silent))
      .to.be.revertedWithCustomError(quorum, "SignersMissing")
      .withArgs(...missing);
    await expect(quorum.deliverPacked(packDelivery(silent)))
      .to.be.revertedWithCustomError(quorum, "SignersMissing")
      .withArgs(...missing);
    await expect(quorum.deliver({ ...silent, signatures: ["0x01"] })).to.emit(escrow, "Released");
  });
});
