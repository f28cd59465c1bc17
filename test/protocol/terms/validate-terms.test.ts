import { expect } from "chai";
import { type Address, type Terms, ZERO_ADDRESS, ZERO_HASH, validateTerms } from "@assay/protocol";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const NOW = 1_767_000_000;
const BUYER: Address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const SELLER: Address = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const ADJUDICATOR: Address = "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512";
const ESCROW: Address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const TOKEN: Address = "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0";

const good: Terms = {
  buyer: BUYER,
  seller: SELLER,
  reward: 1n,
  agreementHash: `0x${"aa".repeat(32)}`,
  adjudicator: ADJUDICATOR,
  adjudicatorConfig: `0x${"bb".repeat(32)}`,
  deliverBy: NOW + DAY,
  adjudicateBy: NOW + 2 * DAY,
  noVerdictSellerBps: 5000,
  salt: 0n,
};

/** What is wrong with the good terms after a change, as `member code` pairs. */
function problemsOf(change: Partial<Record<keyof Terms, unknown>>, now: number | undefined = NOW): string[] {
  const problems = validateTerms({ ...good, ...change } as Terms, now, { escrow: ESCROW, token: TOKEN });
  for (const { hint, message } of problems) {
    expect(hint).to.match(/^[A-Z].*\.$/);
    expect(message).to.not.equal("");
  }
  return problems.map(({ member, code }) => `${member} ${code}`);
}

describe("validateTerms", () => {
  it("finds nothing wrong with good terms", () => {
    expect(problemsOf({})).to.deep.equal([]);
    expect(validateTerms(good)).to.deep.equal([]);
  });

  describe("windows, to the second", () => {
    const delivery = (seconds: number) =>
      problemsOf({ deliverBy: NOW + seconds, adjudicateBy: NOW + seconds + DAY });
    const adjudication = (seconds: number) => problemsOf({ adjudicateBy: good.deliverBy + seconds });

    it("delivery takes at least 10 minutes", () => {
      expect(delivery(10 * MINUTE - 1)).to.deep.equal(["deliverBy too_early"]);
      expect(delivery(10 * MINUTE)).to.deep.equal([]);
      expect(delivery(10 * MINUTE + 1)).to.deep.equal([]);
    });

    it("delivery takes at most 365 days", () => {
      expect(delivery(365 * DAY - 1)).to.deep.equal([]);
      expect(delivery(365 * DAY)).to.deep.equal([]);
      expect(delivery(365 * DAY + 1)).to.deep.equal(["deliverBy too_late"]);
    });

    it("adjudication takes at least an hour", () => {
      expect(adjudication(HOUR - 1)).to.deep.equal(["adjudicateBy too_early"]);
      expect(adjudication(HOUR)).to.deep.equal([]);
      expect(adjudication(HOUR + 1)).to.deep.equal([]);
    });

    it("adjudication takes at most 90 days", () => {
      expect(adjudication(90 * DAY - 1)).to.deep.equal([]);
      expect(adjudication(90 * DAY)).to.deep.equal([]);
      expect(adjudication(90 * DAY + 1)).to.deep.equal(["adjudicateBy too_late"]);
    });

    it("adjudication never ends before delivery", () => {
      expect(adjudication(-1)).to.deep.equal(["adjudicateBy too_early"]);
    });

    it("without a clock only the second window counts", () => {
      expect(validateTerms({ ...good, deliverBy: 1, adjudicateBy: 1 + HOUR })).to.deep.equal([]);
      expect(validateTerms({ ...good, adjudicateBy: good.deliverBy })).to.have.length(1);
    });

    for (const time of [-1, 0.5, Number.NaN, 2 ** 48]) {
      it(`${time} is no time`, () => {
        expect(problemsOf({ deliverBy: time })).to.deep.equal(["deliverBy out_of_range"]);
        expect(problemsOf({ adjudicateBy: time })).to.deep.equal(["adjudicateBy out_of_range"]);
      });
    }
  });

  describe("roles", () => {
    const names: readonly [string, Address][] = [
      ["buyer", BUYER],
      ["seller", SELLER],
      ["adjudicator", ADJUDICATOR],
      ["escrow", ESCROW],
      ["token", TOKEN],
    ];
    for (const member of ["buyer", "seller", "adjudicator"] as const) {
      for (const [name, address] of names.filter(([other]) => other !== member)) {
        it(`${member} is not the ${name}, whatever the letter case`, () => {
          expect(problemsOf({ [member]: address })).to.have.length(1);
          expect(problemsOf({ [member]: address.toLowerCase() })[0]).to.match(/same_address$/);
        });
      }

      it(`${member} is not the zero address`, () => {
        expect(problemsOf({ [member]: ZERO_ADDRESS })).to.deep.equal([`${member} zero`]);
      });

      it(`${member} is an address`, () => {
        expect(problemsOf({ [member]: "0x1234" })).to.deep.equal([`${member} malformed`]);
      });
    }
  });

  describe("amounts and hashes", () => {
    const refused: readonly [member: keyof Terms, value: unknown, code: string][] = [
      ["reward", 0n, "zero"],
      ["reward", -1n, "out_of_range"],
      ["reward", 2n ** 256n, "out_of_range"],
      ["salt", -1n, "out_of_range"],
      ["salt", 2n ** 256n, "out_of_range"],
      ["noVerdictSellerBps", -1, "out_of_range"],
      ["noVerdictSellerBps", 10_001, "out_of_range"],
      ["noVerdictSellerBps", 0.5, "out_of_range"],
      ["agreementHash", ZERO_HASH, "zero"],
      ["agreementHash", "0x12", "malformed"],
      ["adjudicatorConfig", ZERO_HASH, "zero"],
      ["adjudicatorConfig", `0x${"AB".repeat(32)}`, "malformed"],
    ];
    for (const [member, value, code] of refused) {
      it(`${member} ${String(value)} is ${code}`, () => {
        expect(problemsOf({ [member]: value })).to.deep.equal([`${member} ${code}`]);
      });
    }

    it("take their bounds", () => {
      expect(
        problemsOf({ reward: 2n ** 256n - 1n, salt: 2n ** 256n - 1n, noVerdictSellerBps: 10_000 }),
      ).to.deep.equal([]);
      expect(problemsOf({ noVerdictSellerBps: 0 })).to.deep.equal([]);
    });
  });

  it("tells every problem at once", () => {
    const problems = problemsOf({ buyer: SELLER, reward: 0n, deliverBy: NOW, adjudicateBy: NOW, salt: -1n });
    expect(problems).to.deep.equal([
      "seller same_address",
      "reward zero",
      "salt out_of_range",
      "deliverBy too_early",
      "adjudicateBy too_early",
    ]);
  });
});
