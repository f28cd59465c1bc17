import { expect } from "chai";
import fc from "fast-check";
import { amountOf } from "../../cli/src/draft/amount.ts";
import { applyFlags } from "../../cli/src/draft/draft.ts";
import { durationInWords, printable, printableLines, shortened } from "@assay/protocol";
import { durationValue, resolveWhen, whenValue } from "../../cli/src/options/durations.ts";
import { agreementIdValue, shareValue } from "../../cli/src/options/values.ts";
import { table } from "../../cli/src/output/table.ts";

const USDC = {
  symbol: "USDC",
  decimals: 6,
  name: "USD Coin",
  version: "2",
  address: `0x${"1".repeat(40)}`,
} as const;

describe("values on the command line", () => {
  it("durations are sums of whole units", () => {
    expect(["90s", "15m", "36h", "2d", "1w", "1d12h30m"].map(durationValue)).to.deep.equal([
      90, 900, 129_600, 172_800, 604_800, 131_400,
    ]);
    for (const text of ["", "5", "h", "1.5h", "-1h", "1h 5m", "1y", "99999999h"])
      expect(() => durationValue(text), text).to.throw("Write a duration");
  });

  it("times are durations from a start, or dates that say their zone unless they are whole days", () => {
    expect(resolveWhen(whenValue("2h"), 1_000)).to.equal(8_200);
    expect(resolveWhen(whenValue("2026-12-24"), 0)).to.equal(Date.UTC(2026, 11, 24) / 1_000);
    expect(resolveWhen(whenValue("2026-12-24T18:00+01:00"), 0)).to.equal(Date.UTC(2026, 11, 24, 17) / 1_000);
    for (const text of ["tomorrow", "2026-13-01", "2026-12-24T18:00", "24.12.2026"])
      expect(() => whenValue(text), text).to.throw("or a date");
  });

  it("durations in words name the two largest units", () => {
    expect([0, 59, 61, 3_600, 90_061].map(durationInWords)).to.deep.equal([
      "0 s",
      "59 s",
      "1 min 1 s",
      "1 h",
      "1 d 1 h",
    ]);
  });

  it("amounts are exact in the token's decimals", () => {
    const amount = (text: string): bigint => amountOf(text, "the reward", USDC);
    expect(["25", "25.50", "0.000001", "25 USDC", "1.0000000000"].map(amount)).to.deep.equal([
      25_000_000n,
      25_500_000n,
      1n,
      25_000_000n,
      1_000_000n,
    ]);
    for (const text of ["", "-1", "1e3", "1,5", ".5", "0x10", "Infinity", "1 ETH", "0.0000001"])
      expect(() => amount(text), text).to.throw();
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (units) => {
        const text = `${units / 1_000_000n}.${(units % 1_000_000n).toString().padStart(6, "0")}`;
        return amount(text) === units;
      }),
    );
  });

  it("shares are exact in basis points", () => {
    expect(["0%", "70%", "12.5%", "0.01%", "100%", "7000bps"].map(shareValue)).to.deep.equal([
      0, 7_000, 1_250, 1, 10_000, 7_000,
    ]);
    for (const text of ["70", "101%", "10001bps", "1.5bps", "-1%", "0.001%"])
      expect(() => shareValue(text), text).to.throw("Write a share");
  });

  it("an agreement is an id or a file that names one", () => {
    const id = `0x${"AB".repeat(32)}`;
    expect(agreementIdValue(id)).to.equal(id.toLowerCase());
    for (const text of ["0x12", "/nonexistent", "/", "/etc/hostname", "/dev/zero"])
      expect(() => agreementIdValue(text), text).to.throw("64 hexadecimal digits");
  });

  it("flags replace a template's texts and add to its lists; a check needs its requirement", () => {
    const template = {
      title: "T",
      task: "t",
      requirements: [{ id: "A", text: "a" }],
      evidenceRequired: ["e"],
    };
    expect(
      applyFlags(template, {
        title: "New",
        require: ["B: b", "just text"],
        check: ['A={"type":"file_exists","path":"a"}'],
      }),
    ).to.deep.equal({
      title: "New",
      task: "t",
      requirements: [
        { id: "A", text: "a", check: { type: "file_exists", path: "a" } },
        { id: "B", text: "b" },
        { id: "REQ-2", text: "just text" },
      ],
      evidenceRequired: ["e"],
    });
    expect(() => applyFlags(template, { check: ["C={}"] })).to.throw(
      "--check names C, which is no requirement",
    );
    expect(() => applyFlags(template, { check: ["A={'}"] })).to.throw("can't be read");
    expect(() => applyFlags(template, { reporter: ["x=0x12"] })).to.throw("can't be read");
  });
});

describe("text of strangers", () => {
  it("keeps letters of every script, and shows what a terminal would act on as escapes", () => {
    expect(printable("Grüße 你好 🎨")).to.equal("Grüße 你好 🎨");
    expect(printable("\u001B]0;owned\u0007\r\n\u202E\u200B\u2066\uFEFF\u{E0041}")).to.equal(
      "\\u001b]0;owned\\u0007\\u000d\\u000a\\u202e\\u200b\\u2066\\ufeff\\u{e0041}",
    );
    expect(printableLines("one\n\ttwo\u001B[2J")).to.equal("one\n\ttwo\\u001b[2J");
    expect(shortened("x".repeat(50), 10)).to.equal("xxxxxxxxx…");
  });

  it("never lets a control, format or lone surrogate character through", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
        // eslint-disable-next-line no-control-regex
        return !/[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\u2028\u2029]|\p{Cs}/u.test(
          printable(text),
        );
      }),
      { numRuns: 500 },
    );
  });

  it("columns are as wide as their widest cell", () => {
    expect(
      table(
        [
          ["a", "bb", "c"],
          ["aaa", "b"],
        ],
        1,
      ),
    ).to.deep.equal([" a    bb  c", " aaa  b"]);
  });
});
