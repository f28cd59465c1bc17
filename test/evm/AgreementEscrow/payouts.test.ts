import { expect } from "chai";
import { MaxUint256 } from "ethers";
import {
  DAY,
  deployWorld,
  ethers,
  loadFixture,
  REWARD,
  SUBMISSION_HASH,
  time,
  VERDICT_HASH,
} from "../support/world.ts";

const HALF_UP = 50_000_001n;
const HALF_DOWN = 50_000_000n;

describe("AgreementEscrow: who is paid what", () => {
  it("release pays the seller everything and says for which submission and verdict", async () => {
    const { escrow, escrowAddress, token, adjudicator, buyer, seller, bringTo, idOf } =
      await loadFixture(deployWorld);
    const terms = await bringTo("Submitted");
    const releasing = escrow.connect(adjudicator).release(terms, SUBMISSION_HASH, VERDICT_HASH);
    await expect(releasing).to.changeTokenBalances(
      ethers,
      token,
      [escrowAddress, seller, buyer, adjudicator],
      [-REWARD, REWARD, 0n, 0n],
    );
    await expect(releasing).to.emit(escrow, "Released").withArgs(idOf(terms), SUBMISSION_HASH, VERDICT_HASH);
  });

  it("refund pays the buyer everything and says for which submission and verdict", async () => {
    const { escrow, escrowAddress, token, adjudicator, buyer, seller, bringTo, idOf } =
      await loadFixture(deployWorld);
    const terms = await bringTo("Submitted");
    const refunding = escrow.connect(adjudicator).refund(terms, SUBMISSION_HASH, VERDICT_HASH);
    await expect(refunding).to.changeTokenBalances(
      ethers,
      token,
      [escrowAddress, buyer, seller, adjudicator],
      [-REWARD, REWARD, 0n, 0n],
    );
    await expect(refunding).to.emit(escrow, "Refunded").withArgs(idOf(terms), SUBMISSION_HASH, VERDICT_HASH);
  });

  it("conclude divides by the agreed default, the odd unit to the seller", async () => {
    const { escrow, token, adjudicator, buyer, seller, bringTo, idOf } = await loadFixture(deployWorld);
    const terms = await bringTo("Submitted");
    const concluding = escrow.connect(adjudicator).conclude(terms, SUBMISSION_HASH, VERDICT_HASH);
    await expect(concluding).to.changeTokenBalances(ethers, token, [seller, buyer], [HALF_UP, HALF_DOWN]);
    await expect(concluding)
      .to.emit(escrow, "Concluded")
      .withArgs(idOf(terms), SUBMISSION_HASH, VERDICT_HASH, HALF_UP);
  });

  it("cancel pays the buyer back", async () => {
    const { escrow, token, buyer, bringTo, idOf } = await loadFixture(deployWorld);
    const terms = await bringTo("Funded");
    const cancelling = escrow.connect(buyer).cancel(terms);
    await expect(cancelling).to.changeTokenBalances(ethers, token, [buyer], [REWARD]);
    await expect(cancelling).to.emit(escrow, "Cancelled").withArgs(idOf(terms));
  });

  it("concede pays the other side: the seller when the buyer concedes", async () => {
    const { escrow, token, buyer, seller, bringTo, idOf } = await loadFixture(deployWorld);
    for (const status of ["Funded", "Accepted", "Submitted"] as const) {
      const terms = await bringTo(status);
      const conceding = escrow.connect(buyer).concede(terms);
      await expect(conceding).to.changeTokenBalances(ethers, token, [buyer, seller], [0n, REWARD]);
      await expect(conceding).to.emit(escrow, "Conceded").withArgs(idOf(terms), buyer.address);
    }
  });

  it("concede pays the other side: the buyer when the seller concedes", async () => {
    const { escrow, token, buyer, seller, bringTo, idOf } = await loadFixture(deployWorld);
    for (const status of ["Funded", "Accepted", "Submitted"] as const) {
      const terms = await bringTo(status);
      const conceding = escrow.connect(seller).concede(terms);
      await expect(conceding).to.changeTokenBalances(ethers, token, [buyer, seller], [REWARD, 0n]);
      await expect(conceding).to.emit(escrow, "Conceded").withArgs(idOf(terms), seller.address);
      expect((await escrow.stateOf(idOf(terms))).status).to.equal(5n);
    }
  });

  for (const [name, sellerAmount] of [
    ["nothing", 0n],
    ["one unit", 1n],
    ["all but one unit", REWARD - 1n],
    ["everything", REWARD],
  ] as const) {
    it(`settle gives the seller ${name} when both signed that`, async () => {
      const { escrow, token, buyer, seller, stranger, bringTo, idOf, signSettlement } =
        await loadFixture(deployWorld);
      const terms = await bringTo("Accepted");
      const signatures = [
        await signSettlement(terms, sellerAmount, buyer),
        await signSettlement(terms, sellerAmount, seller),
      ] as const;
      const settling = escrow.connect(stranger).settle(terms, sellerAmount, ...signatures);
      await expect(settling).to.changeTokenBalances(
        ethers,
        token,
        [buyer, seller],
        [REWARD - sellerAmount, sellerAmount],
      );
      await expect(settling).to.emit(escrow, "Settled").withArgs(idOf(terms), sellerAmount);
    });
  }

  it("settle reverts when the seller's amount is more than the reward", async () => {
    const { escrow, buyer, seller, bringTo, signSettlement } = await loadFixture(deployWorld);
    const terms = await bringTo("Accepted");
    for (const amount of [REWARD + 1n, MaxUint256]) {
      const signatures = [
        await signSettlement(terms, amount, buyer),
        await signSettlement(terms, amount, seller),
      ] as const;
      await expect(escrow.settle(terms, amount, ...signatures))
        .to.be.revertedWithCustomError(escrow, "SellerAmountExceedsReward")
        .withArgs(amount, REWARD);
    }
  });

  it("expire without a submission pays the buyer back", async () => {
    for (const status of ["Funded", "Accepted"] as const) {
      const { escrow, token, stranger, buyer, seller, bringTo, idOf } = await loadFixture(deployWorld);
      const terms = await bringTo(status);
      await time.setNextBlockTimestamp(terms.deliverBy + 1n);
      const expiring = escrow.connect(stranger).expire(terms);
      await expect(expiring).to.changeTokenBalances(ethers, token, [buyer, seller], [REWARD, 0n]);
      await expect(expiring).to.emit(escrow, "Expired").withArgs(idOf(terms), 0n);
    }
  });

  it("expire without a verdict divides by the agreed default", async () => {
    const { escrow, token, stranger, buyer, seller, bringTo, idOf } = await loadFixture(deployWorld);
    const terms = await bringTo("Submitted");
    await time.setNextBlockTimestamp(terms.adjudicateBy + 1n);
    const expiring = escrow.connect(stranger).expire(terms);
    await expect(expiring).to.changeTokenBalances(ethers, token, [buyer, seller], [HALF_DOWN, HALF_UP]);
    await expect(expiring).to.emit(escrow, "Expired").withArgs(idOf(terms), HALF_UP);
  });

  describe("the agreed default (fee dodged by dust slices; odd unit lost on a split)", () => {
    const REWARDS = [1n, 2n, 3n, 9_999n, 10_000n, 10_001n, REWARD, MaxUint256];
    const SHARES = [0n, 1n, 3_333n, 5_000n, 9_999n, 10_000n];

    it("gives out every unit, the buyer's share rounded down", async () => {
      const { escrow, makeTerms } = await loadFixture(deployWorld);
      for (const reward of REWARDS) {
        for (const noVerdictSellerBps of SHARES) {
          const shares = await escrow.noVerdictSharesOf(await makeTerms({ reward, noVerdictSellerBps }));
          const buyerAmount = (reward * (10_000n - noVerdictSellerBps)) / 10_000n;
          expect(shares).to.deep.equal([reward - buyerAmount, buyerAmount]);
        }
      }
    });

    it("pays what the view announced, to the unit", async () => {
      for (const reward of [1n, 2n, 3n, 10_001n]) {
        for (const noVerdictSellerBps of SHARES) {
          const { escrow, token, adjudicator, buyer, seller, bringTo } = await loadFixture(deployWorld);
          const terms = await bringTo("Submitted", { reward, noVerdictSellerBps });
          const { sellerAmount, buyerAmount } = await escrow.noVerdictSharesOf(terms);
          await expect(
            escrow.connect(adjudicator).conclude(terms, SUBMISSION_HASH, VERDICT_HASH),
          ).to.changeTokenBalances(ethers, token, [seller, buyer], [sellerAmount, buyerAmount]);
        }
      }
    });

    it("reverts for a share above the whole", async () => {
      const { escrow, makeTerms } = await loadFixture(deployWorld);
      await expect(escrow.noVerdictSharesOf(await makeTerms({ noVerdictSellerBps: 10_001n })))
        .to.be.revertedWithCustomError(escrow, "SellerShareInvalid")
        .withArgs(10_001n, 10_000n);
    });
  });

  it("no operation moves another agreement's money (donation and neighbours)", async () => {
    const { escrow, escrowAddress, token, adjudicator, stranger, bringTo } = await loadFixture(deployWorld);
    const others = [await bringTo("Funded"), await bringTo("Submitted")];
    const terms = await bringTo("Submitted");
    await token.connect(stranger).transfer(escrowAddress, 1n);
    await escrow.connect(adjudicator).release(terms, SUBMISSION_HASH, VERDICT_HASH);
    const owed = others.reduce((sum, { reward }) => sum + reward, 0n);
    expect(await token.balanceOf(escrowAddress)).to.equal(owed + 2n);
    await time.increase(3n * DAY);
    for (const other of others) await escrow.expire(other);
    expect(await token.balanceOf(escrowAddress)).to.equal(2n);
  });

  it("a donation before each step changes nothing (donation breaks exact-balance logic)", async () => {
    const { escrow, escrowAddress, token, stranger, adjudicator, buyer, seller, makeTerms } =
      await loadFixture(deployWorld);
    const donate = () => token.connect(stranger).transfer(escrowAddress, 1n);
    const terms = await makeTerms();
    await donate();
    await escrow.connect(buyer).fund(terms, "0x");
    await donate();
    await escrow.connect(seller).submit(terms, SUBMISSION_HASH);
    await donate();
    await expect(
      escrow.connect(adjudicator).conclude(terms, SUBMISSION_HASH, VERDICT_HASH),
    ).to.changeTokenBalances(ethers, token, [seller, buyer], [HALF_UP, HALF_DOWN]);
  });
});
