import { expect } from "chai";
import type { ContractTransactionResponse } from "ethers";
import { Status, type StatusName, type Terms } from "../support/typed-data.ts";
import {
  deployWorld,
  loadFixture,
  randomHash,
  SUBMISSION_HASH,
  time,
  VERDICT_HASH,
  type World,
} from "../support/world.ts";

/** Who may call; a signature makes an operation anyone's. */
type Caller = "buyer" | "seller" | "adjudicator" | "party" | "anyone";

interface Operation {
  by: Caller;
  from: StatusName[];
  to: (from: StatusName) => StatusName;
  /** Sends the operation from the caller with everything else right. */
  send: (world: World, terms: Terms, caller: World["buyer"]) => Promise<ContractTransactionResponse>;
  /** Time at which it is allowed, when not at once. */
  at?: (terms: Terms, from: StatusName) => bigint;
}

const LIVE: StatusName[] = ["Funded", "Accepted", "Submitted"];
const ALL = Object.keys(Status) as StatusName[];

const always = (status: StatusName) => (): StatusName => status;

/** The law of the escrow: who moves an agreement from where to where. */
const OPERATIONS: Record<string, Operation> = {
  accept: {
    by: "seller",
    from: ["Funded"],
    to: always("Accepted"),
    send: ({ escrow }, terms, caller) => escrow.connect(caller).accept(terms),
  },
  acceptWithSignature: {
    by: "anyone",
    from: ["Funded"],
    to: always("Accepted"),
    send: async ({ escrow, signAcceptance }, terms, caller) =>
      escrow.connect(caller).acceptWithSignature(terms, await signAcceptance(terms)),
  },
  submit: {
    by: "seller",
    from: ["Funded", "Accepted"],
    to: always("Submitted"),
    send: ({ escrow }, terms, caller) => escrow.connect(caller).submit(terms, SUBMISSION_HASH),
  },
  submitWithSignature: {
    by: "anyone",
    from: ["Funded", "Accepted"],
    to: always("Submitted"),
    send: async ({ escrow, signSubmission }, terms, caller) =>
      escrow
        .connect(caller)
        .submitWithSignature(terms, SUBMISSION_HASH, await signSubmission(terms, SUBMISSION_HASH)),
  },
  cancel: {
    by: "buyer",
    from: ["Funded"],
    to: always("Refunded"),
    send: ({ escrow }, terms, caller) => escrow.connect(caller).cancel(terms),
  },
  release: {
    by: "adjudicator",
    from: ["Submitted"],
    to: always("Released"),
    send: ({ escrow }, terms, caller) => escrow.connect(caller).release(terms, SUBMISSION_HASH, VERDICT_HASH),
  },
  refund: {
    by: "adjudicator",
    from: ["Submitted"],
    to: always("Refunded"),
    send: ({ escrow }, terms, caller) => escrow.connect(caller).refund(terms, SUBMISSION_HASH, VERDICT_HASH),
  },
  conclude: {
    by: "adjudicator",
    from: ["Submitted"],
    to: always("Split"),
    send: ({ escrow }, terms, caller) =>
      escrow.connect(caller).conclude(terms, SUBMISSION_HASH, VERDICT_HASH),
  },
  concede: {
    by: "party",
    from: LIVE,
    to: always("Released"),
    send: ({ escrow }, terms, caller) => escrow.connect(caller).concede(terms),
  },
  settle: {
    by: "anyone",
    from: LIVE,
    to: always("Split"),
    send: async ({ escrow, signSettlement, buyer, seller }, terms, caller) =>
      escrow
        .connect(caller)
        .settle(terms, 1n, await signSettlement(terms, 1n, buyer), await signSettlement(terms, 1n, seller)),
  },
  expire: {
    by: "anyone",
    from: LIVE,
    to: (from) => (from === "Submitted" ? "Split" : "Refunded"),
    send: ({ escrow }, terms, caller) => escrow.connect(caller).expire(terms),
    at: (terms, from) => (from === "Submitted" ? terms.adjudicateBy : terms.deliverBy) + 1n,
  },
};

const callerOf = (world: World, by: Caller): World["buyer"] =>
  ({
    buyer: world.buyer,
    seller: world.seller,
    adjudicator: world.adjudicator,
    party: world.buyer,
    anyone: world.stranger,
  })[by];

describe("AgreementEscrow: every operation in every state", () => {
  for (const [name, { by, from, to, send, at }] of Object.entries(OPERATIONS)) {
    describe(name, () => {
      for (const status of ALL) {
        const allowed = from.includes(status);
        it(allowed ? `moves ${status} to ${to(status)}` : `reverts in ${status}`, async () => {
          const world = await loadFixture(deployWorld);
          const terms = await world.bringTo(status);
          if (at !== undefined) await time.setNextBlockTimestamp(at(terms, status));
          const sending = send(world, terms, callerOf(world, by));
          if (allowed) {
            await sending;
            expect((await world.escrow.stateOf(world.idOf(terms))).status).to.equal(Status[to(status)]);
          } else {
            await expect(sending)
              .to.be.revertedWithCustomError(world.escrow, "StatusUnexpected")
              .withArgs(world.idOf(terms), Status[status]);
          }
        });
      }
    });
  }

  it("keeps the submission's hash through every way that leads out of Submitted", async () => {
    for (const [name, { by, from, send, at }] of Object.entries(OPERATIONS)) {
      if (!from.includes("Submitted")) continue;
      const world = await loadFixture(deployWorld);
      const terms = await world.bringTo("Submitted");
      if (at !== undefined) await time.setNextBlockTimestamp(at(terms, "Submitted"));
      await send(world, terms, callerOf(world, by));
      const { submissionHashPrefix } = await world.escrow.stateOf(world.idOf(terms));
      expect(submissionHashPrefix, name).to.equal(SUBMISSION_HASH.slice(0, -2));
    }
  });
});

describe("AgreementEscrow: every operation by every caller", () => {
  for (const [name, { by, from, send }] of Object.entries(OPERATIONS)) {
    if (by === "anyone") continue;
    const status = from[0] ?? "None";

    it(`${name} reverts for all but the ${by}`, async () => {
      const world = await loadFixture(deployWorld);
      const { escrow, buyer, seller, adjudicator, stranger, relayer } = world;
      const terms = await world.bringTo(status);
      const everyone = [buyer, seller, adjudicator, stranger, relayer];
      const allowed = by === "party" ? [buyer, seller] : [callerOf(world, by)];
      for (const caller of everyone.filter((account) => !allowed.includes(account))) {
        const sending = expect(send(world, terms, caller));
        if (by === "party") {
          await sending.to.be
            .revertedWithCustomError(escrow, "CallerNotParty")
            .withArgs(caller.address, buyer.address, seller.address);
        } else {
          await sending.to.be
            .revertedWithCustomError(escrow, "CallerUnexpected")
            .withArgs(caller.address, callerOf(world, by).address);
        }
      }
    });
  }

  it("nobody may act under terms that were not funded, even if they name him", async () => {
    const { escrow, stranger, bringTo, idOf, makeTerms } = await loadFixture(deployWorld);
    await bringTo("Submitted");
    const own = await makeTerms({ seller: stranger.address, adjudicator: stranger.address });
    for (const sending of [
      escrow.connect(stranger).accept(own),
      escrow.connect(stranger).submit(own, randomHash()),
      escrow.connect(stranger).release(own, SUBMISSION_HASH, VERDICT_HASH),
      escrow.connect(stranger).concede(own),
    ]) {
      await expect(sending)
        .to.be.revertedWithCustomError(escrow, "StatusUnexpected")
        .withArgs(idOf(own), Status.None);
    }
  });
});
