import type { Check, Submission } from "@assay/protocol";
import { expect } from "chai";
import { FUNCTION_CASES } from "./support/function-cases.ts";
import { helper } from "./support/helpers.ts";

/** Result and detail of a check on these files. */
async function check(what: Check, files: Submission["files"]): Promise<unknown> {
  const [result] = await helper("run_check", [what, {}, { files }, {}, {}]);
  return result;
}

describe("AgreementVerifier's checks", () => {
  describe("function_exists", () => {
    let defined: unknown[];
    before(async () => {
      defined = await helper(
        "defines_function",
        ...FUNCTION_CASES.map(({ source, language }) => [source, "target", language, {}]),
      );
    });
    FUNCTION_CASES.forEach((item, index) => {
      it(`${item.defined ? "finds" : "does not find"} in ${item.language} ${item.name}`, () => {
        expect(defined[index]).to.equal(item.defined);
      });
    });

    it("reads each file in the language of its extension", async () => {
      const files = {
        "a.py": "def target(): pass",
        "b.rs": "def target()",
        "c.unknown": "def target(): pass",
      };
      expect(await check({ type: "function_exists", name: "target" }, files)).to.deep.equal([
        true,
        "found in 1 of 2 files",
      ]);
      expect(await check({ type: "function_exists", name: "target", language: "go" }, files)).to.deep.equal([
        false,
        "not found in 0 files",
      ]);
    });

    it("reads a named file in the named language whatever its extension", async () => {
      const what: Check = { type: "function_exists", name: "target", language: "python", path: "script" };
      expect(await check(what, { script: "def target(): pass" })).to.deep.equal([
        true,
        "found in 1 of 1 files",
      ]);
    });

    it("takes names with a dollar sign literally", async () => {
      const what: Check = { type: "function_exists", name: "$", language: "typescript" };
      expect(await check(what, { "a.ts": "function $() {}" })).to.deep.equal([true, "found in 1 of 1 files"]);
      expect(await check(what, { "a.ts": "function a() {}" })).to.deep.equal([false, "not found in 1 files"]);
    });

    const hostile: [string, string][] = [
      ["calls that never close", "target(".repeat(60_000)],
      ["declarations that never close", "function target(".repeat(20_000)],
      ["slashes", "=/[".repeat(100_000) + "target"],
      ["quotes", `target${"\"'`".repeat(80_000)}`],
      ["open templates", "`${".repeat(80_000) + "target"],
      ["white space", `target${" ".repeat(300_000)}x`],
      ["generics", "target<".repeat(50_000)],
      ["typed names", "target:".repeat(50_000)],
      ["assignments", "target=(".repeat(50_000)],
      ["backslashes", `'${"\\".repeat(300_000)}target`],
      ["nested comments", `${"/*".repeat(150_000)}target`],
      ["raw strings", 'r#"'.repeat(100_000) + "target"],
    ];
    for (const [name, source] of hostile) {
      it(`takes bounded time on ${name}`, async () => {
        for (const language of ["typescript", "rust", "python", "solidity", "go"]) {
          await helper("defines_function", [source, "target", language, {}]);
        }
      }).timeout(30_000);
    }
  });

  describe("string_present", () => {
    const files = { "src/a.ts": "one\ntwo", "b.md": "" };
    it("finds a needle in any file, also over lines", async () => {
      expect(await check({ type: "string_present", needle: "ne\nt" }, files)).to.deep.equal([
        true,
        "found in 1 of 2 files",
      ]);
    });
    it("looks in the named file only", async () => {
      expect(await check({ type: "string_present", needle: "one", path: "b.md" }, files)).to.deep.equal([
        false,
        "not found in 1 files",
      ]);
      expect(await check({ type: "string_present", needle: "one", path: "c" }, files)).to.deep.equal([
        false,
        "no such file",
      ]);
    });
    it("does not search file names", async () => {
      expect(await check({ type: "string_present", needle: "src/a.ts" }, files)).to.deep.equal([
        false,
        "not found in 2 files",
      ]);
    });
    it("minds letter case", async () => {
      expect(await check({ type: "string_present", needle: "One" }, files)).to.deep.equal([
        false,
        "not found in 2 files",
      ]);
    });
  });

  describe("file_exists", () => {
    it("wants exactly that path", async () => {
      expect(await check({ type: "file_exists", path: "a" }, { a: "" })).to.deep.equal([
        true,
        "the file is there",
      ]);
      expect(await check({ type: "file_exists", path: "a" }, { A: "", "b/a": "" })).to.deep.equal([
        false,
        "no such file",
      ]);
    });
    it("knows no names but those of files", async () => {
      for (const path of ["constructor", "__proto__", "toString"]) {
        expect(await check({ type: "file_exists", path }, {})).to.deep.equal([false, "no such file"]);
      }
    });
  });
});
