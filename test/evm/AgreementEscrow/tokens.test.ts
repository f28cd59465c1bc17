import { expect } from "chai";
import { MaxUint256 } from "ethers";
import { Status } from "../support/typed-data.ts";
import {
  deployWorld,
  ethers,
  loadFixture,
  networkHelpers,
  REWARD,
  SUBMISSION_HASH,
  VERDICT_HASH,
} from "../support/world.ts";

/** `HostileToken.Behaviour`. */
const Behaviour = {
  None: 0,
  ReturnFalse: 1,
  ReturnNothing: 2,
  Revert: 3,
  BurnGas: 4,
  TakeFee: 5,
  DeliverMore: 6,
  DeliverNothing: 7,
  LoseMore: 8,
} as const;

/** An escrow for a token that misbehaves on demand. */
async function deployHostile() {
  const world = await deployWorld();
  const hostile = await ethers.deployContract("HostileToken");
  const escrow = await ethers.deployContract("AgreementEscrow", [await hostile.getAddress()]);
  const escrowAddress = await escrow.getAddress();
  for (const { address } of [world.buyer, world.stranger]) await hostile.mint(address, 10n ** 12n);
  await hostile.connect(world.buyer).approve(escrowAddress, MaxUint256);
  await hostile.connect(world.stranger).approve(escrowAddress, MaxUint256);
  const bringTo = async (status: "Funded" | "Submitted") => {
    const terms = await world.makeTerms();
    await escrow.connect(world.buyer).fund(terms, "0x");
    if (status === "Submitted") await escrow.connect(world.seller).submit(terms, SUBMISSION_HASH);
    return terms;
  };
  const idOf = (terms: Parameters<typeof escrow.agreementIdOf>[0]) => escrow.agreementIdOf(terms);
  return { ...world, hostile, escrow, escrowAddress, bringTo, idOf };
}

describe("AgreementEscrow: tokens that misbehave while funding", () => {
  for (const [name, behaviour, balanceAfter] of [
    ["takes a fee", Behaviour.TakeFee, REWARD - 1n],
    ["delivers more", Behaviour.DeliverMore, REWARD + 1n],
    ["delivers nothing", Behaviour.DeliverNothing, 0n],
  ] as const) {
    it(`reverts on every path when the token ${name} (fee-on-transfer, rebasing)`, async () => {
      const { escrow, hostile, buyer, makeTerms } = await loadFixture(deployHostile);
      await hostile.setBehaviour(behaviour);
      const terms = await makeTerms();
      for (const funding of [
        escrow.connect(buyer).fund(terms, "0x"),
        escrow.connect(buyer).fundWithPermit(terms, 0n, "0x", "0x"),
        escrow.fundWithAuthorization(terms, 0n, 0n, "0x", "0x"),
      ]) {
        await expect(funding)
          .to.be.revertedWithCustomError(escrow, "FundingMismatch")
          .withArgs(0n, balanceAfter, REWARD);
      }
    });
  }

  it("reverts when the escrow's balance falls instead of rising", async () => {
    const { escrow, hostile, buyer, makeTerms, bringTo } = await loadFixture(deployHostile);
    await bringTo("Funded");
    await hostile.setBehaviour(Behaviour.LoseMore);
    await expect(escrow.connect(buyer).fund(await makeTerms(), "0x"))
      .to.be.revertedWithCustomError(escrow, "FundingMismatch")
      .withArgs(REWARD, 0n, REWARD);
  });

  it("reverts when the token returns false", async () => {
    const { escrow, hostile, buyer, makeTerms } = await loadFixture(deployHostile);
    await hostile.setBehaviour(Behaviour.ReturnFalse);
    await expect(escrow.connect(buyer).fund(await makeTerms(), "0x"))
      .to.be.revertedWithCustomError(escrow, "SafeERC20FailedOperation")
      .withArgs(await hostile.getAddress());
  });

  it("passes on why the token reverts", async () => {
    const { escrow, hostile, buyer, makeTerms } = await loadFixture(deployHostile);
    await hostile.setBehaviour(Behaviour.Revert);
    await expect(escrow.connect(buyer).fund(await makeTerms(), "0x")).to.be.revertedWith("refused");
  });

  it("takes a token that returns nothing", async () => {
    const { escrow, hostile, buyer, makeTerms } = await loadFixture(deployHostile);
    await hostile.setBehaviour(Behaviour.ReturnNothing);
    await expect(escrow.connect(buyer).fund(await makeTerms(), "0x")).to.emit(escrow, "Funded");
  });
});

describe("AgreementEscrow: tokens that misbehave while paying", () => {
  for (const [name, behaviour] of [
    ["reverts", Behaviour.Revert],
    ["returns false", Behaviour.ReturnFalse],
    ["burns all gas", Behaviour.BurnGas],
  ] as const) {
    it(`credits the payee when the token ${name}, and pays when it behaves again`, async () => {
      const { escrow, hostile, adjudicator, seller, stranger, bringTo } = await loadFixture(deployHostile);
      const terms = await bringTo("Submitted");
      await hostile.setBehaviour(behaviour);
      await escrow
        .connect(adjudicator)
        .release(terms, SUBMISSION_HASH, VERDICT_HASH, { gasLimit: 4_000_000n });
      expect(await escrow.creditOf(seller.address)).to.equal(REWARD);
      await hostile.setBehaviour(Behaviour.None);
      await escrow.connect(seller).withdraw(stranger.address);
      expect(await hostile.balanceOf(stranger.address)).to.equal(10n ** 12n + REWARD);
    });
  }

  it("pays by a token that returns nothing", async () => {
    const { escrow, hostile, adjudicator, seller, bringTo } = await loadFixture(deployHostile);
    const terms = await bringTo("Submitted");
    await hostile.setBehaviour(Behaviour.ReturnNothing);
    await escrow.connect(adjudicator).release(terms, SUBMISSION_HASH, VERDICT_HASH);
    expect(await hostile.balanceOf(seller.address)).to.equal(REWARD);
    expect(await escrow.creditOf(seller.address)).to.equal(0n);
  });

  it("withdraw reverts when the token returns false", async () => {
    const { escrow, hostile, adjudicator, seller, bringTo } = await loadFixture(deployHostile);
    const terms = await bringTo("Submitted");
    await hostile.setBehaviour(Behaviour.ReturnFalse);
    await escrow.connect(adjudicator).release(terms, SUBMISSION_HASH, VERDICT_HASH);
    await expect(escrow.connect(seller).withdraw(seller.address))
      .to.be.revertedWithCustomError(escrow, "SafeERC20FailedOperation")
      .withArgs(await hostile.getAddress());
  });
});

describe("AgreementEscrow: tokens that call back (inflow counted twice by re-entering)", () => {
  it("no operation can be re-entered while a reward is collected", async () => {
    const { escrow, escrowAddress, hostile, buyer, stranger, seller, makeTerms, bringTo } =
      await loadFixture(deployHostile);
    const live = await bringTo("Submitted");
    const inner = await makeTerms({ buyer: stranger.address });
    const encode = escrow.interface;
    for (const call of [
      encode.encodeFunctionData("fundWithAuthorization", [inner, 0n, 0n, "0x", "0x"]),
      encode.encodeFunctionData("fund", [inner, "0x"]),
      encode.encodeFunctionData("fundWithPermit", [inner, 0n, "0x", "0x"]),
      encode.encodeFunctionData("accept", [live]),
      encode.encodeFunctionData("acceptWithSignature", [live, "0x"]),
      encode.encodeFunctionData("submit", [live, SUBMISSION_HASH]),
      encode.encodeFunctionData("submitWithSignature", [live, SUBMISSION_HASH, "0x"]),
      encode.encodeFunctionData("cancel", [live]),
      encode.encodeFunctionData("concede", [live]),
      encode.encodeFunctionData("settle", [live, 0n, "0x", "0x"]),
      encode.encodeFunctionData("release", [live, SUBMISSION_HASH, VERDICT_HASH]),
      encode.encodeFunctionData("refund", [live, SUBMISSION_HASH, VERDICT_HASH]),
      encode.encodeFunctionData("conclude", [live, SUBMISSION_HASH, VERDICT_HASH]),
      encode.encodeFunctionData("expire", [live]),
      encode.encodeFunctionData("withdraw", [seller.address]),
    ]) {
      await hostile.setReentry(escrowAddress, call);
      await escrow.connect(buyer).fund(await makeTerms(), "0x");
      expect(await hostile.reentrySucceeded()).to.equal(false);
      expect(await hostile.reentryResult()).to.equal(
        encode.encodeErrorResult("ReentrancyGuardReentrantCall"),
      );
    }
  });

  it("no payout can be taken twice by calling back while it is made", async () => {
    const { escrow, escrowAddress, hostile, buyer, seller, bringTo, idOf } = await loadFixture(deployHostile);
    const terms = await bringTo("Submitted");
    await bringTo("Submitted");
    for (const [status, call] of [
      [Status.Released, escrow.interface.encodeFunctionData("expire", [terms])],
      [Status.Released, escrow.interface.encodeFunctionData("withdraw", [seller.address])],
    ] as const) {
      const paid = await networkHelpers.takeSnapshot();
      await hostile.setReentry(escrowAddress, call);
      await escrow.connect(buyer).concede(terms);
      expect(await hostile.reentrySucceeded()).to.equal(false);
      expect(await hostile.balanceOf(seller.address)).to.equal(REWARD);
      expect((await escrow.stateOf(await idOf(terms))).status).to.equal(status);
      await paid.restore();
    }
  });

  it("a reader in the middle of a payout sees the agreement ended already", async () => {
    const { escrow, escrowAddress, hostile, buyer, bringTo, idOf } = await loadFixture(deployHostile);
    const terms = await bringTo("Submitted");
    const id = await idOf(terms);
    await hostile.setReentry(escrowAddress, escrow.interface.encodeFunctionData("stateOf", [id]));
    await escrow.connect(buyer).concede(terms);
    const [status] = escrow.interface.decodeFunctionResult("stateOf", await hostile.reentryResult());
    expect(status).to.equal(Status.Released);
  });
});

describe("AgreementEscrow: USDC upgraded to a token with a fee in the life of an agreement", () => {
  /** One agreement funded before the upgrade. */
  async function deployUpgraded() {
    const world = await deployWorld();
    const terms = await world.bringTo("Submitted");
    const credited = await world.bringTo("Submitted");
    await world.token.blacklist(world.seller.address);
    await world.escrow.connect(world.adjudicator).release(credited, SUBMISSION_HASH, VERDICT_HASH);
    const implementation = await ethers.deployContract("FeeFiatToken");
    const admin = await ethers.getImpersonatedSigner("0x000000000000000000000000000000000000dEaD");
    await networkHelpers.setBalance(admin.address, 10n ** 18n);
    await world.token.connect(admin).upgradeTo(await implementation.getAddress());
    return { ...world, terms };
  }

  const FEE = REWARD / 100n;

  it("refuses new agreements", async () => {
    const { escrow, escrowAddress, token, buyer, makeTerms } = await loadFixture(deployUpgraded);
    const held = await token.balanceOf(escrowAddress);
    await expect(escrow.connect(buyer).fund(await makeTerms(), "0x"))
      .to.be.revertedWithCustomError(escrow, "FundingMismatch")
      .withArgs(held, held + REWARD - FEE, REWARD);
  });

  it("still pays the ones it has, out of their own money", async () => {
    const { escrow, escrowAddress, token, adjudicator, buyer, terms } = await loadFixture(deployUpgraded);
    await expect(
      escrow.connect(adjudicator).refund(terms, SUBMISSION_HASH, VERDICT_HASH),
    ).to.changeTokenBalances(ethers, token, [escrowAddress, buyer], [-REWARD, REWARD - FEE]);
  });

  it("still pays credits", async () => {
    const { escrow, escrowAddress, token, seller, stranger } = await loadFixture(deployUpgraded);
    await expect(escrow.connect(seller).withdraw(stranger.address)).to.changeTokenBalances(
      ethers,
      token,
      [escrowAddress, stranger],
      [-REWARD, REWARD - FEE],
    );
  });
});

describe("AgreementEscrow: gas as a weapon", () => {
  it("no gas limit turns a payment that the token would make into a credit", async () => {
    const { escrow, adjudicator, seller, bringTo } = await loadFixture(deployWorld);
    const terms = await bringTo("Submitted");
    const enough = await escrow
      .connect(adjudicator)
      .release.estimateGas(terms, SUBMISSION_HASH, VERDICT_HASH);
    for (let gasLimit = enough - 30_000n; gasLimit < enough; gasLimit += 400n) {
      const unharmed = await networkHelpers.takeSnapshot();
      await escrow
        .connect(adjudicator)
        .release(terms, SUBMISSION_HASH, VERDICT_HASH, { gasLimit })
        .catch(() => undefined);
      expect(await escrow.creditOf(seller.address)).to.equal(0n);
      await unharmed.restore();
    }
  });
});
