import { expect } from "chai";
import { Status } from "../support/typed-data.ts";
import {
  deployWorld,
  loadFixture,
  networkHelpers,
  provider,
  randomHash,
  SUBMISSION_HASH,
  time,
  VERDICT_HASH,
} from "../support/world.ts";

const WHEN = { "one second before": -1n, at: 0n, "one second after": 1n } as const;

describe("AgreementEscrow: clocks (submit after expiry; boundary second)", () => {
  for (const [when, offset] of Object.entries(WHEN)) {
    const late = offset > 0n;

    it(`a submission ${when} deliverBy is ${late ? "refused" : "taken"}`, async () => {
      for (const signed of [false, true]) {
        const { escrow, seller, bringTo, signSubmission } = await loadFixture(deployWorld);
        const terms = await bringTo("Accepted");
        const signature = await signSubmission(terms, SUBMISSION_HASH);
        await time.setNextBlockTimestamp(terms.deliverBy + offset);
        const submitting = signed
          ? escrow.submitWithSignature(terms, SUBMISSION_HASH, signature)
          : escrow.connect(seller).submit(terms, SUBMISSION_HASH);
        if (late) {
          await expect(submitting)
            .to.be.revertedWithCustomError(escrow, "AfterDeliveryExpiry")
            .withArgs(terms.deliverBy + offset, terms.deliverBy);
        } else {
          await expect(submitting).to.emit(escrow, "Submitted");
        }
      }
    });

    it(`expiry without a submission ${when} deliverBy is ${late ? "taken" : "refused"}`, async () => {
      for (const status of ["Funded", "Accepted"] as const) {
        const { escrow, bringTo } = await loadFixture(deployWorld);
        const terms = await bringTo(status);
        await time.setNextBlockTimestamp(terms.deliverBy + offset);
        const expiring = escrow.expire(terms);
        if (late) {
          await expect(expiring).to.emit(escrow, "Expired");
        } else {
          await expect(expiring)
            .to.be.revertedWithCustomError(escrow, "BeforeDeliveryExpiry")
            .withArgs(terms.deliverBy + offset, terms.deliverBy);
        }
      }
    });

    for (const verdict of ["release", "refund", "conclude"] as const) {
      it(`${verdict} ${when} adjudicateBy is ${late ? "refused" : "taken"}`, async () => {
        const { escrow, adjudicator, bringTo, idOf } = await loadFixture(deployWorld);
        const terms = await bringTo("Submitted");
        await time.setNextBlockTimestamp(terms.adjudicateBy + offset);
        const judging = escrow.connect(adjudicator)[verdict](terms, SUBMISSION_HASH, VERDICT_HASH);
        if (late) {
          await expect(judging)
            .to.be.revertedWithCustomError(escrow, "AfterAdjudicationExpiry")
            .withArgs(terms.adjudicateBy + offset, terms.adjudicateBy);
        } else {
          await judging;
          expect((await escrow.stateOf(idOf(terms))).status).to.be.greaterThan(Status.Submitted);
        }
      });
    }

    it(`expiry without a verdict ${when} adjudicateBy is ${late ? "taken" : "refused"}`, async () => {
      const { escrow, bringTo } = await loadFixture(deployWorld);
      const terms = await bringTo("Submitted");
      await time.setNextBlockTimestamp(terms.adjudicateBy + offset);
      const expiring = escrow.expire(terms);
      if (late) {
        await expect(expiring).to.emit(escrow, "Expired");
      } else {
        await expect(expiring)
          .to.be.revertedWithCustomError(escrow, "BeforeAdjudicationExpiry")
          .withArgs(terms.adjudicateBy + offset, terms.adjudicateBy);
      }
    });
  }

  describe("both orders in one block", () => {
    /** Mines two transactions in one block, in this order, and returns whether each succeeded. */
    async function inOneBlock(
      timestamp: bigint,
      first: () => Promise<{ hash: string }>,
      second: () => Promise<{ hash: string }>,
    ): Promise<boolean[]> {
      await provider.request({ method: "evm_setAutomine", params: [false] });
      const sent = [await first(), await second()];
      await time.setNextBlockTimestamp(timestamp);
      await networkHelpers.mine();
      await provider.request({ method: "evm_setAutomine", params: [true] });
      const receipts = await Promise.all(
        sent.map(
          ({ hash }) =>
            provider.request({ method: "eth_getTransactionReceipt", params: [hash] }) as Promise<{
              status: string;
              blockNumber: string;
            }>,
        ),
      );
      expect(new Set(receipts.map(({ blockNumber }) => blockNumber)).size).to.equal(1);
      return receipts.map(({ status }) => status === "0x1");
    }

    const GAS = { gasLimit: 300_000n, gasPrice: 10n ** 10n };

    it("the first of cancel and submit wins", async () => {
      for (const cancelFirst of [true, false]) {
        const { escrow, buyer, seller, bringTo, idOf } = await loadFixture(deployWorld);
        const terms = await bringTo("Funded");
        const cancel = () => escrow.connect(buyer).cancel(terms, GAS);
        const submit = () => escrow.connect(seller).submit(terms, SUBMISSION_HASH, GAS);
        const now = BigInt(await time.latest()) + 10n;
        const done = await inOneBlock(
          now,
          ...(cancelFirst ? ([cancel, submit] as const) : ([submit, cancel] as const)),
        );
        expect(done).to.deep.equal([true, false]);
        const { status } = await escrow.stateOf(idOf(terms));
        expect(status).to.equal(cancelFirst ? Status.Refunded : Status.Submitted);
      }
    });

    it("the first of release and refund wins (conflicting verdicts)", async () => {
      for (const releaseFirst of [true, false]) {
        const { escrow, adjudicator, bringTo, idOf } = await loadFixture(deployWorld);
        const terms = await bringTo("Submitted");
        const release = () => escrow.connect(adjudicator).release(terms, SUBMISSION_HASH, VERDICT_HASH, GAS);
        const refund = () => escrow.connect(adjudicator).refund(terms, SUBMISSION_HASH, VERDICT_HASH, GAS);
        const done = await inOneBlock(
          terms.adjudicateBy,
          ...(releaseFirst ? ([release, refund] as const) : ([refund, release] as const)),
        );
        expect(done).to.deep.equal([true, false]);
        const { status } = await escrow.stateOf(idOf(terms));
        expect(status).to.equal(releaseFirst ? Status.Released : Status.Refunded);
      }
    });

    it("in the last second a verdict counts and an expiry doesn't; one second later it is the other way round", async () => {
      for (const [late, expected] of [
        [0n, { judged: true, expired: false }],
        [1n, { judged: false, expired: true }],
      ] as const) {
        for (const expireFirst of [true, false]) {
          const { escrow, adjudicator, stranger, bringTo } = await loadFixture(deployWorld);
          const terms = await bringTo("Submitted");
          const release = () =>
            escrow.connect(adjudicator).release(terms, SUBMISSION_HASH, VERDICT_HASH, GAS);
          const expire = () => escrow.connect(stranger).expire(terms, GAS);
          const done = await inOneBlock(
            terms.adjudicateBy + late,
            ...(expireFirst ? ([expire, release] as const) : ([release, expire] as const)),
          );
          expect(done).to.deep.equal(
            expireFirst ? [expected.expired, expected.judged] : [expected.judged, expected.expired],
          );
        }
      }
    });
  });

  it("every live state has an exit within its clocks, whoever falls silent (arbiter silent; free pinning)", async () => {
    for (const status of ["Funded", "Accepted", "Submitted"] as const) {
      const { escrow, stranger, bringTo, idOf } = await loadFixture(deployWorld);
      const terms = await bringTo(status);
      await time.setNextBlockTimestamp(terms.adjudicateBy + 1n);
      await escrow.connect(stranger).expire(terms);
      expect((await escrow.stateOf(idOf(terms))).status).to.be.greaterThan(Status.Submitted);
    }
  });

  it("a late acceptance doesn't stop the refund", async () => {
    const { escrow, seller, bringTo } = await loadFixture(deployWorld);
    const terms = await bringTo("Funded");
    await time.setNextBlockTimestamp(terms.deliverBy + 1n);
    await escrow.connect(seller).accept(terms);
    await expect(escrow.expire(terms)).to.emit(escrow, "Expired");
  });
});

describe("AgreementEscrow.submit", () => {
  it("emits the hash and stores all but its last byte beside the status", async () => {
    const { escrow, seller, bringTo, idOf } = await loadFixture(deployWorld);
    const terms = await bringTo("Accepted");
    const hash = randomHash();
    await expect(escrow.connect(seller).submit(terms, hash))
      .to.emit(escrow, "Submitted")
      .withArgs(idOf(terms), hash);
    expect(await escrow.stateOf(idOf(terms))).to.deep.equal([Status.Submitted, hash.slice(0, -2)]);
  });

  it("reverts on the hash of nothing (zero as sentinel)", async () => {
    const { escrow, seller, bringTo } = await loadFixture(deployWorld);
    const zero = `0x${"00".repeat(32)}`;
    await expect(escrow.connect(seller).submit(await bringTo("Funded"), zero))
      .to.be.revertedWithCustomError(escrow, "SubmissionHashInvalid")
      .withArgs(zero);
  });

  it("is not confused by a hash whose last byte looks like a status", async () => {
    const { escrow, adjudicator, seller, bringTo, idOf } = await loadFixture(deployWorld);
    const terms = await bringTo("Accepted");
    const hash = `0x${"ff".repeat(31)}06`;
    await escrow.connect(seller).submit(terms, hash);
    expect((await escrow.stateOf(idOf(terms))).status).to.equal(Status.Submitted);
    await expect(escrow.connect(adjudicator).release(terms, hash, VERDICT_HASH)).to.emit(escrow, "Released");
  });

  it("emits Accepted only for an acceptance", async () => {
    const { escrow, seller, bringTo, idOf } = await loadFixture(deployWorld);
    const terms = await bringTo("Funded");
    await expect(escrow.connect(seller).accept(terms)).to.emit(escrow, "Accepted").withArgs(idOf(terms));
  });
});

describe("AgreementEscrow: a verdict is bound to the submission", () => {
  for (const verdict of ["release", "refund", "conclude"] as const) {
    it(`${verdict} reverts for another submission`, async () => {
      const { escrow, adjudicator, bringTo, idOf } = await loadFixture(deployWorld);
      const terms = await bringTo("Submitted");
      const other = randomHash();
      await expect(escrow.connect(adjudicator)[verdict](terms, other, VERDICT_HASH))
        .to.be.revertedWithCustomError(escrow, "SubmissionHashMismatch")
        .withArgs(idOf(terms), other, SUBMISSION_HASH.slice(0, -2));
    });
  }
});
