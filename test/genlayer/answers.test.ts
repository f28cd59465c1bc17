import { expect } from "chai";
import { helper, refusals } from "./support/helpers.ts";

describe("AgreementVerifier and a model's answer", () => {
  describe("an answer", () => {
    const ids = ["A", "B"];
    const texts = [["some delivered text", "some delivered text"]];
    const entry = { met: true, quote: "delivered text", note: "" };
    const given = (changes: Record<string, unknown>) => [
      { requirements: { A: entry, B: entry }, score: 0, ...changes },
      ids,
      texts,
    ];

    it("is taken with scores from 0 to 100, and with one entry for each id", async () => {
      expect(await helper("read_answer", given({}), given({ score: 100 }))).to.deep.equal(
        [0, 100].map((score) => ({ results: { A: true, B: true }, notes: { A: "", B: "" }, score })),
      );
      const mixed = { A: { ...entry, met: "false", quote: "" }, B: { ...entry, met: "true" } };
      expect(await helper("read_answer", given({ requirements: mixed }))).to.deep.equal([
        { results: { A: false, B: true }, notes: { A: "", B: "" }, score: 0 },
      ]);
    });

    it("is refused for anything else", async () => {
      const refused: [unknown[], string][] = [
        [given({ score: -1 }), "the score must be a whole number from 0 to 100"],
        [given({ score: 101 }), "the score must be a whole number from 0 to 100"],
        [given({ score: false }), "the score must be a whole number from 0 to 100"],
        [given({ score: "5" }), "the score must be a whole number from 0 to 100"],
        [given({ requirements: { A: entry } }), "the answer must have one entry for each requirement"],
        [
          given({ requirements: { A: entry, B: entry, C: entry } }),
          "the answer must have one entry for each requirement",
        ],
        [given({ requirements: [entry, entry] }), "the answer must have the keys requirements and score"],
        [given({ more: 1 }), "the answer must have the keys requirements and score"],
        [[["requirements", "score"], ids, texts], "the answer must have the keys requirements and score"],
        [["[]", ids, texts], "the answer must have the keys requirements and score"],
        [
          given({ requirements: { A: entry, B: "x" } }),
          "B: the entry must have the keys met, quote and note",
        ],
        [
          given({ requirements: { A: { met: true, quote: "" }, B: entry } }),
          "A: the entry must have the keys met, quote and note",
        ],
        [given({ requirements: { A: { ...entry, met: "yes" }, B: entry } }), "A: met must be true or false"],
        [given({ requirements: { A: { ...entry, met: 1 }, B: entry } }), "A: met must be true or false"],
        [given({ requirements: { A: { ...entry, met: [] }, B: entry } }), "A: met must be true or false"],
        [given({ requirements: { A: { ...entry, note: 5 }, B: entry } }), "A: quote and note must be text"],
        [
          given({ requirements: { A: { ...entry, quote: 5, met: false }, B: entry } }),
          "A: quote and note must be text",
        ],
        [
          given({ requirements: { A: { ...entry, quote: "elsewhere" }, B: entry } }),
          "A: the quote is not in the submission",
        ],
      ];
      expect(await refusals("read_answer", ...(refused.map(([call]) => call) as never[]))).to.deep.equal(
        refused.map(([, words]) => `[LLM_ERROR] ${words}`),
      );
    });

    it("of a leader is well formed exactly when it is what an honest one returns", async () => {
      const honest = { results: { A: true, B: false }, notes: { A: "", B: "x".repeat(300) }, score: 100 };
      const lies: unknown[] = [
        [],
        { ...honest, more: 1 },
        { results: honest.results, notes: honest.notes },
        { ...honest, results: [true, false] },
        { ...honest, notes: ["", ""] },
        { ...honest, results: { A: true } },
        { ...honest, notes: { A: "" } },
        { ...honest, results: { A: true, B: false, C: true } },
        { ...honest, notes: { A: "", B: "", C: "" } },
        { ...honest, results: { A: true, B: 0 } },
        { ...honest, notes: { A: "", B: 7 } },
        { ...honest, notes: { A: "", B: "x".repeat(301) } },
        { ...honest, score: -1 },
        { ...honest, score: 101 },
        { ...honest, score: true },
        { ...honest, score: "5" },
      ];
      const calls = [honest, { ...honest, score: 0 }, ...lies].map((value) => [value, ids]);
      expect(await helper("well_formed", ...(calls as never[]))).to.deep.equal([
        true,
        true,
        ...lies.map(() => false),
      ]);
    });
  });

  describe("a quote", () => {
    const is = async (quote: string, ...texts: [string, string][]): Promise<unknown> =>
      (await helper("is_quote", [quote, texts]))[0];
    const plain = (text: string): [string, string] => [text, text];

    it("needs eight characters that count, or all of a shorter text, white space left out", async () => {
      expect(await is("12345678", plain("a 12345678 b"))).to.equal(true);
      expect(await is("1 2 3 4 5 6 7 8", plain("a 1 2 3 4 5 6 7 8 b"))).to.equal(true);
      expect(await is("1234567", plain("a 1234567 b"))).to.equal(false);
      expect(await is("1234 567", plain("1234 567"))).to.equal(true);
      expect(await is("123", plain("1234 567"))).to.equal(false);
      expect(await is("  \n", plain("1234 567"))).to.equal(false);
    });

    it("has at most a thousand characters", async () => {
      const text = "x".repeat(1001);
      expect(await is(text.slice(1), plain(text))).to.equal(true);
      expect(await is(text, plain(text))).to.equal(false);
    });

    it("shows something when half of it counts, rounded up", async () => {
      const counting = (text: string, blank: number): [string, string] => [
        text,
        " ".repeat(blank) + text.slice(blank),
      ];
      const odd = "abcdefghijklmnopq";
      expect(await is(odd, counting(odd, 8))).to.equal(true);
      expect(await is(odd, counting(odd, 9))).to.equal(false);
      const even = `${odd}r`;
      expect(await is(even, counting(even, 9))).to.equal(true);
      expect(await is(even, counting(even, 10))).to.equal(false);
    });

    it("is looked for in every text, at its first hundred places in each", async () => {
      const word = "occurrence ";
      const at = (place: number): [string, string] => {
        const text = word.repeat(place);
        return [text, " ".repeat(text.length - word.length) + word];
      };
      expect(await is("occurrence", at(100))).to.equal(true);
      expect(await is("occurrence", at(101))).to.equal(false);
      expect(await is("occurrence", at(101), plain("occurrence"))).to.equal(true);
      expect(await is("second text", plain("first text"), plain("the second text"))).to.equal(true);
    });

    it("is taken from files, else from links, else from evidence, else from the summary", async () => {
      const parts = (["summary", "evidence", "link", "file"] as const).map((kind) => [
        kind,
        "a.txt",
        `of ${kind}`,
      ]);
      for (let left = 4; left > 0; left--) {
        const kind = parts[left - 1]![0]!;
        expect(await helper("quotable", [parts.slice(0, left)])).to.deep.equal([
          [[`of ${kind}`, `of ${kind}`]],
        ]);
      }
      expect(await helper("quotable", [[]])).to.deep.equal([[]]);
    });

    it("counts no comments of markup, whatever the extension is spelled like, and none of source code", async () => {
      const text = "a <!-- b --> c <!-- d";
      for (const extension of ["md", "html", "htm", "xml", "svg", "MD"]) {
        expect(await helper("what_counts", ["file", `x.${extension}`, text])).to.deep.equal([
          `a ${" ".repeat(10)} c ${" ".repeat(6)}`,
        ]);
      }
      expect(await helper("what_counts", ["file", "x.txt", text])).to.deep.equal([text]);
      expect(await helper("what_counts", ["link", "x.md", text])).to.deep.equal([text]);
      expect(await helper("what_counts", ["file", "x.py", 'a # b "c"\n"d"'])).to.deep.equal([
        `a ${" ".repeat(7)}\n   `,
      ]);
      expect(await helper("what_counts", ["evidence", "x.py", "a # b"])).to.deep.equal(["a # b"]);
    });
  });
});
