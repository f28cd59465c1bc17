import { createHash } from "node:crypto";
import { type Submission } from "@assay/protocol";
import { expect } from "chai";
import { readPrompt } from "../../localnet/src/genlayer/models/rules-judge.ts";
import { scriptedModel } from "../../localnet/src/genlayer/models/scripted.ts";
import { textOf, web } from "./support/executor.ts";
import { helper } from "./support/helpers.ts";
import { adjudicate, agreement, caseOf, recordOf, submission } from "./support/verifier.ts";

const sha256 = (data: string | Uint8Array): `0x${string}` =>
  `0x${createHash("sha256").update(data).digest("hex")}`;

describe("AgreementVerifier's facts", () => {
  describe("file names", () => {
    it("tell the language by their extension, in any case", async () => {
      const known = {
        python: ["py", "pyi", "PY"],
        typescript: ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"],
        solidity: ["sol"],
        rust: ["rs"],
        go: ["go"],
      };
      for (const [language, extensions] of Object.entries(known)) {
        for (const extension of extensions) {
          expect(
            await helper("languages_to_try", [`a/b.${extension}`, null, false]),
            extension,
          ).to.deep.equal([[language]]);
        }
      }
      expect(
        await helper(
          "languages_to_try",
          ["a.txt", null, false],
          ["a.py/b", null, false],
          ["py", null, true],
          ["a.txt", "go", true],
          ["a.txt", "go", false],
          ["a.go", "go", false],
          ["a.py", "go", false],
          ["a.py", "go", true],
          ["a.tar.py", null, false],
        ),
      ).to.deep.equal([[], [], ["python"], ["go"], [], ["go"], [], ["go"], ["python"]]);
    });
  });

  describe("public URLs", () => {
    it("have a host of labels, the last of letters first, and none of the private ones", async () => {
      const open = [
        "https://a.example/",
        "http://a-1.b2.example:8080/x?y#z",
        "https://a.example?x",
        "https://a.example#x",
        "https://1.a.xn--p1ai/",
        "https://A.EXAMPLE/",
      ];
      const closed = [
        ...[
          "local",
          "localhost",
          "internal",
          "intranet",
          "lan",
          "home",
          "corp",
          "private",
          "arpa",
          "LOCAL",
        ].map((label) => `https://a.${label}/`),
        "https://localhost/",
        "https://a/",
        "https://127.0.0.1/",
        "https://a.example./",
        "https://-a.example/",
        "https://a-.example/",
        "https://a..example/",
        "https://a.1x/",
        "https://a.x/",
        "https://a.x-/",
      ];
      expect(await helper("is_public_url", ...[...open, ...closed].map((url) => [url]))).to.deep.equal([
        ...open.map(() => true),
        ...closed.map(() => false),
      ]);
    });
  });

  describe("links", () => {
    const before = web.current;
    afterEach(() => {
      web.current = before;
    });
    const URL = "https://docs.example/report.txt";
    const link = (body: string): Submission["links"][number] => ({
      url: URL,
      sha256: sha256(body),
      bytes: Buffer.byteLength(body),
    });

    it("are shown to 16 KiB of characters, with a mark when there is more", async () => {
      for (const [length, cut] of [
        [16_384, false],
        [16_385, true],
      ] as const) {
        const body = "é".repeat(length);
        web.current = {
          get: () => Promise.resolve({ status: 200, headers: {}, body: new Uint8Array(Buffer.from(body)) }),
        };
        const model = scriptedModel(["{}"]);
        await adjudicate(caseOf(agreement(), submission({ files: {}, summary: "", links: [link(body)] })), {
          model,
        });
        const part = readPrompt(model.prompts[0]!)!.parts[0]!;
        expect(part.kind).to.equal("link");
        expect(model.prompts[0]!.includes("[CUT HERE]")).to.equal(cut);
      }
    });

    it("of a mebibyte are fetched, and none beyond", async () => {
      let fetched = 0;
      web.current = {
        get: () => {
          fetched++;
          return Promise.resolve({ status: 200, headers: {}, body: new Uint8Array(1024 * 1024) });
        },
      };
      const sized = (bytes: number) =>
        submission({ links: [{ url: URL, sha256: sha256(Buffer.alloc(bytes)), bytes }] });
      expect((await recordOf(caseOf(agreement(), sized(1024 * 1024)))).evidence[0]!.result).to.equal("used");
      expect((await recordOf(caseOf(agreement(), sized(1024 * 1024 + 1)))).evidence[0]!.result).to.equal(
        "too_large",
      );
      expect(fetched).to.equal(1);
    });
  });

  describe("an http status", () => {
    const before = web.current;
    afterEach(() => {
      web.current = before;
    });
    it("is one from 100 to 599; any other decides nothing", async () => {
      const url = `https://a.example/${"x".repeat(300)}`;
      const terms = agreement({
        requirements: [{ id: "S", text: "t", check: { type: "http_status", url, status: 100 } }],
      });
      for (const [status, outcome] of [
        [100, "PASS"],
        [599, "FAIL"],
      ] as const) {
        web.current = { get: () => Promise.resolve({ status, headers: {}, body: new Uint8Array() }) };
        expect((await recordOf(caseOf(terms))).outcome).to.equal(outcome);
      }
      for (const status of [99, 600]) {
        web.current = { get: () => Promise.resolve({ status, headers: {}, body: new Uint8Array() }) };
        expect(textOf(await adjudicate(caseOf(terms)))).to.equal(
          `[TRANSIENT] no answer from ${url.slice(0, 200)}`,
        );
      }
    });
  });
});
