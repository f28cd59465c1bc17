import { expect } from "chai";
import { ZeroAddress } from "ethers";
import type { Terms } from "../support/typed-data.ts";
import { Status } from "../support/typed-data.ts";
import {
  deployWorld,
  ethers,
  loadFixture,
  REWARD,
  SUBMISSION_HASH,
  time,
  VERDICT_HASH,
  type World,
} from "../support/world.ts";

const SELLER_HALF = 50_000_001n;
const BUYER_HALF = 50_000_000n;

interface Payout {
  from: "Funded" | "Submitted";
  seller: bigint;
  buyer: bigint;
  send: (world: World, terms: Terms) => Promise<unknown>;
}

/** Every operation that pays, with what it owes each side. */
const PAYOUTS: Record<string, Payout> = {
  release: {
    from: "Submitted",
    seller: REWARD,
    buyer: 0n,
    send: ({ escrow, adjudicator }, terms) =>
      escrow.connect(adjudicator).release(terms, SUBMISSION_HASH, VERDICT_HASH),
  },
  refund: {
    from: "Submitted",
    seller: 0n,
    buyer: REWARD,
    send: ({ escrow, adjudicator }, terms) =>
      escrow.connect(adjudicator).refund(terms, SUBMISSION_HASH, VERDICT_HASH),
  },
  conclude: {
    from: "Submitted",
    seller: SELLER_HALF,
    buyer: BUYER_HALF,
    send: ({ escrow, adjudicator }, terms) =>
      escrow.connect(adjudicator).conclude(terms, SUBMISSION_HASH, VERDICT_HASH),
  },
  cancel: {
    from: "Funded",
    seller: 0n,
    buyer: REWARD,
    send: ({ escrow, buyer }, terms) => escrow.connect(buyer).cancel(terms),
  },
  "concede by the buyer": {
    from: "Funded",
    seller: REWARD,
    buyer: 0n,
    send: ({ escrow, buyer }, terms) => escrow.connect(buyer).concede(terms),
  },
  "concede by the seller": {
    from: "Funded",
    seller: 0n,
    buyer: REWARD,
    send: ({ escrow, seller }, terms) => escrow.connect(seller).concede(terms),
  },
  settle: {
    from: "Submitted",
    seller: 1n,
    buyer: REWARD - 1n,
    send: async ({ escrow, buyer, seller, signSettlement }, terms) =>
      escrow.settle(
        terms,
        1n,
        await signSettlement(terms, 1n, buyer),
        await signSettlement(terms, 1n, seller),
      ),
  },
  "expire without a submission": {
    from: "Funded",
    seller: 0n,
    buyer: REWARD,
    send: async ({ escrow }, terms) => {
      await time.setNextBlockTimestamp(terms.deliverBy + 1n);
      return escrow.expire(terms);
    },
  },
  "expire without a verdict": {
    from: "Submitted",
    seller: SELLER_HALF,
    buyer: BUYER_HALF,
    send: async ({ escrow }, terms) => {
      await time.setNextBlockTimestamp(terms.adjudicateBy + 1n);
      return escrow.expire(terms);
    },
  },
};

/** What the token does, and to whom a payout is then refused. */
const OBSTACLES: Record<
  string,
  { apply: (world: World) => Promise<unknown>; refused: ("buyer" | "seller")[] }
> = {
  "the seller is blacklisted": {
    apply: ({ token, seller }) => token.blacklist(seller.address),
    refused: ["seller"],
  },
  "the buyer is blacklisted": {
    apply: ({ token, buyer }) => token.blacklist(buyer.address),
    refused: ["buyer"],
  },
  "both are blacklisted": {
    apply: async ({ token, buyer, seller }) => {
      await token.blacklist(buyer.address);
      await token.blacklist(seller.address);
    },
    refused: ["buyer", "seller"],
  },
  "the escrow is blacklisted": {
    apply: ({ token, escrowAddress }) => token.blacklist(escrowAddress),
    refused: ["buyer", "seller"],
  },
  "the token is paused": { apply: ({ token }) => token.pause(), refused: ["buyer", "seller"] },
};

describe("AgreementEscrow: blacklist and pause × party × operation", () => {
  for (const [obstacle, { apply, refused }] of Object.entries(OBSTACLES)) {
    describe(`when ${obstacle}`, () => {
      for (const [operation, payout] of Object.entries(PAYOUTS)) {
        it(`${operation} credits who is refused, pays the other, and ends the agreement`, async () => {
          const world = await loadFixture(deployWorld);
          const { escrow, token, idOf } = world;
          const terms = await world.bringTo(payout.from);
          const before = {
            buyer: await token.balanceOf(terms.buyer),
            seller: await token.balanceOf(terms.seller),
          };
          await apply(world);
          await payout.send(world, terms);
          for (const side of ["buyer", "seller"] as const) {
            const owed = payout[side];
            const isRefused = refused.includes(side);
            expect(await escrow.creditOf(terms[side]), `${side}'s credit`).to.equal(isRefused ? owed : 0n);
            expect((await token.balanceOf(terms[side])) - before[side], `${side}'s payment`).to.equal(
              isRefused ? 0n : owed,
            );
          }
          expect((await escrow.stateOf(idOf(terms))).status).to.be.greaterThan(Status.Submitted);
        });
      }
    });
  }

  it("emits Credited for each payout that was refused", async () => {
    const { escrow, adjudicator, token, buyer, seller, bringTo, idOf } = await loadFixture(deployWorld);
    const terms = await bringTo("Submitted");
    await token.pause();
    const concluding = escrow.connect(adjudicator).conclude(terms, SUBMISSION_HASH, VERDICT_HASH);
    await expect(concluding).to.emit(escrow, "Credited").withArgs(idOf(terms), seller.address, SELLER_HALF);
    await expect(concluding).to.emit(escrow, "Credited").withArgs(idOf(terms), buyer.address, BUYER_HALF);
  });

  it("nobody funds while the token is paused or a side of the transfer is blacklisted", async () => {
    for (const [name, reason] of [
      ["the token is paused", "Pausable: paused"],
      ["the buyer is blacklisted", "Blacklistable: account is blacklisted"],
      ["the escrow is blacklisted", "Blacklistable: account is blacklisted"],
    ] as const) {
      const world = await loadFixture(deployWorld);
      await OBSTACLES[name]!.apply(world);
      const terms = await world.makeTerms();
      await expect(world.escrow.connect(world.buyer).fund(terms, "0x"), name).to.be.revertedWith(reason);
      await expect(world.fundWithAuthorization(terms), name).to.be.revertedWith(reason);
    }
  });

  it("a blacklisted seller can still consent and deliver, and a blacklisted buyer still concede", async () => {
    const { escrow, token, buyer, seller, bringTo } = await loadFixture(deployWorld);
    const terms = await bringTo("Funded");
    await token.blacklist(seller.address);
    await token.blacklist(buyer.address);
    await escrow.connect(seller).accept(terms);
    await escrow.connect(seller).submit(terms, SUBMISSION_HASH);
    await escrow.connect(buyer).concede(terms);
    expect(await escrow.creditOf(seller.address)).to.equal(REWARD);
  });
});

describe("AgreementEscrow.withdraw", () => {
  /** A seller who is owed one reward and can't be paid himself. */
  async function deployWithCredit() {
    const world = await deployWorld();
    const terms = await world.bringTo("Submitted");
    await world.token.blacklist(world.seller.address);
    await world.escrow.connect(world.adjudicator).release(terms, SUBMISSION_HASH, VERDICT_HASH);
    return { ...world, terms };
  }

  it("sends all credits to any address and empties the account", async () => {
    const { escrow, escrowAddress, token, seller, stranger } = await loadFixture(deployWithCredit);
    const withdrawing = escrow.connect(seller).withdraw(stranger.address);
    await expect(withdrawing).to.changeTokenBalances(
      ethers,
      token,
      [escrowAddress, stranger],
      [-REWARD, REWARD],
    );
    await expect(withdrawing).to.emit(escrow, "Withdrawn").withArgs(seller.address, stranger.address, REWARD);
    expect(await escrow.creditOf(seller.address)).to.equal(0n);
  });

  it("returns the amount", async () => {
    const { escrow, seller, stranger } = await loadFixture(deployWithCredit);
    expect(await escrow.connect(seller).withdraw.staticCall(stranger.address)).to.equal(REWARD);
  });

  it("adds credits of several agreements up", async () => {
    const { escrow, token, adjudicator, seller, stranger, bringTo } = await loadFixture(deployWithCredit);
    const again = await bringTo("Submitted");
    await escrow.connect(adjudicator).conclude(again, SUBMISSION_HASH, VERDICT_HASH);
    expect(await escrow.creditOf(seller.address)).to.equal(REWARD + SELLER_HALF);
    await expect(escrow.connect(seller).withdraw(stranger.address)).to.changeTokenBalances(
      ethers,
      token,
      [stranger],
      [REWARD + SELLER_HALF],
    );
  });

  it("reverts when there is nothing, the second time included", async () => {
    const { escrow, seller, stranger } = await loadFixture(deployWithCredit);
    await expect(escrow.connect(stranger).withdraw(stranger.address))
      .to.be.revertedWithCustomError(escrow, "CreditMissing")
      .withArgs(stranger.address);
    await escrow.connect(seller).withdraw(stranger.address);
    await expect(escrow.connect(seller).withdraw(stranger.address))
      .to.be.revertedWithCustomError(escrow, "CreditMissing")
      .withArgs(seller.address);
  });

  it("reverts for recipients that could never give it back", async () => {
    const { escrow, escrowAddress, tokenAddress, seller } = await loadFixture(deployWithCredit);
    for (const to of [ZeroAddress, escrowAddress, tokenAddress]) {
      await expect(escrow.connect(seller).withdraw(to))
        .to.be.revertedWithCustomError(escrow, "RecipientInvalid")
        .withArgs(to);
    }
  });

  it("keeps the credit when the token refuses again", async () => {
    const { escrow, token, seller, stranger } = await loadFixture(deployWithCredit);
    await expect(escrow.connect(seller).withdraw(seller.address)).to.be.revertedWith(
      "Blacklistable: account is blacklisted",
    );
    await token.pause();
    await expect(escrow.connect(seller).withdraw(stranger.address)).to.be.revertedWith("Pausable: paused");
    expect(await escrow.creditOf(seller.address)).to.equal(REWARD);
    await token.unpause();
    await expect(escrow.connect(seller).withdraw(stranger.address)).to.emit(escrow, "Withdrawn");
  });

  it("can be withdrawn to oneself once the token allows it", async () => {
    const { escrow, token, seller } = await loadFixture(deployWithCredit);
    await token.unBlacklist(seller.address);
    await expect(escrow.connect(seller).withdraw(seller.address)).to.changeTokenBalances(
      ethers,
      token,
      [seller],
      [REWARD],
    );
  });
});
