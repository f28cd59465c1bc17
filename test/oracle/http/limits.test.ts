import { expect } from "chai";
import { canonicalize } from "@assay/protocol";
import { ANSWER_ERRORS } from "../../../oracle/src/answers/index.ts";
import { PROBLEMS, isProblemCode } from "../../../oracle/src/http/problems.ts";
import { createRateLimiter } from "../../../oracle/src/http/rate-limit.ts";
import { createApiWorld, type ApiWorld } from "./support/api-world.ts";

interface Problem {
  readonly code: string;
  readonly status: number;
  readonly hint: string;
}

describe("limits of the API", () => {
  let api: ApiWorld;
  before(async () => {
    api = await createApiWorld();
  });
  after(() => api.world.end());

  const preview = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${api.url}/v1/preview`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    });
  const problemOf = async (response: Response): Promise<Problem> => (await response.json()) as Problem;
  const body = (title: string) => JSON.stringify({ agreement: { title } });

  describe("Idempotency-Key", () => {
    const key = (name: string) => ({ "idempotency-key": `${name}-0123456789abcdef` });

    it("gives the same request the same answer, word for word, and says so", async () => {
      const first = await preview(body("one"), key("same"));
      const second = await preview(body("one"), key("same"));
      expect(first.headers.get("idempotency-replayed")).to.equal(null);
      expect(second.headers.get("idempotency-replayed")).to.equal("true");
      expect(await second.text()).to.equal(await first.text());
    });

    it("keeps the answer of a preparation while the chain moves on", async () => {
      const prepare = () =>
        fetch(`${api.url}/v1/prepare/expire`, {
          method: "POST",
          headers: { "content-type": "application/json", ...key("moving") },
          body: JSON.stringify({ agreementId: api.agreementId }),
        });
      const first = await (await prepare()).text();
      api.world.evm.mine(5);
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(await (await prepare()).text()).to.equal(first);
    });

    it("refuses another body under the same key", async () => {
      await preview(body("one"), key("other"));
      const response = await preview(body("two"), key("other"));
      expect(response.status).to.equal(409);
      expect(await problemOf(response)).to.include({ code: "idempotency_key_reused" });
    });

    it("answers requests with one key that come at the same time alike", async () => {
      const texts = await Promise.all(
        Array.from({ length: 8 }, async () => (await preview(body("many"), key("many"))).text()),
      );
      expect(new Set(texts).size).to.equal(1);
    });

    it("stands for one operation: the same key may be used at another", async () => {
      await preview(body("one"), key("elsewhere"));
      const response = await fetch(`${api.url}/v1/prepare/expire`, {
        method: "POST",
        headers: { "content-type": "application/json", ...key("elsewhere") },
        body: JSON.stringify({ agreementId: api.agreementId }),
      });
      expect(response.status).to.equal(200);
    });

    it("is refused when it is short, long or invisible", async () => {
      for (const bad of ["short", "x".repeat(129)])
        expect(await problemOf(await preview(body("one"), { "idempotency-key": bad }))).to.include({
          status: 400,
          code: "idempotency_key_malformed",
        });
    });
  });

  describe("bodies", () => {
    it("have to be JSON, and say so", async () => {
      expect(await problemOf(await preview("{", {}))).to.include({ status: 400, code: "malformed_json" });
      expect(await problemOf(await preview("{}", { "content-type": "text/plain" }))).to.include({
        status: 415,
        code: "unsupported_media_type",
      });
    });

    it("name no key twice, and hold no number that readers differ about", async () => {
      for (const text of [
        '{"agreement":{},"agreement":{}}',
        '{"agreement":{"n":1.5}}',
        '{"agreement":{"n":9007199254740993}}',
      ])
        expect(await problemOf(await preview(text)), text).to.include({
          status: 400,
          code: "malformed_json",
        });
    });

    it("have at most so many bytes", async () => {
      expect(await problemOf(await preview(body("x".repeat(1_100_000))))).to.include({
        status: 413,
        code: "too_large",
      });
    });
  });

  it("tells which methods a resource has", async () => {
    const response = await fetch(`${api.url}/v1/verdicts/${api.verdictHash}`, { method: "DELETE" });
    expect(response.status).to.equal(405);
    expect(response.headers.get("allow")).to.equal("GET");
  });

  describe("other pages", () => {
    const preflight = (path: string, method: string) =>
      fetch(`${api.url}${path}`, {
        method: "OPTIONS",
        headers: { origin: "https://page.example", "access-control-request-method": method },
      });

    it("may read, and hand in documents", async () => {
      const response = await preflight("/v1/agreements", "GET");
      expect(response.headers.get("access-control-allow-origin")).to.equal("*");
      expect(response.headers.get("access-control-allow-methods")).to.equal("GET,HEAD,PUT");
      expect(response.headers.get("access-control-allow-credentials")).to.equal(null);
    });

    it("may not POST", async () => {
      const response = await preflight("/v1/prepare/fund", "POST");
      expect(response.headers.get("access-control-allow-methods")).to.not.include("POST");
    });

    it("may not frame or run an answer", async () => {
      const { headers } = await fetch(`${api.url}/v1/operator`);
      expect(headers.get("content-security-policy")).to.equal("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get("x-content-type-options")).to.equal("nosniff");
    });
  });

  it("lets nobody overwrite a document, a verdict or a reputation", async () => {
    const paths = [
      `/v1/documents/${api.submissionHash}`,
      `/v1/verdicts/${api.verdictHash}`,
      `/v1/attestations/${api.agreementId}`,
      `/v1/agreements/${api.agreementId}`,
      `/v1/reputation/${api.deal.terms.seller}`,
    ];
    const read = async () =>
      Promise.all(
        paths.map(async (path) => {
          const { source: _, ...rest } = (await (await fetch(`${api.url}${path}`)).json()) as Record<
            string,
            unknown
          >;
          return canonicalize({ ...rest, asOf: null, events: null, submissions: null });
        }),
      );
    const before = await read();
    for (const path of paths)
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        const response = await fetch(`${api.url}${path}`, { method, body: '{"outcome":"FAIL"}' });
        expect(response.status, `${method} ${path}`).to.be.within(400, 499);
      }
    expect(await read()).to.deep.equal(before);
  });

  describe("rate limits", () => {
    it("turn away who asks too much, and say when to ask again", async () => {
      const strict = await createApiWorld({ ASSAY_HTTP_RATE: "30" });
      try {
        const statuses = await Promise.all(
          Array.from({ length: 300 }, async () => {
            const response = await fetch(`${strict.url}/v1/problems`);
            if (response.status !== 429) return response.status;
            expect(Number(response.headers.get("retry-after"))).to.be.greaterThan(0);
            expect(await problemOf(response)).to.include({ code: "rate_limited" });
            return 429;
          }),
        );
        expect(new Set(statuses)).to.deep.equal(new Set([200, 429]));
      } finally {
        await strict.world.end();
      }
    });

    it("believe X-Forwarded-For only when proxies are configured", async () => {
      for (const [proxies, expected] of [
        ["0", true],
        ["1", false],
      ] as const) {
        const strict = await createApiWorld({
          ASSAY_HTTP_RATE: "30",
          ASSAY_HTTP_TRUSTED_PROXIES: proxies,
        });
        try {
          const statuses = await Promise.all(
            Array.from({ length: 200 }, async (_, index) => {
              const headers = { "x-forwarded-for": `198.51.100.${index}` };
              return (await fetch(`${strict.url}/v1/problems`, { headers })).status;
            }),
          );
          expect(statuses.includes(429), `${proxies} proxies`).to.equal(expected);
        } finally {
          await strict.world.end();
        }
      }
    });

    it("are buckets that fill with time, one for each client and one for all", () => {
      let now = 0;
      const limiter = createRateLimiter({ perClient: 10, total: 15 }, () => now);
      const admitted = (client: string, count: number, shared = true) =>
        Array.from({ length: count }, () => limiter.admit(client, 1, shared)).filter((wait) => wait === 0)
          .length;
      expect(admitted("one", 100)).to.equal(40);
      expect(admitted("two", 100)).to.equal(20);
      expect(admitted("supervision", 5, false)).to.equal(5);
      now = 1_000;
      expect(admitted("one", 100)).to.equal(10);
      expect(admitted("two", 100)).to.equal(5);
      expect(limiter.admit("two", 5, true)).to.be.greaterThan(0);
    });

    it("turn readers away while the event loop is late, but never the operator's own supervision", () => {
      let late = 0;
      const limiter = createRateLimiter(
        { perClient: 100, total: 100 },
        () => 0,
        () => late,
      );
      expect(limiter.admit("one", 1, true)).to.equal(0);
      late = 1_500;
      expect(limiter.admit("one", 1, true)).to.be.greaterThan(0);
      expect(limiter.admit("supervision", 1, false)).to.equal(0);
      late = 0;
      expect(limiter.admit("one", 1, true)).to.equal(0);
    });

    it("forget the longest silent client, so that a flood of addresses costs no memory", () => {
      const limiter = createRateLimiter({ perClient: 1, total: 1_000_000 }, () => 0);
      for (let index = 0; index < 4; index++) limiter.admit("early", 1, true);
      expect(limiter.admit("early", 1, true)).to.be.greaterThan(0);
      for (let index = 0; index < 10_001; index++) limiter.admit(`client ${index}`, 1, true);
      expect(limiter.admit("early", 1, true)).to.equal(0);
    });
  });

  it("has a stable code with a status for everything that can't be answered", async () => {
    const { problems } = (await (await fetch(`${api.url}/v1/problems`)).json()) as {
      problems: { code: string; status: number }[];
    };
    expect(problems.map(({ code }) => code)).to.deep.equal(Object.keys(PROBLEMS));
    const remote = ["operator_unreachable", "operator_refused"];
    for (const code of ANSWER_ERRORS.filter((one) => !remote.includes(one)))
      expect(isProblemCode(code), code).to.equal(true);
  });
});
