import { expect } from "chai";
import { MaxUint256 } from "ethers";
import { Status } from "../support/typed-data.ts";
import { deployWorld, ethers, HOUR, loadFixture, REWARD, time } from "../support/world.ts";

/** A buyer without an allowance. */
async function deployWithoutAllowance() {
  const world = await deployWorld();
  await world.token.connect(world.buyer).approve(world.escrowAddress, 0n);
  return world;
}

describe("AgreementEscrow.fundWithPermit", () => {
  it("takes the reward by the permit and uses the allowance up", async () => {
    const { escrow, escrowAddress, token, buyer, makeTerms, signPermit, idOf } =
      await loadFixture(deployWithoutAllowance);
    const terms = await makeTerms();
    const permit = await signPermit(terms, MaxUint256);
    await expect(
      escrow.connect(buyer).fundWithPermit(terms, MaxUint256, permit, "0x"),
    ).to.changeTokenBalances(ethers, token, [buyer, escrowAddress], [-REWARD, REWARD]);
    expect(await token.allowance(buyer.address, escrowAddress)).to.equal(0n);
    expect((await escrow.stateOf(idOf(terms))).status).to.equal(Status.Funded);
  });

  it("is Accepted at once with the seller's signature", async () => {
    const { escrow, buyer, makeTerms, signPermit, signAcceptance, idOf } =
      await loadFixture(deployWithoutAllowance);
    const terms = await makeTerms();
    const permit = await signPermit(terms, MaxUint256);
    await escrow.connect(buyer).fundWithPermit(terms, MaxUint256, permit, await signAcceptance(terms));
    expect((await escrow.stateOf(idOf(terms))).status).to.equal(Status.Accepted);
  });

  it("succeeds when somebody else has used the permit first (permit front-run griefing)", async () => {
    const { escrow, escrowAddress, token, buyer, stranger, makeTerms, signPermit } =
      await loadFixture(deployWithoutAllowance);
    const terms = await makeTerms();
    const permit = await signPermit(terms, MaxUint256);
    await token.connect(stranger).permit(buyer.address, escrowAddress, terms.reward, MaxUint256, permit);
    await expect(escrow.connect(buyer).fundWithPermit(terms, MaxUint256, permit, "0x")).to.emit(
      escrow,
      "Funded",
    );
  });

  it("succeeds with a worthless permit while an allowance covers the reward", async () => {
    const { escrow, buyer, makeTerms } = await loadFixture(deployWorld);
    await expect(escrow.connect(buyer).fundWithPermit(await makeTerms(), 0n, "0x", "0x")).to.emit(
      escrow,
      "Funded",
    );
  });

  it("shows why the token refused the permit when no allowance covers the reward", async () => {
    const { escrow, buyer, stranger, makeTerms, signPermit } = await loadFixture(deployWithoutAllowance);
    const terms = await makeTerms();
    const reason = (text: string): string =>
      new ethers.Interface(["error Error(string)"]).encodeErrorResult("Error", [text]);
    await expect(
      escrow
        .connect(buyer)
        .fundWithPermit(terms, MaxUint256, await signPermit(terms, MaxUint256, stranger), "0x"),
    )
      .to.be.revertedWithCustomError(escrow, "PermitRejected")
      .withArgs(reason("EIP2612: invalid signature"));
    await expect(escrow.connect(buyer).fundWithPermit(terms, 1n, await signPermit(terms, 1n), "0x"))
      .to.be.revertedWithCustomError(escrow, "PermitRejected")
      .withArgs(reason("FiatTokenV2: permit is expired"));
  });

  it("succeeds when the allowance covers exactly the reward, and not one unit less", async () => {
    const { escrow, escrowAddress, token, buyer, makeTerms } = await loadFixture(deployWithoutAllowance);
    await token.connect(buyer).approve(escrowAddress, REWARD);
    await escrow.connect(buyer).fundWithPermit(await makeTerms(), 0n, "0x", "0x");
    await token.connect(buyer).approve(escrowAddress, REWARD - 1n);
    await expect(
      escrow.connect(buyer).fundWithPermit(await makeTerms(), 0n, "0x", "0x"),
    ).to.be.revertedWithCustomError(escrow, "PermitRejected");
  });

  it("takes a permit in its last second and not after it", async () => {
    for (const [late, taken] of [
      [0n, true],
      [1n, false],
    ] as const) {
      const { escrow, buyer, makeTerms, signPermit } = await loadFixture(deployWithoutAllowance);
      const terms = await makeTerms();
      const deadline = BigInt(await time.latest()) + HOUR;
      const permit = await signPermit(terms, deadline);
      await time.setNextBlockTimestamp(deadline + late);
      const funding = escrow.connect(buyer).fundWithPermit(terms, deadline, permit, "0x");
      if (taken) await expect(funding).to.emit(escrow, "Funded");
      else await expect(funding).to.be.revertedWithCustomError(escrow, "PermitRejected");
    }
  });

  it("reverts when anyone but the buyer calls", async () => {
    const { escrow, buyer, seller, stranger, makeTerms, signPermit } =
      await loadFixture(deployWithoutAllowance);
    const terms = await makeTerms();
    const permit = await signPermit(terms, MaxUint256);
    for (const caller of [seller, stranger]) {
      await expect(escrow.connect(caller).fundWithPermit(terms, MaxUint256, permit, "0x"))
        .to.be.revertedWithCustomError(escrow, "CallerUnexpected")
        .withArgs(caller.address, buyer.address);
    }
  });
});
