import { expect } from "chai";
import { ModelError } from "../../../../localnet/src/genlayer/models/model.ts";
import { blankComments } from "../../../../localnet/src/genlayer/models/comments.ts";
import { rulesModel } from "../../../../localnet/src/genlayer/models/rules.ts";
import { judgeByRules, type PromptPart } from "../../../../localnet/src/genlayer/models/rules-judge.ts";

function judge(text: string, ...parts: PromptPart[]): { met: boolean; quote: string; note: string } {
  return judgeByRules({ requirements: [{ id: "R", text }], parts }).requirements["R"]!;
}
const file = (text: string, name = "a.ts"): PromptPart => ({ kind: "file", name, text });

describe("rules judge", () => {
  it("says in every note that it is no language model", () => {
    for (const text of ["has `a`", "words here please", "a b c"]) {
      for (const part of [file("x"), file("`a` words here please")]) {
        expect(judge(text, part).note).to.match(/^rules judge, no language model: /);
      }
    }
  });

  describe("with fragments in backticks", () => {
    it("wants each of them in a file, white space left out", () => {
      const parts = [file("if (pending.expiresAt\n  <= now) {}"), file("const x = 1;", "b.ts")];
      expect(judge("tests `pending.expiresAt <= now` and `x=1`", ...parts)).to.include({
        met: true,
        quote: "if (pending.expiresAt <= now) {}",
      });
      expect(judge("tests `pending.expiresAt <= now` and `y=1`", ...parts)).to.include({
        met: false,
        quote: "",
      });
    });

    it("does not count comments", () => {
      expect(judge("tests `a <= b`", file("// a <= b\n/* a <= b */")).met).to.equal(false);
      expect(judge("tests `a <= b`", file("# a <= b", "a.py")).met).to.equal(false);
      expect(judge("has `Recommendation`", file("<!-- Recommendation -->", "a.md")).met).to.equal(false);
    });

    it("does not count what only a string literal says", () => {
      expect(judge("tests `a <= b`", file('const x = "a <= b";')).met).to.equal(false);
      expect(judge("tests `a <= b`", file('const x = "a <= b"; if (a <= b) stop();')).met).to.equal(true);
      expect(judge('throws `new Error("no")`', file('throw new Error("no");')).met).to.equal(true);
    });

    it("does not count evidence, summary or file names", () => {
      expect(
        judge(
          "tests `a <= b`",
          { kind: "evidence", name: "", text: "a <= b" },
          { kind: "summary", name: "", text: "a <= b" },
          file("", "a <= b"),
        ).met,
      ).to.equal(false);
    });
  });

  describe("without fragments", () => {
    it("wants half of the significant words in files or evidence", () => {
      const text = "Compares quorum, court, window, evaluator.";
      expect(
        judge(text, file("quorum and courts"), { kind: "evidence", name: "", text: "WINDOWS" }).met,
      ).to.equal(true);
      expect(judge(text, file("quorum and courts")).met).to.equal(false);
    });

    it("meets nothing when there is no significant word", () => {
      expect(judge("It is so.", file("It is so.")).met).to.equal(false);
    });
  });

  it("quotes enough to be looked up", () => {
    expect(judge("has `}`", file("a\nb\n}\n")).quote).to.equal("a b }");
    expect(judge("has `zz`", file(`${"x".repeat(5000)}zz${"y".repeat(5000)}`)).quote).to.equal(
      `zz${"y".repeat(398)}`,
    );
    expect(judge("has `first`", file("first line is long enough\nsecond")).quote).to.equal(
      "first line is long enough",
    );
  });

  it("refuses prompts that are not the verifier's", async () => {
    let error: unknown;
    await rulesModel
      .answer({ prompt: "hello", responseFormat: "json", signal: new AbortController().signal })
      .catch((reason: unknown) => (error = reason));
    expect(error).to.be.instanceOf(ModelError);
  });
});

describe("blankComments", () => {
  const cases: [string, string, string][] = [
    ["a.ts", "a // b\nc /* d\ne */ f", "a     \nc     \n     f"],
    ["a.ts", "'//' + \"/*\" + `// ${x}` // y", "'//' + \"/*\" + `// ${x}`     "],
    ["a.py", 'a # b\n\'# c\' """# d\n""" # e', 'a    \n\'# c\' """# d\n"""    '],
    ["a.md", "a <!-- b\n--> # c", "a       \n    # c"],
    ["a.txt", "a // # <!-- b -->", "a // # <!-- b -->"],
  ];
  for (const [name, text, blanked] of cases) {
    it(`leaves ${JSON.stringify(text)} in ${name} as it should`, () => {
      expect(blankComments(text, name)).to.equal(blanked);
    });
  }
});
