import { expect } from "chai";
import { MaxUint256, ZeroAddress } from "ethers";
import { Status } from "../support/typed-data.ts";
import { DAY, deployWorld, ethers, HOUR, loadFixture, MINUTE, REWARD, time } from "../support/world.ts";

describe("AgreementEscrow.fund", () => {
  it("takes exactly the reward from the buyer's allowance", async () => {
    const { escrow, escrowAddress, token, buyer, makeTerms } = await loadFixture(deployWorld);
    const terms = await makeTerms();
    await expect(escrow.connect(buyer).fund(terms, "0x")).to.changeTokenBalances(
      ethers,
      token,
      [buyer, escrowAddress],
      [-REWARD, REWARD],
    );
  });

  it("emits Funded with the whole terms and no Accepted without the seller's signature", async () => {
    const { escrow, buyer, seller, makeTerms, idOf } = await loadFixture(deployWorld);
    const terms = await makeTerms();
    const funding = escrow.connect(buyer).fund(terms, "0x");
    await expect(funding)
      .to.emit(escrow, "Funded")
      .withArgs(idOf(terms), buyer.address, seller.address, Object.values(terms));
    await expect(funding).not.to.emit(escrow, "Accepted");
    expect(await escrow.stateOf(idOf(terms))).to.deep.equal([Status.Funded, `0x${"00".repeat(31)}`]);
  });

  it("is Accepted at once with the seller's signature", async () => {
    const { escrow, buyer, makeTerms, idOf, signAcceptance } = await loadFixture(deployWorld);
    const terms = await makeTerms();
    await expect(escrow.connect(buyer).fund(terms, await signAcceptance(terms)))
      .to.emit(escrow, "Funded")
      .and.to.emit(escrow, "Accepted")
      .withArgs(idOf(terms));
    expect((await escrow.stateOf(idOf(terms))).status).to.equal(Status.Accepted);
  });

  it("returns the agreement's id", async () => {
    const { escrow, buyer, makeTerms, idOf } = await loadFixture(deployWorld);
    const terms = await makeTerms();
    expect(await escrow.connect(buyer).fund.staticCall(terms, "0x")).to.equal(idOf(terms));
    expect(await escrow.agreementIdOf(terms)).to.equal(idOf(terms));
  });

  it("reverts when anyone but the buyer calls", async () => {
    const { escrow, buyer, seller, stranger, adjudicator, makeTerms } = await loadFixture(deployWorld);
    const terms = await makeTerms();
    for (const caller of [seller, stranger, adjudicator]) {
      await expect(escrow.connect(caller).fund(terms, "0x"))
        .to.be.revertedWithCustomError(escrow, "CallerUnexpected")
        .withArgs(caller.address, buyer.address);
    }
  });

  it("reverts when the seller's signature is somebody else's", async () => {
    const { escrow, buyer, seller, stranger, makeTerms, signAcceptance } = await loadFixture(deployWorld);
    const terms = await makeTerms();
    await expect(escrow.connect(buyer).fund(terms, await signAcceptance(terms, stranger)))
      .to.be.revertedWithCustomError(escrow, "SignatureInvalid")
      .withArgs(seller.address, (digest: string) => digest.length === 66);
  });

  it("reverts when the allowance doesn't cover the reward", async () => {
    const { escrow, escrowAddress, token, buyer, makeTerms } = await loadFixture(deployWorld);
    await token.connect(buyer).approve(escrowAddress, REWARD - 1n);
    await expect(escrow.connect(buyer).fund(await makeTerms(), "0x")).to.be.revertedWith(
      "ERC20: transfer amount exceeds allowance",
    );
  });

  it("leaves no agreement behind when the token refuses", async () => {
    const { escrow, token, buyer, makeTerms, idOf } = await loadFixture(deployWorld);
    const terms = await makeTerms();
    await token.pause();
    await expect(escrow.connect(buyer).fund(terms, "0x")).to.be.revertedWith("Pausable: paused");
    expect((await escrow.stateOf(idOf(terms))).status).to.equal(Status.None);
  });

  it("reverts on a second funding of the same terms, whatever became of the first", async () => {
    const { escrow, buyer, bringTo, idOf } = await loadFixture(deployWorld);
    for (const status of ["Funded", "Accepted", "Submitted", "Released", "Refunded", "Split"] as const) {
      const terms = await bringTo(status);
      await expect(escrow.connect(buyer).fund(terms, "0x"))
        .to.be.revertedWithCustomError(escrow, "StatusUnexpected")
        .withArgs(idOf(terms), Status[status]);
    }
  });

  it("takes a reward of one unit", async () => {
    const { makeTerms, fund, escrow, idOf } = await loadFixture(deployWorld);
    const terms = await fund(await makeTerms({ reward: 1n }));
    expect((await escrow.stateOf(idOf(terms))).status).to.equal(Status.Funded);
  });

  it("reverts on a reward of zero (zero as sentinel)", async () => {
    const { escrow, buyer, makeTerms } = await loadFixture(deployWorld);
    await expect(escrow.connect(buyer).fund(await makeTerms({ reward: 0n }), "0x"))
      .to.be.revertedWithCustomError(escrow, "RewardInvalid")
      .withArgs(0n);
  });

  it("reverts on a reward beyond what exists", async () => {
    const { escrow, buyer, makeTerms } = await loadFixture(deployWorld);
    await expect(
      escrow.connect(buyer).fund(await makeTerms({ reward: MaxUint256 }), "0x"),
    ).to.be.revertedWith("ERC20: transfer amount exceeds balance");
  });

  it("can't be hindered by somebody who funds other terms first (id or salt squatting)", async () => {
    const { escrow, escrowAddress, token, buyer, stranger, makeTerms, fund, idOf } =
      await loadFixture(deployWorld);
    const terms = await makeTerms({ salt: 7n });
    await token.connect(stranger).approve(escrowAddress, REWARD);
    await escrow.connect(stranger).fund({ ...terms, buyer: stranger.address }, "0x");
    await fund(terms);
    expect((await escrow.stateOf(idOf(terms))).status).to.equal(Status.Funded);
    expect(idOf(terms)).not.to.equal(idOf({ ...terms, buyer: stranger.address }));
    expect(terms.buyer).to.equal(buyer.address);
  });

  describe("roles (one party in two roles)", () => {
    const NAMES = ["buyer", "seller", "adjudicator"] as const;

    it("reverts when a role is empty", async () => {
      const { escrow, buyer, makeTerms } = await loadFixture(deployWorld);
      for (const name of ["seller", "adjudicator"] as const) {
        await expect(escrow.connect(buyer).fund(await makeTerms({ [name]: ZeroAddress }), "0x"))
          .to.be.revertedWithCustomError(escrow, "RoleInvalid")
          .withArgs(ZeroAddress);
      }
      await expect(escrow.fundWithAuthorization(await makeTerms({ buyer: ZeroAddress }), 0n, 0n, "0x", "0x"))
        .to.be.revertedWithCustomError(escrow, "RoleInvalid")
        .withArgs(ZeroAddress);
    });

    it("reverts when the token or the escrow is a party or the adjudicator", async () => {
      const { escrow, escrowAddress, tokenAddress, makeTerms } = await loadFixture(deployWorld);
      for (const name of NAMES) {
        for (const account of [escrowAddress, tokenAddress]) {
          await expect(escrow.fundWithAuthorization(await makeTerms({ [name]: account }), 0n, 0n, "0x", "0x"))
            .to.be.revertedWithCustomError(escrow, "RoleInvalid")
            .withArgs(account);
        }
      }
    });

    it("reverts when two of buyer, seller and adjudicator are one account", async () => {
      const { escrow, stranger, makeTerms } = await loadFixture(deployWorld);
      const account = stranger.address;
      for (const [one, other] of [
        ["buyer", "seller"],
        ["buyer", "adjudicator"],
        ["seller", "adjudicator"],
      ] as const) {
        const terms = await makeTerms({ [one]: account, [other]: account });
        await expect(escrow.fundWithAuthorization(terms, 0n, 0n, "0x", "0x"))
          .to.be.revertedWithCustomError(escrow, "RoleInvalid")
          .withArgs(account);
      }
    });
  });

  describe("windows (unlimited or overflowing deadlines)", () => {
    const UINT48_MAX = 2n ** 48n - 1n;

    /** Terms whose clocks are given relative to the block that funds them. */
    async function fundAt(deliverIn: bigint, adjudicateAfter: bigint) {
      const world = await loadFixture(deployWorld);
      const now = BigInt(await time.latest()) + 100n;
      const terms = await world.makeTerms({
        deliverBy: now + deliverIn,
        adjudicateBy: now + deliverIn + adjudicateAfter,
      });
      await time.setNextBlockTimestamp(now);
      return { ...world, terms, now, funding: world.escrow.connect(world.buyer).fund(terms, "0x") };
    }

    for (const [name, deliverIn, adjudicateAfter] of [
      ["the shortest time to deliver", 10n * MINUTE, DAY],
      ["the longest time to deliver", 365n * DAY, DAY],
      ["the shortest time to judge", DAY, HOUR],
      ["the longest time to judge", DAY, 90n * DAY],
    ] as const) {
      it(`takes ${name}`, async () => {
        const { escrow, funding } = await fundAt(deliverIn, adjudicateAfter);
        await expect(funding).to.emit(escrow, "Funded");
      });
    }

    for (const [name, deliverIn] of [
      ["one second too short", 10n * MINUTE - 1n],
      ["one second too long", 365n * DAY + 1n],
      ["over already", 0n],
    ] as const) {
      it(`reverts when the time to deliver is ${name}`, async () => {
        const { escrow, funding, terms, now } = await fundAt(deliverIn, DAY);
        await expect(funding)
          .to.be.revertedWithCustomError(escrow, "DeliverByOutOfRange")
          .withArgs(terms.deliverBy, now + 10n * MINUTE, now + 365n * DAY);
      });
    }

    for (const [name, adjudicateAfter] of [
      ["one second too short", HOUR - 1n],
      ["one second too long", 90n * DAY + 1n],
      ["nothing", 0n],
    ] as const) {
      it(`reverts when the time to judge is ${name}`, async () => {
        const { escrow, funding, terms } = await fundAt(DAY, adjudicateAfter);
        await expect(funding)
          .to.be.revertedWithCustomError(escrow, "AdjudicateByOutOfRange")
          .withArgs(terms.adjudicateBy, terms.deliverBy + HOUR, terms.deliverBy + 90n * DAY);
      });
    }

    it("reverts on the largest deadlines that fit", async () => {
      const { escrow, buyer, makeTerms } = await loadFixture(deployWorld);
      const late = await makeTerms({ deliverBy: UINT48_MAX, adjudicateBy: UINT48_MAX });
      await expect(escrow.connect(buyer).fund(late, "0x")).to.be.revertedWithCustomError(
        escrow,
        "DeliverByOutOfRange",
      );
      const never = await makeTerms({ adjudicateBy: UINT48_MAX });
      await expect(escrow.connect(buyer).fund(never, "0x")).to.be.revertedWithCustomError(
        escrow,
        "AdjudicateByOutOfRange",
      );
    });
  });

  it("takes a no-verdict share of nothing and of everything, and nothing above", async () => {
    const { escrow, buyer, makeTerms, fund } = await loadFixture(deployWorld);
    await fund(await makeTerms({ noVerdictSellerBps: 0n }));
    await fund(await makeTerms({ noVerdictSellerBps: 10_000n }));
    await expect(escrow.connect(buyer).fund(await makeTerms({ noVerdictSellerBps: 10_001n }), "0x"))
      .to.be.revertedWithCustomError(escrow, "SellerShareInvalid")
      .withArgs(10_001n, 10_000n);
  });

  describe("terms with dirty upper bits", () => {
    /** The words of `Terms` that are narrower than 32 bytes. */
    const NARROW = {
      buyer: 0,
      seller: 1,
      adjudicator: 4,
      deliverBy: 6,
      adjudicateBy: 7,
      noVerdictSellerBps: 8,
    };

    for (const [name, word] of Object.entries(NARROW)) {
      it(`reverts when ${name} has them`, async () => {
        const { escrow, escrowAddress, buyer, makeTerms } = await loadFixture(deployWorld);
        const data = escrow.interface.encodeFunctionData("fund", [await makeTerms(), "0x"]);
        const at = 10 + word * 64;
        const dirty = `${data.slice(0, at)}1${data.slice(at + 1)}`;
        await expect(buyer.sendTransaction({ to: escrowAddress, data: dirty })).to.be.revertedWithoutReason(
          ethers,
        );
      });
    }
  });
});

describe("AgreementEscrow.constructor", () => {
  it("reverts when the token has no code", async () => {
    const { escrow, stranger } = await loadFixture(deployWorld);
    await expect(ethers.deployContract("AgreementEscrow", [stranger.address]))
      .to.be.revertedWithCustomError(escrow, "TokenInvalid")
      .withArgs(stranger.address);
  });

  it("fixes the token and the signing domain", async () => {
    const { escrow, escrowAddress, tokenAddress, chainId } = await loadFixture(deployWorld);
    expect(await escrow.token()).to.equal(tokenAddress);
    const { name, version, chainId: signedFor, verifyingContract } = await escrow.eip712Domain();
    expect([name, version, signedFor, verifyingContract]).to.deep.equal([
      "Assay Escrow",
      "1",
      chainId,
      escrowAddress,
    ]);
  });
});
