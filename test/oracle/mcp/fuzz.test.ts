import { expect } from "chai";
import fc from "fast-check";
import { createRemoteAnswers, jsonSchemaOf, toolsOf } from "../../../oracle/src/mcp/index.ts";
import { SECRETS, createApiWorld, type ApiWorld } from "../http/support/api-world.ts";
import { fromSchema, fuzzing, type JsonSchema } from "../http/support/schema-arbitrary.ts";

interface Answer {
  readonly error?: unknown;
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: unknown;
    readonly content: readonly { readonly text: string }[];
  };
}

describe("every MCP tool, fuzzed from its schema", function () {
  this.timeout(120_000);
  let api: ApiWorld;
  before(async () => {
    api = await createApiWorld();
  });
  after(() => api.world.end());

  /** Calls a tool over HTTP; an answer comes as JSON or as one server-sent event. */
  async function call(
    name: string,
    args: unknown,
  ): Promise<{ readonly text: string; readonly answer: Answer }> {
    const response = await fetch(`${api.url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({
        ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
        params: { name, arguments: args },
      }),
      signal: AbortSignal.timeout(5_000),
    });
    const text = await response.text();
    expect(response.status, text).to.be.lessThan(500);
    return { text, answer: JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as Answer };
  }

  for (const definition of toolsOf({ answers: createRemoteAnswers([]), auditor: null }))
    it(`${definition.name} never fails, hangs or tells a secret`, async () => {
      const { terms } = api.deal;
      const input = jsonSchemaOf(definition.input, "input") as JsonSchema;
      const args = fromSchema(input, {
        resolve: (ref) =>
          (input as { $defs?: Record<string, JsonSchema> }).$defs?.[ref.split("/").at(-1)!] ?? {},
        known: {
          "^0x[0-9a-fA-F]{64}$": [api.agreementId, api.submissionHash, api.verdictHash, terms.agreementHash],
          "^0x[0-9a-fA-F]{40}$": [terms.buyer, terms.seller, terms.adjudicator],
        },
      });
      await fc.assert(
        fc.asyncProperty(args, async (given) => {
          const { text, answer } = await call(definition.name, given);
          for (const secret of SECRETS) expect(text.includes(secret), text.slice(0, 500)).to.equal(false);
          expect(text).to.not.include('"code":"internal"');
          if (answer.result === undefined) {
            expect(answer.error, text.slice(0, 500)).to.be.an("object");
            return;
          }
          if (answer.result.isError === true) {
            expect(answer.result.content[0]?.text, text.slice(0, 500)).to.be.a("string").and.not.equal("");
            return;
          }
          const parsed = definition.output.safeParse(answer.result.structuredContent);
          expect(parsed.error?.message).to.equal(undefined);
        }),
        fuzzing(12),
      );
    });
});
