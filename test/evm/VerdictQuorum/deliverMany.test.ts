import { expect } from "chai";
import { configOf, Outcome, Status } from "../support/typed-data.ts";
import { deployWorld, ethers, loadFixture, REWARD, type Delivery } from "../support/world.ts";

/** Three certificates, each for its own agreement. */
async function deployBatch() {
  const world = await deployWorld();
  const deliveries: Delivery[] = [];
  for (let index = 0; index < 3; index++) {
    const terms = await world.makeQuorumTerms(1, 1n);
    await world.fund(terms);
    await world.submit(terms);
    deliveries.push(await world.makeDelivery(terms, 1, 1n));
  }
  return { ...world, deliveries: deliveries as [Delivery, Delivery, Delivery] };
}

describe("VerdictQuorum.deliverMany", () => {
  it("settles every agreement of the batch", async () => {
    const { quorum, escrow, token, seller, relayer, deliveries } = await loadFixture(deployBatch);
    expect(await quorum.deliverMany.staticCall(deliveries)).to.deep.equal([true, true, true]);
    await expect(quorum.connect(relayer).deliverMany(deliveries)).to.changeTokenBalances(
      ethers,
      token,
      [seller],
      [3n * REWARD],
    );
    for (const { verdict } of deliveries) {
      expect((await escrow.stateOf(verdict.agreementId)).status).to.equal(Status.Released);
    }
  });

  it("does nothing for an empty batch", async () => {
    const { quorum } = await loadFixture(deployBatch);
    expect(await quorum.deliverMany.staticCall([])).to.deep.equal([]);
  });

  it("goes on past a bad certificate and says which it was and why", async () => {
    const { quorum, escrow, deliveries, idOf } = await loadFixture(deployBatch);
    const [first, second, third] = deliveries;
    const bad = { ...second, signatures: ["0x"] };
    const reason = quorum.interface.encodeErrorResult("SignersMissing", [
      await quorum.digestOf(bad.verdict),
      0n,
      1n,
    ]);
    expect(await quorum.deliverMany.staticCall([first, bad, third])).to.deep.equal([true, false, true]);
    await expect(quorum.deliverMany([first, bad, third]))
      .to.emit(quorum, "DeliveryFailed")
      .withArgs(1n, idOf(second.terms), reason);
    expect((await escrow.stateOf(idOf(first.terms))).status).to.equal(Status.Released);
    expect((await escrow.stateOf(idOf(second.terms))).status).to.equal(Status.Submitted);
    expect((await escrow.stateOf(idOf(third.terms))).status).to.equal(Status.Released);
  });

  it("passes on why the escrow refused", async () => {
    const { quorum, escrow, deliveries, idOf } = await loadFixture(deployBatch);
    const [first] = deliveries;
    const reason = escrow.interface.encodeErrorResult("StatusUnexpected", [
      idOf(first.terms),
      Status.Released,
    ]);
    await expect(quorum.deliverMany([first, first]))
      .to.emit(quorum, "DeliveryFailed")
      .withArgs(1n, idOf(first.terms), reason);
  });

  it("leaves no Certified event of a certificate that failed", async () => {
    const { quorum, deliveries, makeDelivery } = await loadFixture(deployBatch);
    const unknown = await makeDelivery(deliveries[0].terms, 1, 1n, 9n);
    await expect(quorum.deliverMany([unknown])).not.to.emit(quorum, "Certified");
  });

  it("can be called back by a hostile escrow without harm to the others", async () => {
    const world = await loadFixture(deployBatch);
    const { quorum, escrow, operators, deliveries, makeTerms, makeDelivery, quorumAddress, quorumOf, idOf } =
      world;
    const hostile = await ethers.deployContract("HostileEscrow");
    const hostileAddress = await hostile.getAddress();
    const terms = await makeTerms({
      adjudicator: quorumAddress,
      adjudicatorConfig: configOf(quorumOf(1, 1n)),
    });
    const agreementId = ethers.TypedDataEncoder.hash(
      { name: "Assay Escrow", version: "1", chainId: world.chainId, verifyingContract: hostileAddress },
      {
        Terms: [
          { name: "buyer", type: "address" },
          { name: "seller", type: "address" },
          { name: "reward", type: "uint256" },
          { name: "agreementHash", type: "bytes32" },
          { name: "adjudicator", type: "address" },
          { name: "adjudicatorConfig", type: "bytes32" },
          { name: "deliverBy", type: "uint48" },
          { name: "adjudicateBy", type: "uint48" },
          { name: "noVerdictSellerBps", type: "uint16" },
          { name: "salt", type: "uint256" },
        ],
      },
      terms,
    );
    const bait = await makeDelivery(terms, 1, 1n, Outcome.PASS, { escrow: hostileAddress, agreementId });
    const [first, second] = deliveries;
    await hostile.setCall(quorum.interface.encodeFunctionData("deliver", [second]));
    expect(operators[0]!.address).to.equal(bait.quorum.members[0]);
    expect(await quorum.deliverMany.staticCall([bait, first, second])).to.deep.equal([true, true, false]);
    await quorum.deliverMany([bait, first, second]);
    expect(await hostile.reentrySucceeded()).to.equal(true);
    for (const { terms: settled } of [first, second]) {
      expect((await escrow.stateOf(idOf(settled))).status).to.equal(Status.Released);
    }
  });
});
