import { expect } from "chai";
import fc from "fast-check";
import {
  ValueError,
  isChecksummed,
  isHash,
  isSameAddress,
  toAddress,
  toChainId,
  toHash,
  toUint,
  utf8Length,
} from "@assay/protocol";
import { address, hash } from "../support/arbitraries.ts";
import { refusalOf } from "../support/refusal.ts";

describe("toAddress", () => {
  const checksummed = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

  it("returns EIP-55 for lower-case, upper-case and EIP-55 input", () => {
    expect(toAddress(checksummed)).to.equal(checksummed);
    expect(toAddress(checksummed.toLowerCase())).to.equal(checksummed);
    expect(toAddress(`0x${checksummed.slice(2).toUpperCase()}`)).to.equal(checksummed);
  });

  it("matches the examples of EIP-55", () => {
    for (const example of [
      "0x52908400098527886E0F7030069857D2E4169EE7",
      "0xde709f2102306220921060314715629080e2fb77",
      "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
      "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
    ]) {
      expect(toAddress(example.toLowerCase())).to.equal(example);
      expect(isChecksummed(example)).to.equal(true);
    }
  });

  it("refuses mixed case that disagrees with the checksum", () => {
    expect(refusalOf(ValueError, () => toAddress(checksummed.replace("5aA", "5AA"))).code).to.equal(
      "address_checksum",
    );
  });

  for (const text of [
    "",
    "0x",
    checksummed.slice(2),
    `0X${checksummed.slice(2)}`,
    `${checksummed}00`,
    `${checksummed}\n`,
    "XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS",
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(refusalOf(ValueError, () => toAddress(text)).code).to.equal("address_malformed");
    });
  }

  it("is idempotent and keeps the account", () => {
    fc.assert(
      fc.property(address, (account) => {
        expect(toAddress(account)).to.equal(account);
        expect(isSameAddress(toAddress(account.toLowerCase()), account)).to.equal(true);
      }),
    );
  });
});

describe("toHash", () => {
  it("returns lower case", () => {
    fc.assert(
      fc.property(hash, (value) => {
        expect(toHash(`0x${value.slice(2).toUpperCase()}`)).to.equal(value);
        expect(isHash(value)).to.equal(true);
      }),
    );
  });

  for (const text of [
    "",
    "0x",
    "ab".repeat(32),
    `0x${"ab".repeat(31)}`,
    `0x${"ab".repeat(33)}`,
    `0x${"g".repeat(64)}`,
    `0x${"ab".repeat(32)}\n`,
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(refusalOf(ValueError, () => toHash(text)).code).to.equal("hex_malformed");
    });
  }
});

describe("toUint", () => {
  it("takes zero and the largest value, refuses the next", () => {
    expect(toUint(0, 8, "x")).to.equal(0n);
    expect(toUint(255, 8, "x")).to.equal(255n);
    expect(refusalOf(ValueError, () => toUint(256, 8, "x")).message).to.equal("x is 256, which is no uint8");
  });

  for (const value of [-1, -1n, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    it(`refuses ${value}`, () => {
      expect(refusalOf(ValueError, () => toUint(value, 256, "x")).code).to.equal("uint_out_of_range");
    });
  }
});

describe("toChainId", () => {
  it("returns a positive integer as it is", () => {
    expect(toChainId(8453)).to.equal(8453);
  });

  for (const chainId of [0, -1, 1.5, 2 ** 53, Number.NaN]) {
    it(`refuses ${chainId}`, () => {
      expect(refusalOf(ValueError, () => toChainId(chainId)).code).to.equal("chain_id_out_of_range");
    });
  }
});

describe("utf8Length", () => {
  it("counts bytes, not characters", () => {
    expect(utf8Length("aé€😀")).to.equal(1 + 2 + 3 + 4);
  });
});
