import { createHash } from "node:crypto";
import type { Agreement, Submission } from "@assay/protocol";
import { expect } from "chai";
import type { ExecutionResult } from "../../localnet/src/genlayer/execution/executor.ts";
import { WebError, type WebFetcher } from "../../localnet/src/genlayer/execution/web.ts";
import { readPrompt } from "../../localnet/src/genlayer/models/rules-judge.ts";
import { scriptedModel } from "../../localnet/src/genlayer/models/scripted.ts";
import { textOf, web } from "./support/executor.ts";
import { adjudicate, agreement, caseOf, recordOf, submission } from "./support/verifier.ts";

const URL = "https://docs.example/report.txt";
const BODY = "The report says that everything was measured.";
const hash = (body: string | Uint8Array): `0x${string}` =>
  `0x${createHash("sha256").update(body).digest("hex")}`;
const link = (body: string | Uint8Array = BODY, url = URL): Submission["links"][number] => ({
  url,
  sha256: hash(body),
  bytes: Buffer.from(body).length,
});

/** Pages by URL: a status and a body, or an error. */
type Pages = Readonly<Record<string, readonly [status: number, body: string | Uint8Array] | WebError>>;

function pages(table: Pages, seen: string[] = []): WebFetcher {
  return {
    get: ({ url }) => {
      seen.push(url);
      const page = table[url] ?? new WebError("LOAD_FAILED", "no such host");
      return page instanceof WebError
        ? Promise.reject(page)
        : Promise.resolve({ status: page[0], headers: {}, body: new Uint8Array(Buffer.from(page[1])) });
    },
  };
}

const linked = (links: Submission["links"]): Submission => submission({ links });
const statusAgreement = (...urls: string[]): Agreement =>
  agreement({
    requirements: urls.map((url, index) => ({
      id: `HTTP-${index}`,
      text: "It answers.",
      check: { type: "http_status", url, status: 200 },
    })),
  });

describe("AgreementVerifier and the web", () => {
  const before = web.current;
  afterEach(() => {
    web.current = before;
  });

  describe("links", () => {
    const cases: [string, Submission["links"][number], Pages, string, number][] = [
      ["whose bytes are those named are used", link(), { [URL]: [200, BODY] }, "used", 200],
      ["with other bytes are not used", link(), { [URL]: [200, BODY.toUpperCase()] }, "mismatch", 200],
      ["of another length are not used", { ...link(), bytes: 1 }, { [URL]: [200, BODY] }, "mismatch", 200],
      ["that answer 404 are not used", link(), { [URL]: [404, BODY] }, "unavailable", 0],
      ["that answer 503 are not used", link(), { [URL]: [503, BODY] }, "unavailable", 0],
      ["that do not answer are not used", link(), {}, "unavailable", 0],
      [
        "that the node refuses are not used",
        link(),
        { [URL]: new WebError("FORBIDDEN_URL", "x") },
        "unavailable",
        0,
      ],
      [
        "that hold no text are not used",
        link(Uint8Array.of(255)),
        { [URL]: [200, Uint8Array.of(255)] },
        "not_text",
        200,
      ],
      ["beyond a mebibyte are not fetched", { ...link(), bytes: 1024 * 1024 + 1 }, {}, "too_large", 0],
      ...[
        "http://localhost/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "http://a.internal/",
        "http://2130706433/",
      ].map((url): [string, Submission["links"][number], Pages, string, number] => [
        `to ${url} are not fetched`,
        link(BODY, url),
        { [url]: [200, BODY] },
        "not_public",
        0,
      ]),
    ];
    for (const [name, item, table, result, status] of cases) {
      it(name, async () => {
        const seen: string[] = [];
        web.current = pages(table, seen);
        const record = await recordOf(caseOf(agreement(), linked([item])));
        expect(record.evidence).to.deep.equal([{ url: item.url, sha256: item.sha256, status, result }]);
        expect(seen).to.have.length(["too_large", "not_public"].includes(result) ? 0 : 1);
      });
    }

    it("reach the model when they are used, whole or visibly cut, and not otherwise", async () => {
      const long = "é".repeat(20_000);
      web.current = pages({
        [URL]: [200, BODY],
        "https://a.example/": [200, long],
        "https://b.example/": [200, "other"],
      });
      const model = scriptedModel(["{}"]);
      await adjudicate(
        caseOf(
          agreement(),
          linked([link(), link(long, "https://a.example/"), link("x", "https://b.example/")]),
        ),
        {
          model,
        },
      );
      const parts = readPrompt(model.prompts[0]!)!.parts.filter(({ kind }) => kind === "link");
      expect(parts.map(({ name, text }) => [name, text.slice(0, 60)])).to.deep.equal([
        [URL, BODY],
        ["https://a.example/", "é".repeat(60)],
      ]);
    });

    it("can be quoted where there are no files, and nowhere else", async () => {
      web.current = pages({ [URL]: [200, BODY] });
      const answer = JSON.stringify({
        requirements: { "REQ-1": { met: true, quote: "everything was measured", note: "" } },
        score: 90,
      });
      const only = caseOf(agreement(), submission({ files: {}, links: [link()] }));
      expect((await recordOf(only, { model: scriptedModel([answer]) })).outcome).to.equal("PASS");
      const beside = await adjudicate(caseOf(agreement(), linked([link()])), {
        model: scriptedModel([answer]),
      });
      expect(textOf(beside)).to.equal("[LLM_ERROR] REQ-1: the quote is not in the submission");
    });

    it("are not fetched when a check has failed or no model is asked", async () => {
      const seen: string[] = [];
      web.current = pages({}, seen);
      for (const path of ["missing", "src/reset.ts"]) {
        const terms = agreement({
          requirements: [{ id: "F", text: "x", check: { type: "file_exists", path } }],
        });
        expect((await recordOf(caseOf(terms, linked([link()])))).evidence).to.deep.equal([]);
      }
      expect(seen).to.deep.equal([]);
    });
  });

  describe("http_status", () => {
    const OK = "https://a.example/health";

    it("passes and fails by the status that the node's own GET answers with", async () => {
      web.current = pages({ [OK]: [200, ""], "https://b.example/": [404, "an error page with text"] });
      const record = await recordOf(caseOf(statusAgreement(OK, "https://b.example/")));
      expect(record.requirements).to.deep.equal([
        { id: "HTTP-0", result: "PASS", decidedBy: "check", check: "http_status", detail: "status 200" },
        { id: "HTTP-1", result: "FAIL", decidedBy: "check", check: "http_status", detail: "status 404" },
      ]);
      expect(record.outcome).to.equal("FAIL");
    });

    it("decides nothing without an answer", async () => {
      web.current = pages({});
      const result = await adjudicate(caseOf(statusAgreement(OK)));
      expect([textOf(result), result.state]).to.deep.equal([`[TRANSIENT] no answer from ${OK}`, null]);
    });

    it("is not made when another check has failed", async () => {
      const seen: string[] = [];
      web.current = pages({}, seen);
      const terms = agreement({
        requirements: [
          ...statusAgreement(OK).requirements,
          { id: "F", text: "x", check: { type: "file_exists", path: "missing" } },
        ],
      });
      expect((await recordOf(caseOf(terms))).requirements[0]).to.deep.equal({
        id: "HTTP-0",
        result: "NOT_JUDGED",
        decidedBy: "none",
        check: "http_status",
      });
      expect(seen).to.deep.equal([]);
    });

    it("that fails asks no model", async () => {
      web.current = pages({ [OK]: [500, ""] });
      const model = scriptedModel([]);
      const terms = agreement({
        requirements: [...statusAgreement(OK).requirements, { id: "M", text: "Good." }],
      });
      const record = await recordOf(caseOf(terms), { model });
      expect(record.requirements.map(({ result }) => result)).to.deep.equal(["FAIL", "NOT_JUDGED"]);
      expect(model.prompts).to.deep.equal([]);
    });
  });

  describe("validators", () => {
    const item = caseOf(
      agreement({
        requirements: [...statusAgreement(URL).requirements, { id: "REQ-1", text: "has `expiresAt <= now`" }],
      }),
      linked([link(BODY, "https://b.example/")]),
    );
    const honest: Pages = { [URL]: [200, ""], "https://b.example/": [200, BODY] };
    async function votes(
      leaderPages: Pages,
      ownPages: Pages,
    ): Promise<[ExecutionResult, readonly boolean[]]> {
      web.current = pages(leaderPages);
      const leader = await adjudicate(item);
      web.current = pages(ownPages);
      const validator = await adjudicate(item, { leader });
      return [leader, validator.validatorVotes];
    }

    it("agree when they find the same", async () => {
      expect((await votes(honest, honest))[1]).to.deep.equal([true, true]);
    });
    it("disagree about a status", async () => {
      expect((await votes(honest, { ...honest, [URL]: [500, ""] }))[1][0]).to.equal(false);
    });
    it("disagree about a link's bytes", async () => {
      expect((await votes(honest, { ...honest, "https://b.example/": [200, "other"] }))[1][0]).to.equal(
        false,
      );
      expect((await votes({ ...honest, "https://b.example/": [200, "other"] }, honest))[1][0]).to.equal(
        false,
      );
    });
    it("disagree with a status where they have no answer, and the reverse", async () => {
      const silent = { "https://b.example/": honest["https://b.example/"]! };
      expect((await votes(honest, silent))[1][0]).to.equal(false);
      expect((await votes(silent, honest))[1]).to.deep.equal([false]);
    });
    it("agree that there is no answer", async () => {
      const [leader, ruling] = await votes({}, {});
      expect([leader.kind, ruling]).to.deep.equal(["user-error", [true]]);
    });
  });
});
