import {
  canonicalize,
  type Check,
  type CheckResult,
  patternFault,
  reportTypedData,
  filesHash,
  runCheck,
  type Submission,
} from "@assay/protocol";
import { expect } from "chai";
import { SigningKey, Wallet } from "ethers";
import fc from "fast-check";
import type { CalldataInput } from "../../localnet/src/genlayer/calldata.ts";
import { definesFunction } from "../../protocol/src/checks/source/defines-function.ts";
import { blankLiterals } from "../../protocol/src/checks/source/blank-literals.ts";
import { compilePattern } from "../../protocol/src/checks/pattern/pattern.ts";
import { FUNCTION_CASES } from "./support/function-cases.ts";
import { helper } from "./support/helpers.ts";
import { PATTERN_CASES, REFUSED_PATTERNS } from "./support/pattern-cases.ts";
import { AGREEMENT_ID, ESCROW, EVM_CHAIN_ID } from "./support/verifier.ts";

const LANGUAGES = ["python", "typescript", "solidity", "rust", "go"] as const;
const SUBJECT = { chainId: EVM_CHAIN_ID, escrow: ESCROW, agreementId: AGREEMENT_ID };
/** Runs of the generators; equal on every machine. */
const SEEDED = { seed: 20260101, numRuns: 400 };

/** What the Intelligent Contract decides. */
async function inPython(
  cases: { check: Check; files: Submission["files"]; reports?: Submission["reports"]; reporters?: unknown }[],
): Promise<CheckResult[]> {
  const results = await helper(
    "run_check",
    ...cases.map(({ check, files, reports = [], reporters = [] }): CalldataInput[] => [
      check,
      { reporters } as CalldataInput,
      { files, reports },
      SUBJECT,
      {},
    ]),
  );
  return (results as [boolean, string][]).map(([passed, detail]) => ({ passed, detail }));
}

describe("the TypeScript twin of the checks", () => {
  it("finds functions where the contract does, in every case and every language", async () => {
    const all = FUNCTION_CASES.flatMap(({ source }) => LANGUAGES.map((language) => ({ source, language })));
    const python = await helper(
      "defines_function",
      ...all.map(({ source, language }) => [source, "target", language, {}]),
    );
    all.forEach(({ source, language }, index) => {
      expect(definesFunction(source, "target", language), `${language}: ${source}`).to.equal(python[index]);
    });
  });

  it("blanks and finds alike on texts made of hostile fragments", async () => {
    const fragment = fc.constantFrom(
      ...Array.from("\"'`/\\{}()[]<>=:;,.*#$&|!?\n\r\t "),
      "//",
      "/*",
      "*/",
      "${",
      "`",
      '"""',
      "'''",
      "\\\\",
      '\\"',
      'r#"',
      '"#',
      'br"',
      "'a",
      "'\\u{61}'",
      "\u{1d11e}",
      "é",
      "\u2028",
      "function target",
      "target",
      "fn target",
      "func target",
      "def target",
      "async ",
      "class A ",
      "const target = ",
      "=> ",
      "(a: b) ",
      "return ",
      "x",
      "=",
    );
    const texts = fc.sample(
      fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join("")),
      SEEDED,
    );
    const all = texts.flatMap((source) => LANGUAGES.map((language) => ({ source, language })));
    const blanked = await helper("blank_literals", ...all.map(({ source, language }) => [source, language]));
    const defined = await helper(
      "defines_function",
      ...all.map(({ source, language }) => [source, "target", language, {}]),
    );
    all.forEach(({ source, language }, index) => {
      const name = `${language}: ${JSON.stringify(source)}`;
      if (!/[\u{10000}-\u{10FFFF}]/u.test(source))
        expect(blankLiterals(source, language), name).to.equal(blanked[index]);
      expect(definesFunction(source, "target", language), name).to.equal(defined[index]);
    });
  }).timeout(60_000);

  it("accepts and refuses the same patterns for the same reasons", async () => {
    const patterns = [
      ...PATTERN_CASES.map(([pattern]) => pattern),
      ...REFUSED_PATTERNS.map(([pattern]) => pattern),
    ];
    const python = await helper("pattern_fault", ...patterns.map((pattern) => [pattern]));
    patterns.forEach((pattern, index) => {
      expect(patternFault(pattern) ?? "", pattern).to.equal(python[index]);
      expect(python[index] === "", pattern).to.equal(index < PATTERN_CASES.length);
    });
  });

  it("reads patterns made of hostile fragments alike, and matches alike with those that are accepted", async () => {
    const piece = fc.constantFrom(
      ...Array.from("ab()[]{}|*+?.^$\\-,1é\u{1d11e}\n"),
      "\\d",
      "\\w",
      "\\s",
      "\\D",
      "\\b",
      "\\B",
      "\\n",
      "[a-c]",
      "[^a]",
      "{2}",
      "{1,2}",
      "{2,}",
      "(?:",
      "(?=",
      "\\1",
      "a+",
      "(a|b)",
    );
    const patterns = fc.sample(
      fc.array(piece, { minLength: 1, maxLength: 8 }).map((parts) => parts.join("")),
      { ...SEEDED, numRuns: 1500 },
    );
    const texts = ["", "a", "ab", "aab\nbc 1", "a\nb", "é_\u{1d11e}1", " b-{a},", "11aa\\^$", "\n", "a.b|c"];
    const faults = await helper("pattern_fault", ...patterns.map((pattern) => [pattern]));
    const accepted = patterns.filter((pattern, index) => {
      expect(patternFault(pattern) ?? "", pattern).to.equal(faults[index]);
      return faults[index] === "";
    });
    expect(accepted.length).to.be.greaterThan(150);
    const runs = accepted.map((pattern): CalldataInput[] => [pattern, texts]);
    const results = (await helper("run_regex", ...runs)) as [boolean, string][];
    accepted.forEach((pattern, index) => {
      const matcher = compilePattern(pattern);
      const found = texts.filter((text) => matcher.isFoundIn(text) === true).length;
      expect(results[index], pattern).to.deep.equal([
        found > 0,
        found > 0 ? `found in ${found} of ${texts.length} files` : `not found in ${texts.length} files`,
      ]);
    });
  }).timeout(60_000);

  it("matches as JavaScript's own engine does, where the subset means the same", () => {
    for (const [pattern, text, matches] of PATTERN_CASES) {
      expect(compilePattern(pattern).isFoundIn(text), `${pattern} in ${JSON.stringify(text)}`).to.equal(
        matches,
      );
      expect(new RegExp(pattern, "mu").test(text), `own engine: ${pattern}`).to.equal(matches);
    }
  });

  it("gives up after the same steps", async () => {
    const pattern = "(?:a|b)*a(?:a|b){14}c";
    let text = "";
    let state = 1;
    for (let index = 0; index < 30_000; index++) {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      text += state % 7 < 3 ? "a" : "b";
    }
    const check: Check = { type: "regex", pattern };
    const files = { "a.txt": text };
    const expected = { passed: false, detail: "the pattern takes too many steps on a file" };
    expect(runCheck(check, {}, { files }, SUBJECT)).to.deep.equal(expected);
    expect(await inPython([{ check, files }])).to.deep.equal([expected]);
  });

  it("decides every check on files alike", async () => {
    const files: Submission["files"] = JSON.parse(
      canonicalize({
        "a.py": "def target(): pass\n# x",
        "b/c.ts": "function target() {}",
        "d.txt": "é x\u{1d11e}",
        constructor: "x",
        __proto__x: "",
      }),
    ) as Submission["files"];
    const paths = [undefined, "a.py", "b/c.ts", "missing", "constructor", "toString", "__proto__"];
    const checks = paths.flatMap((path): Check[] => {
      const at = path === undefined ? {} : { path };
      const named = { path: path ?? "a.py" };
      return [
        { type: "string_present", needle: "x", ...at },
        { type: "string_present", needle: "\u{1d11e}", ...at },
        { type: "regex", pattern: "^def|x$", ...at },
        { type: "function_exists", name: "target", ...at },
        { type: "function_exists", name: "target", language: "python", ...at },
        { type: "function_exists", name: "target", language: "rust", ...at },
        { type: "file_exists", ...named },
        {
          type: "file_hash",
          sha256: "0x2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
          ...named,
        },
      ];
    });
    const python = await inPython(checks.map((check) => ({ check, files })));
    checks.forEach((check, index) => {
      expect(runCheck(check, {}, { files }, SUBJECT), JSON.stringify(check)).to.deep.equal(python[index]);
    });
  });

  describe("reported", () => {
    const wallet = new Wallet(`0x${"11".repeat(32)}`);
    const reporters = [{ id: "ci", address: wallet.address as `0x${string}` }];
    const check: Check = { type: "reported", reporter: "ci", claim: "tests pass" };
    const files = { "a.ts": "x" };
    const detailHash: `0x${string}` = `0x${"dd".repeat(32)}`;
    type Report = NonNullable<Submission["reports"]>[number];

    async function report(
      changes: Partial<Report> = {},
      signed: Partial<Parameters<typeof reportTypedData>[0]> = {},
      by = wallet,
    ): Promise<Report> {
      const base = { reporter: "ci", claim: "tests pass", passed: true, detailHash, ...changes };
      const { domain, types, message } = reportTypedData({
        ...SUBJECT,
        filesHash: filesHash(files),
        claim: base.claim,
        passed: base.passed,
        detailHash: base.detailHash,
        ...signed,
      });
      return { ...base, signature: await by.signTypedData(domain, types, message), ...changes };
    }
    async function both(reports: Report[]): Promise<CheckResult> {
      const typescript = runCheck(check, { reporters }, { files, reports }, SUBJECT);
      expect(await inPython([{ check, files, reports, reporters }])).to.deep.equal([typescript]);
      return typescript!;
    }

    it("passes by a report that its reporter signed", async () => {
      expect(await both([await report()])).to.deep.equal({ passed: true, detail: "reported as passed" });
    });
    it("fails by a report that says so", async () => {
      expect(await both([await report({ passed: false })])).to.deep.equal({
        passed: false,
        detail: "reported as failed",
      });
    });
    it("fails without a report of the claim", async () => {
      expect(await both([await report({ claim: "other" })])).to.deep.equal({
        passed: false,
        detail: "no report of it",
      });
    });

    const wrong: [string, () => Promise<Report>][] = [
      ["by someone else", () => report({}, {}, new Wallet(`0x${"22".repeat(32)}`))],
      ["for another agreement", () => report({}, { agreementId: `0x${"00".repeat(32)}` })],
      ["for other files", () => report({}, { filesHash: filesHash({ "a.ts": "y" }) })],
      ["for another chain", () => report({}, { chainId: 1 })],
      ["for another escrow", () => report({}, { escrow: wallet.address as `0x${string}` })],
      ["for a failed report", () => report({}, { passed: false })],
      ["of another claim", () => report({}, { claim: "other" })],
      ["of zeros", () => report({ signature: `0x${"00".repeat(65)}` })],
      ["of the highest numbers", () => report({ signature: `0x${"ff".repeat(65)}` })],
      [
        "malleated to its high twin",
        async () => {
          const honest = (await report()).signature;
          const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
          const s = (order - BigInt(`0x${honest.slice(66, 130)}`)).toString(16).padStart(64, "0");
          return report({ signature: `${honest.slice(0, 66)}${s}${honest.endsWith("1b") ? "1c" : "1b"}` });
        },
      ],
      [
        "with v as 0 or 1",
        async () => {
          const honest = (await report()).signature;
          return report({ signature: `${honest.slice(0, 130)}${honest.endsWith("1b") ? "00" : "01"}` });
        },
      ],
    ];
    for (const [name, make] of wrong) {
      it(`does not take a signature ${name}`, async () => {
        expect(await both([await make()])).to.deep.equal({
          passed: false,
          detail: "the signature is not the reporter's",
        });
      });
    }

    it("recovers as secp256k1 libraries do, on keys and digests of every kind", async () => {
      const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
      const keys = [
        1n,
        2n,
        3n,
        order - 1n,
        order >> 1n,
        0xebb2c082fd7727890a28ac82f6bdf97bad8de9f5d7c9028692de1a255cad3e0fn,
      ];
      const digests = [
        "00".repeat(31) + "01",
        "ff".repeat(32),
        "4b688df40bcedbe641ddb16ff0a1842d9c67ea1c3bf63f3e0471baa664531d1a",
      ];
      const cases = keys.flatMap((key) =>
        digests.map((digest) => {
          const signing = new SigningKey(`0x${key.toString(16).padStart(64, "0")}`);
          return {
            digest,
            signature: signing.sign(`0x${digest}`).serialized,
            address: new Wallet(signing).address,
          };
        }),
      );
      const recovered = await helper(
        "recover",
        ...cases.map(({ digest, signature }) => [
          Buffer.from(digest, "hex"),
          Buffer.from(signature.slice(2), "hex"),
        ]),
      );
      expect(recovered).to.deep.equal(cases.map(({ address }) => address));
    });

    it("recovers the signers that EIP-155 and EIP-712 publish", async () => {
      const published = [
        {
          digest: "daf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53",
          signature:
            "28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276" +
            "67cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d831b",
          address: "0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F",
        },
        {
          digest: "be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2",
          signature:
            "4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d" +
            "07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b915621c",
          address: "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826",
        },
      ];
      const recovered = await helper(
        "recover",
        ...published.map(({ digest, signature }) => [
          Buffer.from(digest, "hex"),
          Buffer.from(signature, "hex"),
        ]),
      );
      expect(recovered).to.deep.equal(published.map(({ address }) => address));
    });

    it("hashes as Keccak-256 does, on its public vectors and at every length around a block", async () => {
      const { keccak256 } = await import("ethers");
      const inputs = [0, 1, 3, 31, 32, 64, 135, 136, 137, 271, 272, 1000].map((length) =>
        Buffer.alloc(length, 0x61),
      );
      const hashes = (await helper("keccak256", ...inputs.map((input) => [input]))) as Uint8Array[];
      expect(hashes.map((hash) => `0x${Buffer.from(hash).toString("hex")}`)).to.deep.equal(
        inputs.map((input) => keccak256(input)),
      );
      expect(Buffer.from(hashes[0]!).toString("hex")).to.equal(
        "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
      );
    });
  });
});
