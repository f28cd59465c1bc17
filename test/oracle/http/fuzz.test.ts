import { expect } from "chai";
import fc from "fast-check";
import { documentHash, encodeDocument } from "@assay/protocol";
import { openApiDocument } from "../../../oracle/src/index.ts";
import { ROUTES } from "../../../oracle/src/http/openapi.ts";
import { submissionOf } from "../support/world.ts";
import { SECRETS, createApiWorld, type ApiWorld } from "./support/api-world.ts";
import { fromSchema, fuzzing, type JsonSchema } from "./support/schema-arbitrary.ts";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: JsonSchema;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  readonly responses: Readonly<Record<string, unknown>>;
}
interface Schemas {
  safeParse(value: unknown): { readonly success: boolean; readonly error?: { readonly message: string } };
}

const document = openApiDocument() as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const RUNS = 30;
/** Longer than anything answers; what takes more hangs. */
const PATIENCE = 5_000;

describe("every endpoint, fuzzed from its description", function () {
  this.timeout(120_000);
  let api: ApiWorld;
  before(async () => {
    api = await createApiWorld();
  });
  after(() => api.world.end());

  /** Schemas of a success, as the routes define them. */
  function bodySchema(path: string, method: string, status: number): Schemas | undefined {
    const route = ROUTES.find((one) => one.path === path && one.method === method);
    const responses = route?.responses as Record<
      string,
      { content?: Record<string, { schema?: Schemas }> } | undefined
    >;
    const schema = responses[String(status)]?.content?.["application/json"]?.schema;
    return typeof schema?.safeParse === "function" ? schema : undefined;
  }

  function arbitraryOf(schema: JsonSchema): fc.Arbitrary<unknown> {
    const { terms } = api.deal;
    return fromSchema(schema, {
      resolve: (ref) => document.components.schemas[ref.split("/").at(-1)!]!,
      known: {
        "^0x[0-9a-fA-F]{64}$": [api.agreementId, api.submissionHash, api.verdictHash, terms.agreementHash],
        "^0x[0-9a-fA-F]{40}$": [terms.buyer, terms.seller, terms.adjudicator],
      },
    });
  }

  async function check(path: string, method: string, operation: Operation, request: Request): Promise<void> {
    const response = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    const text = await response.text();
    const said = `${method} ${request.url} answered ${response.status}: ${text.slice(0, 500)}`;
    expect(response.status, said).to.not.equal(500);
    expect(Object.keys(operation.responses), said).to.include(String(response.status));
    for (const secret of SECRETS)
      expect(`${text}${JSON.stringify([...response.headers])}`.includes(secret), said).to.equal(false);
    if (response.status === 304) return;
    const body: unknown = JSON.parse(text);
    const expected = response.status >= 400 ? "application/problem+json" : "application/json";
    expect(response.headers.get("content-type"), said).to.include(expected);
    if (response.status >= 400)
      expect(body, said).to.include.all.keys("type", "title", "status", "detail", "code", "hint");
    const parsed = bodySchema(path, method, response.status)?.safeParse(body);
    expect(parsed?.error?.message, said).to.equal(undefined);
  }

  for (const { path, method, operation } of operations)
    it(`${method.toUpperCase()} ${path} never fails, hangs or tells a secret`, async () => {
      const parameters = operation.parameters ?? [];
      const values = fc.record(
        Object.fromEntries(parameters.map(({ name, schema }) => [name, arbitraryOf(schema)])),
        { requiredKeys: parameters.filter(({ required }) => required === true).map(({ name }) => name) },
      );
      const content = operation.requestBody?.content["application/json"];
      const body = content === undefined ? fc.constant(undefined) : fc.option(arbitraryOf(content.schema));
      await fc.assert(
        fc.asyncProperty(values, body, (given, payload) =>
          check(path, method, operation, requestOf(api.url, path, method, parameters, given, payload)),
        ),
        fuzzing(RUNS),
      );
    });

  it("takes a document whose bytes fit its name after all of that", async () => {
    const { bytes } = submissionOf(api.agreementId, "after the storm");
    const response = await fetch(`${api.url}/v1/documents/${documentHash(bytes)}`, {
      method: "PUT",
      body: Buffer.from(bytes),
    });
    expect(response.status).to.equal(201);
  });

  it("answers any path and any method with a problem, and any body with a refusal", async () => {
    const methods = fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH");
    const paths = fc.array(fc.string({ maxLength: 30 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(methods, paths, fc.string({ maxLength: 500 }), async (method, parts, text) => {
        const path = parts.map((part) => encodeURIComponent(part.toWellFormed())).join("/");
        const response = await fetch(`${api.url}/v1/${path}`, {
          method,
          ...(method === "GET" ? {} : { body: text }),
          signal: AbortSignal.timeout(PATIENCE),
        });
        await response.arrayBuffer();
        expect(response.status, path).to.be.lessThan(500);
      }),
      fuzzing(60),
    );
  });

  it("logs no secret either", () => {
    const log = api.world.log.join("\n");
    for (const secret of SECRETS) expect(log.includes(secret)).to.equal(false);
  });

  it("previews documents that were valid until something in them was changed", async () => {
    const agreement = JSON.parse(new TextDecoder().decode(encodeDocument(api.deal.agreement))) as object;
    const submission = JSON.parse(
      new TextDecoder().decode(submissionOf(api.agreementId, "é \ud83d\ude00\n").bytes),
    ) as object;
    const outlooks = new Set<string>();
    await fc.assert(
      fc.asyncProperty(mutated(agreement), fc.option(mutated(submission)), async (one, other) => {
        const response = await fetch(`${api.url}/v1/preview`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ agreement: one, ...(other === null ? {} : { submission: other }) }),
          signal: AbortSignal.timeout(PATIENCE),
        });
        const body = (await response.json()) as { readonly outlook?: string };
        expect(response.status, JSON.stringify([body, one, other]).slice(0, 2_000)).to.be.oneOf([200, 400]);
        if (response.status === 200) outlooks.add(String(body.outlook));
      }),
      fuzzing(150),
    );
    expect([...outlooks]).to.include.members(["needs_judgement", "no_submission", "invalid"]);
  });
});

/** A document with one member replaced, taken away or doubled, or left as it is. */
function mutated(document: object): fc.Arbitrary<unknown> {
  const paths: string[][] = [];
  const visit = (value: unknown, path: string[]): void => {
    if (path.length > 0) paths.push(path);
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) visit(inner, [...path, key]);
  };
  visit(document, []);
  const change = fc.tuple(
    fc.constantFrom(...paths),
    fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom<unknown>(undefined, "(a+)+$", "x".repeat(20_000), "../x", -1, 2 ** 53),
    ),
  );
  return fc.oneof(
    fc.constant(document),
    change.map(([path, value]) => {
      const copy = structuredClone(document) as Record<string, unknown>;
      const parent = path
        .slice(0, -1)
        .reduce<Record<string, unknown>>((inner, key) => inner[key] as Record<string, unknown>, copy);
      parent[path.at(-1)!] = value;
      return copy;
    }),
  );
}

function requestOf(
  url: string,
  template: string,
  method: string,
  parameters: readonly Parameter[],
  given: Readonly<Record<string, unknown>>,
  payload: unknown,
): Request {
  const query = new URLSearchParams();
  const headers = new Headers();
  let path = template;
  for (const { name, in: place } of parameters) {
    if (!(name in given)) continue;
    const value = given[name];
    const text = (typeof value === "string" ? value : JSON.stringify(value)).toWellFormed();
    if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(text) || "empty");
    else if (place === "query") query.set(name, text);
    else if (/^[\x21-\x7e]+$/.test(text)) headers.set(name, text);
  }
  // A dot segment would be another path, and is no parameter any more.
  path = path.replace(/\/\.{1,2}(?=\/|$)/g, "/dots");
  const isRead = method === "get";
  if (!isRead) headers.set("content-type", "application/json");
  return new Request(`${url}${path}?${query.toString()}`, {
    method: method.toUpperCase(),
    headers,
    ...(isRead || payload === undefined ? {} : { body: JSON.stringify(payload) }),
  });
}
