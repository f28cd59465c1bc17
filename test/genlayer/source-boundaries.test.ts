import { expect } from "chai";
import type {} from "../../localnet/src/genlayer/calldata.ts";
import { blankLiterals } from "../../protocol/src/checks/source/blank-literals.ts";
import { definesFunction } from "../../protocol/src/checks/source/defines-function.ts";
import { helper } from "./support/helpers.ts";

const LANGUAGES = ["python", "typescript", "solidity", "rust", "go"] as const;

describe("the boundaries of reading source", () => {
  /** Texts whose length or depth runs through every bound of the reader. */
  const around = (bound: number, make: (size: number) => string): string[] =>
    [bound - 2, bound - 1, bound, bound + 1, bound + 2].map(make);
  const x = (size: number): string => "x".repeat(Math.max(0, size));
  const spaces = (size: number): string => " ".repeat(Math.max(0, size));

  const TEXTS: readonly string[] = [
    // A regular expression of so many characters, and what stands so far before its slash
    ...around(500, (size) => `a = /${x(size)}/; "function target() {}"`),
    ...around(500, (size) => `a = /${x(size - 3)}"/; function target() {}`),
    ...around(500, (size) => `return${spaces(size)}/"/; function target() {}`),
    ...around(500, (size) => `)${spaces(size)}/"/; function target() {}`),
    ...around(16, (size) => `${x(size)}return /"/; function target() {}`),
    ...around(16, (size) => `return${spaces(size)}/* a */ /"/; function target() {}`),
    ...around(10, (size) => `;${x(size)} instanceof /"/; function target() {}`),
    // Types between a name and its value or body
    ...around(500, (size) => `const target: ${x(size)} = () => 1;`),
    ...around(500, (size) => `const target = (): ${x(size)} => 1;`),
    ...around(500, (size) => `class A { target(): ${x(size)} { } }`),
    ...around(500, (size) => `class A { target(): {${x(size)}} { } }`),
    ...around(500, (size) => `class A { target(): { a }${x(size)} { } }`),
    ...[1, 2, 3, 4, 5].map((count) => `class A { target(): ${"{ a }".repeat(count)} { } }`),
    ...around(500, (size) => `const target = <${x(size - 2)}>(a) => 1;`),
    ...around(500, (size) => `function target<${x(size - 2)}>(a) {}`),
    ...around(500, (size) => `;${spaces(size)}target() {}`),
    ...around(500, (size) => `)${spaces(size)}target() {}`),
    ...around(16, (size) => `${x(size)}async target() {}`),
    ...["protected", "accessor", "declare", "override", "readonly"].flatMap((word) =>
      around(16 - word.length, (size) => `${x(size)} ${word} target() {}`),
    ),
    // Brackets between a Solidity or Rust function and its body
    ...around(64, (size) => `function target() ${"(a)".repeat(size)} {}`),
    ...around(64, (size) => `fn target() ${"[a]".repeat(size)} {}`),
    ...around(63, (size) => `function target${"()".repeat(size)} ;`),
    // Literals of every kind, with and without their ends, with escapes at their edges
    ...["'", '"', "`", "'''", '"""'].flatMap((quote) =>
      ["", "a", "\\", "\\\\", `\\${quote}`, "\n", "\r\n", "\\\r\n", "\r", "\\\n"].flatMap((inner) => [
        `${quote}${inner}${quote} function target() {} `,
        `${quote}${inner}${quote}\ndef target(): pass\nfn target() {}\nfunc target() {}`,
        `${quote}${inner}\ndef target(): pass\nfunction target() {}\nfn target() {}\nfunc target() {}`,
      ]),
    ),
    ...["r", "br", "cr", "xr", "b", "c", "_r"].flatMap((prefix) =>
      ["", "#", "##"].flatMap((hashes) => [
        `${prefix}${hashes}"a"${hashes} fn target() {}`,
        `${prefix}${hashes}"a" fn target() {} "${hashes}`,
        `${prefix}${hashes}"\\"${hashes} fn target() {}`,
      ]),
    ),
    ...["'a'", "'\\n'", "'\\u{1F}'", "'\\x41'", "'\\x4'", "'ab'", "'a", "'", "'\\'' ", "'\\\\'", "'\n'"].map(
      (literal) => `${literal} fn target() {} '"'`,
    ),
    ...[
      "/* a */",
      "/* /* */",
      "/* /* */ */",
      "/* */ */",
      "/*",
      "/*/ */",
      "// a\n",
      "// a\r",
      "# a\n",
      "//",
      "#",
    ].flatMap((comment) => [
      `${comment} function target() {}\nfn target() {}\nfunc target() {}\ndef target(): pass`,
    ]),
    ...[
      "`${`${a}`}`",
      "`${{}}`",
      "`${ {a:{}} }`",
      "`a${b}c${d}`",
      "`${a",
      "`$`",
      "`\\${`",
      "`${'}'}`",
      "}",
      "{",
      "{}",
      "`${}`}`",
    ].map((template) => `${template} function target() {} \``),
    ...[
      "return",
      "typeof",
      "case",
      "do",
      "else",
      "in",
      "of",
      "void",
      "delete",
      "throw",
      "new",
      "instanceof",
      "yield",
      "await",
      "x.return",
      "$in",
      "_of",
      "a",
      ")",
      "]",
      "}",
      "1",
    ].map((word) => `${word} /"/ ; function target() {} "`),
    ...Array.from("(,=:[!&|?{};+-*%~^>").map((mark) => `a${mark} /"/ ; function target() {} "`),
    'a /b; c /"/ ; function target() {}',
    'a = /[/"]/; function target() {}',
    'a = /[\\]"]/; function target() {}',
    'a = /\\/"/; function target() {}',
    'a = /\n"/; function target() {}',
    'a = /b\\\n"/; function target() {}',
    "a = /; b = /'/; function target() {}",
    // What may and may not stand around a definition
    ...[
      "target()",
      "target() {}",
      "target: function() {}",
      "target = x => x",
      "target=>x",
      "target == x => x",
      "target = async x => x",
      "target: async function() {}",
      "target: (a) => b",
      "target = (a, b)",
      "target = function",
      "target = functions => 1",
      "target = asyncx => 1",
      "target() ;",
      "target<T>() {}",
      "target <T> () {}",
      "target<a => b>() {}",
      "target< {}",
      "#target() {}",
      "target\n(\n)\n{",
      "$target() {}",
      "target$() {}",
      "target = (a",
      "target = <T>x",
    ].flatMap((rest) => [
      rest,
      `; ${rest}`,
      `a.${rest}`,
      `function ${rest}`,
      `function* ${rest}`,
      `class A { static async ${rest} }`,
      `a ${rest}`,
      `get ${rest}`,
    ]),
    ...[
      "fn target",
      "fn target()",
      "fn target() {",
      "fn target<T>() {",
      "fn target;",
      "fn target() -> [u8; 3] {",
      "fn target() where T: {",
      "fn  target ( ) { }",
      "afn target() {}",
      "fn target2() {}",
      "fn target(a: fn() -> b) {",
      "fn target(;) {}",
      "fn target(}) {}",
    ].map(String),
    ...[
      "function target() public view returns (uint256) {",
      "function target();",
      "function target() external;",
      "function target {",
      "function  target() modifier(a) {",
      "functions target() {}",
      "function target() } {",
    ].map(String),
    ...[
      "func target()",
      "func (a *B) target() {",
      "func target[T any]() {",
      "func  target (",
      "func (a) (b) target(",
      "func (a)\ntarget(",
      "xfunc target(",
    ].map(String),
    ...[
      "def target()",
      "async def target():",
      "  def target[T]():",
      "x def target():",
      "def target :",
      "def  target (",
      "\tdef target(",
      "\fdef target(",
      "asyncdef target(",
      "async  def\ttarget(",
    ].map(String),
    "([)] function target() {}",
    "function target({ a }) {}",
    "function target(([{}])) {}",
    "(((function target() {}",
    "}}} function target() {}",
    "{ ( } function target() {}",
    "function target(a = { b: ( } ) {}",
  ];

  for (const language of LANGUAGES) {
    it(`are the same in the contract and in its twin, for ${language}`, async () => {
      const blanked = await helper("blank_literals", ...TEXTS.map((text) => [text, language]));
      const defined = await helper(
        "defines_function",
        ...TEXTS.map((text) => [text, "target", language, {}]),
      );
      TEXTS.forEach((text, index) => {
        expect(blankLiterals(text, language), text).to.equal(blanked[index]);
        expect(definesFunction(text, "target", language), text).to.equal(defined[index]);
      });
    });
  }
});
