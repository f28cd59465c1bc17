import { readFileSync } from "node:fs";
import { expect } from "chai";
import { openApiDocument } from "../../../oracle/src/index.ts";
import { OPERATIONS } from "../../../oracle/src/prepare/index.ts";
import { OPENAPI_FILE, openApiText } from "../../../scripts/openapi.ts";

type Schema = Record<string, unknown>;
interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Record<string, { readonly description: string; readonly content?: Schema }>;
}

const document = JSON.parse(openApiText()) as {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

describe("API description", () => {
  it("is the one in docs/openapi.json (npm run openapi writes it anew)", () => {
    expect(readFileSync(OPENAPI_FILE, "utf8")).to.equal(openApiText());
  });

  it("is OpenAPI 3.1, and the same each time it is made", () => {
    expect(document.openapi).to.equal("3.1.0");
    expect(openApiDocument()).to.deep.equal(openApiDocument());
  });

  it("names every operation once, and says in words what it is for", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).to.equal(ids.length);
    for (const { path, operation } of operations) expect(operation.summary, path).to.be.a("string");
  });

  it("describes every transition's preparation", () => {
    for (const { name } of OPERATIONS) expect(document.paths).to.have.property(`/v1/prepare/${name}`);
  });

  it("offers an idempotency key with every POST", () => {
    const posts = operations.filter(({ method }) => method === "post");
    expect(posts).to.have.length(OPERATIONS.length + 1);
    for (const { path, operation } of posts)
      expect(
        operation.parameters?.map(({ name }) => name),
        path,
      ).to.include("idempotency-key");
  });

  it("answers errors as problems, everywhere", () => {
    for (const { path, operation } of operations)
      for (const [status, { content }] of Object.entries(operation.responses))
        if (Number(status) >= 400)
          expect(Object.keys(content ?? {}), `${path} ${status}`).to.deep.equal(["application/problem+json"]);
  });

  it("shows no amount as a number", () => {
    const seen: string[] = [];
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== "object" || value === null) return;
      const { properties } = value as { properties?: Record<string, Schema> };
      for (const [name, schema] of Object.entries(properties ?? {}))
        if (/^(?:reward|salt|value|\w*Volume|\w*Amount)$/.test(name)) {
          seen.push(name);
          expect(schema["type"] ?? "reference", `${path}.${name}`).to.not.be.oneOf(["number", "integer"]);
        }
      for (const [name, inner] of Object.entries(value)) visit(inner, `${path}.${name}`);
    };
    visit(document, "");
    expect(seen).to.include.members(["reward", "fundedVolume", "sellerAmount", "value"]);
  });
});
