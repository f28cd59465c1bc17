import { patternFault } from "@assay/protocol";
import { expect } from "chai";
import type { CalldataInput } from "../../localnet/src/genlayer/calldata.ts";
import { compilePattern } from "../../protocol/src/checks/pattern/pattern.ts";
import { helper } from "./support/helpers.ts";

const CHARACTERS = Array.from({ length: 0x180 }, (_, code) => String.fromCodePoint(code));

/** Texts in the files of whose names the pattern is found; null where it gave up. */
async function found(
  cases: readonly (readonly [pattern: string, texts: readonly string[]])[],
): Promise<boolean[][]> {
  const calls = cases.flatMap(([pattern, texts]) => texts.map((text): CalldataInput[] => [pattern, [text]]));
  const results = (await helper("run_regex", ...calls)) as [boolean, string][];
  const rest = results.map(([passed]) => passed);
  return cases.map(([, texts]) => rest.splice(0, texts.length));
}

describe("the boundaries of patterns", () => {
  it("classes and escapes hold exactly the characters that JavaScript's hold in ASCII, and no others", async () => {
    const ascii: [string, RegExp][] = [
      ["\\d", /[0-9]/],
      ["\\w", /[A-Za-z0-9_]/],
      ["\\s", /[\t\n\v\f\r ]/],
      ["\\D", /[^0-9]/],
      ["\\W", /[^A-Za-z0-9_]/],
      ["\\S", /[^\t\n\v\f\r ]/],
      [".", /[^\n]/],
      ["[b-y]", /[b-y]/],
      ["[^b-y0-9]", /[^b-y0-9]/],
      ["[\\d_-]", /[0-9_-]/],
      ["[]]|x", /$./],
      ["[^\\W\\d]", /[A-Za-z_]/],
      ["[é-ü]", /[é-ü]/],
      ["[a-]", /[a-]/],
      ["[-a]", /[-a]/],
      ["[a^]", /[a^]/],
    ];
    const usable = ascii.filter(([pattern]) => patternFault(pattern) === undefined);
    const results = await found(usable.map(([pattern]) => [pattern, CHARACTERS] as const));
    usable.forEach(([pattern, meaning], index) => {
      expect(
        CHARACTERS.filter((_, place) => results[index]![place]),
        pattern,
      ).to.deep.equal(CHARACTERS.filter((character) => meaning.test(character)));
    });
    expect(usable.length).to.be.greaterThan(13);
  });

  it("escapes of control characters and of every punctuation mark mean that character", async () => {
    const controls: [string, string][] = [
      ["\\t", "\t"],
      ["\\n", "\n"],
      ["\\v", "\v"],
      ["\\f", "\f"],
      ["\\r", "\r"],
    ];
    const marks = Array.from("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~").map((mark): [string, string] => [
      `\\${mark}`,
      mark,
    ]);
    const all = [...controls, ...marks];
    const results = await found(all.map(([pattern]) => [pattern, CHARACTERS.slice(0, 128)] as const));
    all.forEach(([pattern, character], index) => {
      expect(
        CHARACTERS.slice(0, 128).filter((_, place) => results[index]![place]),
        pattern,
      ).to.deep.equal([character]);
    });
    const letters = Array.from("acefghijklmopquxyzACEFGHIJKLMNOPQRTUVXYZ0123456789é ").filter(
      (letter) => !"tnvfr".includes(letter),
    );
    const faults = await helper("pattern_fault", ...letters.map((letter) => [`\\${letter}`]));
    expect(faults).to.deep.equal(letters.map(() => "has an unknown escape or a back-reference"));
  });

  it("word borders are where JavaScript has them, line borders at line feeds alone", async () => {
    const texts = [
      "a",
      " a ",
      "_a",
      "1a",
      "éa",
      "a\n",
      "\na",
      "\ra",
      "a\r",
      "a\u2028",
      ".a.",
      "aa",
      "",
      "a é",
    ];
    const patterns = ["\\ba", "a\\b", "\\Ba", "a\\B", "^a", "a$", "^a$", "\\ba\\b", "(?:^| )a"];
    const results = await found(patterns.map((pattern) => [pattern, texts] as const));
    patterns.forEach((pattern, index) => {
      // JavaScript's m flag also knows \r and U+2028 as line ends; here only \n is one
      const own = new RegExp(pattern.replaceAll("^", "(?<![^\\n])").replaceAll("$", "(?![^\\n])"), "u");
      texts.forEach((text, place) => {
        expect(results[index]![place], `${pattern} in ${JSON.stringify(text)}`).to.equal(own.test(text));
      });
    });
  });

  it("bounds are inclusive: 100 repetitions, 32 groups, 250 states, and the same beyond as its twin", async () => {
    const patterns = [
      "a{100}",
      "a{101}",
      "a{0,100}b",
      "a{0,101}b",
      "a{100,}",
      "a{101,}",
      "a{1,1}",
      "a{2,1}",
      "a{0}b",
      "a{999}",
      "a{1000}",
      "a{,2}",
      `${"()".repeat(32)}a`,
      `${"()".repeat(33)}a`,
      ...Array.from({ length: 8 }, (_, more) => `a{100}b{100}${"c".repeat(44 + more)}`),
      ...Array.from({ length: 8 }, (_, more) => `(?:a|b){60}${"c".repeat(64 + more)}`),
      ...Array.from({ length: 8 }, (_, more) => `(?:x?){90}${"c".repeat(64 + more)}`),
      "(a+)+",
      "(a{1,2})+",
      "(?:a{2}){3}",
      "(?:a*b){2}",
      "((a)*)*",
      "a+?",
      "a{2}?",
      "a??b",
      "a{2}{3}",
      "\\b+",
      "$?",
      "a|b|",
      "[a-c-e]",
      "[c-a]",
      "[a-a]",
      "[\\n-\\r]",
      "[\\d-z]",
      "[z-\\d]",
      "[!-\\d]",
      "[a",
      "[a-",
      "(?:a",
      "(?a)",
      "(?",
      "\\",
      "{",
      "}",
      "a{b",
      ")",
      "]",
    ];
    const faults = await helper("pattern_fault", ...patterns.map((pattern) => [pattern]));
    expect(faults).to.deep.equal(patterns.map((pattern) => patternFault(pattern) ?? ""));
    expect(faults.slice(0, 8).map((fault) => fault === "")).to.deep.equal([
      true,
      false,
      true,
      false,
      true,
      false,
      true,
      false,
    ]);
    expect(faults.slice(12, 14)).to.deep.equal(["", "has more than 32 groups"]);
    for (const from of [14, 22, 30]) {
      const fits = faults.slice(from, from + 8).map((fault) => fault === "");
      expect(fits[0]).to.equal(true);
      expect(fits.at(-1)).to.equal(false);
    }
  });

  it("repetitions match from the least to the most", async () => {
    const texts = Array.from({ length: 6 }, (_, length) => `<${"a".repeat(length)}>`);
    const expected: [string, boolean[]][] = [
      ["<a*>", [true, true, true, true, true, true]],
      ["<a+>", [false, true, true, true, true, true]],
      ["<a?>", [true, true, false, false, false, false]],
      ["<a{2}>", [false, false, true, false, false, false]],
      ["<a{2,}>", [false, false, true, true, true, true]],
      ["<a{2,4}>", [false, false, true, true, true, false]],
      ["<a{0,1}>", [true, true, false, false, false, false]],
      ["<(?:a{2}){1,2}>", [false, false, true, false, true, false]],
      ["<(?:a|aa){2}>", [false, false, true, true, true, false]],
      ["<a*?>", [true, true, true, true, true, true]],
      ["<a{2,3}?>", [false, false, true, true, false, false]],
    ];
    const results = await found(expected.map(([pattern]) => [pattern, texts] as const));
    expect(results).to.deep.equal(expected.map(([, matches]) => matches));
  });

  it("a search gives up after exactly as many new steps as its twin", async () => {
    // Every character is new to the automaton, so that each costs a step
    const text = (length: number): string =>
      String.fromCodePoint(...Array.from({ length }, (_, index) => 0x4e00 + index));
    const texts = [text(4095), text(4096), text(4097)];
    const [results, matcher] = [
      await helper("run_regex", ...texts.map((one) => ["x", [one]])),
      compilePattern("x"),
    ];
    expect(results).to.deep.equal([
      [false, "not found in 1 files"],
      [false, "not found in 1 files"],
      [false, "the pattern takes too many steps on a file"],
    ]);
    expect(texts.map((one) => matcher.isFoundIn(one))).to.deep.equal([false, false, undefined]);
    expect(await helper("run_regex", ["x", [texts[2]!, "x"]], ["x", ["x", ""]])).to.deep.equal([
      [true, "found in 1 of 2 files"],
      [true, "found in 1 of 2 files"],
    ]);
  });
});
