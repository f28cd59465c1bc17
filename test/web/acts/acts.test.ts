import { expect } from "chai";
import type { Address, StatusName, Terms } from "@assay/protocol";
import { actsFor, type Act } from "../../../web/src/acts/acts.ts";
import { readAmount, writeAmount } from "../../../web/src/acts/amount.ts";
import { noVerdictShares } from "../../../web/src/acts/shares.ts";
import { BUYER, NOW, SELLER, VENUE } from "../support/venue.ts";

const terms: Terms = {
  buyer: BUYER,
  seller: SELLER,
  reward: 25_000_001n,
  agreementHash: `0x${"1".repeat(64)}`,
  adjudicator: VENUE.quorum.address,
  adjudicatorConfig: `0x${"2".repeat(64)}`,
  deliverBy: NOW + 100,
  adjudicateBy: NOW + 200,
  noVerdictSellerBps: 5_000,
  salt: 1n,
};
const acts = (status: StatusName, account: Address | null, now = NOW): readonly Act[] =>
  actsFor({ terms, status, account, now, amount: (units) => writeAmount(units, VENUE.token) });
const names = (status: StatusName, account: Address | null, now = NOW): string =>
  acts(status, account, now)
    .map(({ name, notYet }) => (notYet === null ? name : `(${name})`))
    .join(" ");
const LATE = terms.deliverBy + 1;
const TOO_LATE = terms.adjudicateBy + 1;

describe("what can be done about an agreement", () => {
  for (const [status, account, now, expected] of [
    ["Funded", BUYER, NOW, "cancel (expire) settle concede"],
    ["Funded", SELLER, NOW, "submit accept (expire) settle concede"],
    ["Funded", null, NOW, "(expire)"],
    ["Funded", SELLER, terms.deliverBy, "submit accept (expire) settle concede"],
    ["Funded", SELLER, LATE, "expire settle concede"],
    ["Accepted", BUYER, NOW, "(expire) settle concede"],
    ["Accepted", SELLER, NOW, "submit (expire) settle concede"],
    ["Accepted", null, LATE, "expire"],
    ["Submitted", BUYER, NOW, "claim (expire) settle concede"],
    ["Submitted", SELLER, LATE, "claim (expire) settle concede"],
    ["Submitted", null, terms.adjudicateBy, "claim (expire)"],
    ["Submitted", null, TOO_LATE, "expire"],
    ["Released", BUYER, NOW, ""],
    ["Refunded", SELLER, NOW, ""],
    ["Split", SELLER, TOO_LATE, ""],
    ["None", BUYER, NOW, ""],
  ] as const)
    it(`${status}, by the ${account === BUYER ? "buyer" : account === SELLER ? "seller" : "public"}, ${now === NOW ? "in time" : `at ${now - NOW} s`}: ${expected === "" ? "nothing" : expected}`, () => {
      expect(names(status, account, now)).to.equal(expected);
    });

  it("says what each act does, with the amounts", () => {
    for (const act of [...acts("Funded", BUYER), ...acts("Funded", SELLER), ...acts("Submitted", BUYER)]) {
      expect(act.title).to.not.equal("");
      expect(act.effect).to.match(/\.$/);
    }
    const expiry = acts("Submitted", null, TOO_LATE)[0];
    expect(expiry?.effect).to.include("12.500001 USDC goes to the seller and 12.5 USDC back to the buyer");
  });

  it("takes accounts for the same however they are spelled", () => {
    expect(names("Funded", BUYER.toLowerCase() as Address)).to.include("cancel");
  });

  it("gives the odd unit of a split to the seller, as the escrow does", () => {
    const split = (reward: bigint, noVerdictSellerBps: number) =>
      noVerdictShares({ reward, noVerdictSellerBps });
    expect(split(1n, 5_000)).to.deep.equal({ seller: 1n, buyer: 0n });
    expect(split(10_001n, 3_333)).to.deep.equal({ seller: 3_334n, buyer: 6_667n });
    expect(split(7n, 0)).to.deep.equal({ seller: 0n, buyer: 7n });
    expect(split(7n, 10_000)).to.deep.equal({ seller: 7n, buyer: 0n });
  });
});

describe("amounts as people write them", () => {
  for (const [text, value] of [
    ["25", 25_000_000n],
    [" 25.50 ", 25_500_000n],
    ["0.000001", 1n],
    ["1.5000000000", 1_500_000n],
  ] as const)
    it(`reads ${JSON.stringify(text)}`, () => {
      expect(readAmount(text, VENUE.token)).to.deep.equal({ value });
    });

  for (const text of ["", "x", "-1", "1e3", "1,5", "0x10", "1.0000001", "١"])
    it(`refuses ${JSON.stringify(text)}, with a way out`, () => {
      expect(readAmount(text, VENUE.token)).to.have.property("hint").that.is.not.empty;
    });

  it("writes them with the token's own decimals and symbol", () => {
    expect(writeAmount(25_000_000n, VENUE.token)).to.equal("25 USDC");
    expect(writeAmount(1n, { symbol: "X", decimals: 18 })).to.equal("0.000000000000000001 X");
  });
});
