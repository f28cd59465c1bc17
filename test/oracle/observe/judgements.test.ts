import { expect } from "chai";
import {
  daysLeft,
  judgeBalance,
  judgeClock,
  judgeDocuments,
  judgePeers,
  judgeProviders,
  judgeQuorum,
} from "../../../oracle/src/observe/judgements.ts";
import { ADDRESSES } from "../support/world.ts";

const HOUR = 3_600_000;

describe("judgements of readiness", () => {
  describe("of the clock", () => {
    for (const [seconds, status] of [
      [0, "healthy"],
      [30, "healthy"],
      [31, "degraded"],
      [120, "degraded"],
      [121, "unhealthy"],
      [-30, "healthy"],
      [-31, "degraded"],
      [-121, "unhealthy"],
    ] as const)
      it(`${seconds} s away from a chain is ${status}`, () => {
        expect(judgeClock({ evm: seconds, genlayer: null }).status).to.equal(status);
        expect(judgeClock({ evm: 0, genlayer: seconds }).status).to.equal(status);
      });

    it("names the chain and the direction", () => {
      expect(judgeClock({ evm: 1, genlayer: -200 }).detail).to.equal(
        "this machine's clock is 200 s behind the blocks of genlayer",
      );
    });

    it("says so when no chain has told the time yet", () => {
      expect(judgeClock({ evm: null, genlayer: null }).status).to.equal("degraded");
    });
  });

  it("a threshold of one is loudly degraded, any other is not", () => {
    expect(judgeQuorum(1, 3).status).to.equal("degraded");
    expect(judgeQuorum(1, 3).detail).to.match(/^ONE signature of 3 is enough to pay/);
    expect(judgeQuorum(2, 3)).to.deep.equal({ status: "healthy", detail: "2 of 3 members decide" });
  });

  describe("of the peers", () => {
    const peer = (index: number, status: "answers" | "silent" | "foreign" | "unknown") => ({
      origin: `https://peer-${index}.example`,
      member: ADDRESSES.attester,
      status,
    });

    it("all answering is healthy", () => {
      expect(judgePeers([peer(1, "answers"), peer(2, "answers")], 2).status).to.equal("healthy");
    });

    it("one missing is named, and never takes this operator out of service", () => {
      expect(judgePeers([peer(1, "answers"), peer(2, "silent")], 2)).to.deep.equal({
        status: "degraded",
        detail: "1 of 2 peers answer (https://peer-2.example is silent)",
      });
      expect(judgePeers([peer(1, "foreign"), peer(2, "silent")], 2)).to.deep.equal({
        status: "degraded",
        detail:
          "1 of the 2 operators that have to sign answer: nothing is paid meanwhile (https://peer-1.example is another operator, https://peer-2.example is silent)",
      });
    });

    it("a set of one needs none", () => {
      expect(judgePeers([], 1).status).to.equal("healthy");
      expect(judgePeers([], 2).status).to.equal("degraded");
    });
  });

  it("of the endpoints name each that is not up", () => {
    const state = { chain: "evm", height: 1, failures: 0, pausedUntil: null } as const;
    expect(
      judgeProviders([
        { ...state, provider: "https://one.example", status: "alive" },
        { ...state, provider: "https://two.example", status: "wrongChain" },
      ]),
    ).to.deep.equal({ status: "degraded", detail: "evm https://two.example is of another chain" });
  });

  describe("of the balance", () => {
    it("tell how many deliveries it pays for, and how long it lasts", () => {
      expect(judgeBalance(10n ** 18n, 1_000, 12.5)).to.deep.equal({
        status: "healthy",
        detail:
          "the submitter holds 1000000000000000000 wei, enough for about 1000 deliveries or 12 days at the rate of late",
      });
    });

    for (const [balance, deliveries, days] of [
      [0n, null, null],
      [10n, 19, null],
      [10n, 1_000, 2.9],
    ] as const)
      it(`${balance} wei, ${deliveries} deliveries and ${days} days are degraded`, () => {
        expect(judgeBalance(balance, deliveries, days).status).to.equal("degraded");
      });

    it("the forecast takes what was spent, and leaves top-ups out", () => {
      const samples = [
        { at: 0, balance: 100n },
        { at: HOUR, balance: 90n },
        { at: 2 * HOUR, balance: 190n },
        { at: 12 * HOUR, balance: 180n },
      ];
      // Twenty in twelve hours.
      expect(daysLeft(samples)).to.equal(4.5);
    });

    it("there is no forecast from less than an hour, nor from a balance that does not fall", () => {
      expect(daysLeft([])).to.equal(null);
      expect(
        daysLeft([
          { at: 0, balance: 2n },
          { at: HOUR - 1, balance: 1n },
        ]),
      ).to.equal(null);
      expect(
        daysLeft([
          { at: 0, balance: 1n },
          { at: HOUR, balance: 2n },
        ]),
      ).to.equal(null);
    });
  });

  it("of the documents are degraded from nine tenths of the quota on", () => {
    expect(judgeDocuments(89, 100).status).to.equal("healthy");
    expect(judgeDocuments(90, 100).status).to.equal("degraded");
  });
});
