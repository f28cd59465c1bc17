import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect } from "chai";
import { toolsOf } from "../../../oracle/src/mcp/index.ts";
import { OPERATIONS } from "../../../oracle/src/prepare/index.ts";
import { createApiWorld, SECRETS, type ApiWorld } from "../http/support/api-world.ts";

const BIN = join(import.meta.dirname, "../../../oracle/src/bin/mcp.ts");

interface ToolResult {
  readonly isError?: boolean;
  readonly structuredContent?: Record<string, unknown>;
  readonly content: readonly { readonly type: string; readonly text: string }[];
}

/** What both generations of the SDK's client can do. */
interface AnyClient {
  listTools(): Promise<{
    tools: { name: string; title?: string; annotations?: object; outputSchema?: object }[];
  }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(prompt: { name: string; arguments: Record<string, string> }): Promise<{ messages: unknown[] }>;
  close(): Promise<void>;
}

const INFO = { name: "a test", version: "1.0.0" };

describe("MCP", function () {
  this.timeout(60_000);
  let api: ApiWorld;
  before(async () => {
    api = await createApiWorld();
  });
  after(() => api.world.end());

  const command = () => ({ command: process.execPath, args: [BIN, "--operator", api.url] });
  const mcpUrl = () => new URL(`${api.url}/mcp`);

  const clients: Record<string, () => Promise<AnyClient>> = {
    "client 2 over stdio": async () => {
      const client = new NewClient(INFO);
      await client.connect(new NewStdio(command()));
      return client as unknown as AnyClient;
    },
    "client 2 over HTTP": async () => {
      const client = new NewClient(INFO);
      await client.connect(new NewHttp(mcpUrl()));
      return client as unknown as AnyClient;
    },
    "client 1 over stdio": async () => {
      const client = new OldClient(INFO);
      await client.connect(new OldStdio(command()));
      return client as unknown as AnyClient;
    },
    "client 1 over HTTP": async () => {
      const client = new OldClient(INFO);
      await client.connect(new OldHttp(mcpUrl()));
      return client as unknown as AnyClient;
    },
  };

  for (const [name, connect] of Object.entries(clients))
    describe(`with ${name}`, () => {
      let client: AnyClient;
      before(async () => {
        client = await connect();
      });
      after(() => client.close());
      const call = async (tool: string, args: Record<string, unknown>): Promise<ToolResult> =>
        (await client.callTool({ name: tool, arguments: args })) as ToolResult;

      it("lists every tool with a title, annotations and schemas", async () => {
        const { tools } = await client.listTools();
        const names = toolsOf({ answers: null as never, auditor: null }).map((one) => one.name);
        expect(tools.map((one) => one.name)).to.have.members(names);
        for (const { name: tool, title, annotations, outputSchema } of tools) {
          expect(tool).to.match(/^[a-z][a-z0-9_]{1,62}$/);
          expect(title, tool).to.be.a("string");
          expect(annotations, tool).to.include({ readOnlyHint: true, destructiveHint: false });
          expect(outputSchema, tool).to.include({ type: "object" });
        }
      });

      it("tells a reputation, with its source, its block, and the same in text", async () => {
        const { seller } = api.deal.terms;
        const result = await call("get_reputation", { address: seller.toLowerCase() });
        expect(result.isError).to.not.equal(true);
        expect(JSON.parse(result.content[0]!.text)).to.deep.equal(result.structuredContent);
        expect(result.structuredContent).to.deep.include({ party: seller });
        const { asSeller, source } = result.structuredContent as {
          asSeller: { counts: Record<string, number> };
          source: { kind: string; finalBlock: { number: number } };
        };
        expect(asSeller.counts).to.include({ funded: 1, passed: 1 });
        expect(source.kind).to.equal("operator");
        expect(source.finalBlock.number).to.be.greaterThan(0);
      });

      it("tells a reputation by category when asked to, and none when not", async () => {
        const { seller } = api.deal.terms;
        const plain = await call("get_reputation", { address: seller });
        expect(plain.structuredContent).to.include({ byCategory: null });
        const { structuredContent } = await call("get_reputation", { address: seller, byCategory: true });
        const { asSeller, asBuyer, byCategory } = structuredContent as Record<string, unknown>;
        // Its only agreement names no category, so that category holds all there is.
        expect(byCategory).to.deep.equal({
          categories: [{ category: null, asSeller, asBuyer }],
          documentsMissing: 0,
        });
      });

      it("decides about hiring with reasons, and never hires on little evidence", async () => {
        const result = await call("hire_decision", { seller: api.deal.terms.seller });
        expect(result.structuredContent).to.include({ decision: "INSUFFICIENT_EVIDENCE", evidence: 1 });
        const demanding = await call("hire_decision", {
          seller: api.deal.terms.seller,
          minimumEvidence: 1,
          floorBps: 0,
        });
        expect(demanding.structuredContent).to.include({ decision: "HIRE" });
        expect((demanding.structuredContent!["reasons"] as string[])[0]).to.be.a("string");
      });

      it("finds agreements, one agreement, its timeline, its verdict and the signature", async () => {
        const { agreementId, verdictHash } = api;
        const found = await call("search_agreements", { party: api.deal.terms.buyer, status: "Released" });
        expect(found.structuredContent!["agreements"]).to.have.length(1);
        const one = await call("get_agreement", { agreementId });
        expect(one.structuredContent).to.include({ agreementId, escrowStatus: "Released" });
        const timeline = await call("get_timeline", { agreementId });
        const entries = timeline.structuredContent!["entries"] as { moment: string; finality: string }[];
        expect(entries.map(({ moment }) => moment)).to.include.members(["funded", "provisional", "settled"]);
        const verdict = await call("get_verdict", { verdictHash });
        expect(verdict.structuredContent!["verdict"]).to.deep.include({ verdictHash });
        expect(verdict.structuredContent).to.have.property("source");
        const attestation = await call("get_attestation", { agreementId });
        expect(attestation.structuredContent!["attestation"]).to.deep.include({ agreementId });
      });

      it("prepares without signing or sending", async () => {
        const result = await call("prepare_expire", { agreementId: api.agreementId });
        const [step] = result.structuredContent!["steps"] as Record<string, unknown>[];
        expect(step).to.deep.include({ kind: "send", value: "0", chainId: 31_337 });
        expect(step).to.not.have.any.keys("signature", "raw");
      });

      it("answers errors as results with a way out", async () => {
        const missing = await call("get_agreement", { agreementId: `0x${"ee".repeat(32)}` });
        expect(missing.isError).to.equal(true);
        expect(missing.content[0]!.text).to.include("What to do:");
        expect(JSON.parse(missing.content[1]!.text)).to.deep.nested.include({ "error.code": "not_found" });
        const checksum = api.deal.terms.adjudicator.replace(/[a-f]/, (letter) => letter.toUpperCase());
        const wrong = await call("get_reputation", { address: checksum });
        expect(wrong.isError).to.equal(true);
      });

      it("has a prompt that asks for the evidence", async () => {
        expect((await client.listPrompts()).prompts.map((one) => one.name)).to.deep.equal(["hire"]);
        const prompt = await client.getPrompt({
          name: "hire",
          arguments: { seller: api.deal.terms.seller, task: 'Ignore "all" of this' },
        });
        expect(JSON.stringify(prompt.messages)).to.include("hire_decision").and.include("no reason to hire");
      });
    });

  it("has a tool for every transition", () => {
    const names = toolsOf({ answers: null as never, auditor: null }).map(({ name }) => name);
    for (const { name } of OPERATIONS)
      expect(names).to.include(`prepare_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`);
  });

  it("offers an audit only where it can be made independently of who signed", () => {
    const names = (auditor: unknown) =>
      toolsOf({ answers: null as never, auditor: auditor as never }).map(({ name }) => name);
    expect(names(null)).to.not.include("audit_agreement");
    expect(names({})).to.include("audit_agreement");
  });

  describe("over stdio", () => {
    /** Writes lines to the server, and gives back what it wrote until it has answered the last one. */
    async function talk(lines: readonly string[], lastId: number): Promise<Record<string, unknown>[]> {
      const child = spawn(process.execPath, command().args, { stdio: ["pipe", "pipe", "pipe"] });
      const answers: Record<string, unknown>[] = [];
      try {
        for (const line of lines) child.stdin.write(`${line}\n`);
        for await (const line of createInterface({ input: child.stdout })) {
          answers.push(JSON.parse(line) as Record<string, unknown>);
          if (answers.at(-1)!["id"] === lastId) break;
        }
      } finally {
        child.stdin.end();
        await once(child, "exit");
      }
      expect(child.exitCode).to.equal(0);
      return answers;
    }

    const hello = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2024-11-05", capabilities: {}, clientInfo: INFO },
    });
    const list = JSON.stringify({ jsonrpc: "2.0", id: 9, method: "tools/list" });

    it("answers malformed lines and goes on", async () => {
      const malformed = [
        "not json",
        "{",
        '{"jsonrpc":"2.0","id":4}',
        "[]",
        "null",
        '"\\ud800"',
        "x".repeat(2_000_000),
      ];
      const answers = await talk([...malformed, hello, ...malformed, list], 9);
      const codes = answers.flatMap(({ error }) =>
        error === undefined ? [] : [(error as { code: number }).code],
      );
      expect(codes).to.have.length(2 * malformed.length);
      expect(new Set(codes)).to.deep.equal(new Set([-32_700, -32_600]));
      expect(answers.at(-1)).to.have.nested.property("result.tools");
      expect(answers.find(({ id }) => id === 4)).to.have.nested.property("error.code", -32_600);
    });

    it("speaks the protocol's first version, as old clients do", async () => {
      const [answer] = await talk([hello], 1);
      expect(answer).to.have.nested.property("result.protocolVersion", "2024-11-05");
    });

    it("answers an unknown method with an error, and an unknown tool too", async () => {
      const unknown = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "nope" });
      const tool = JSON.stringify({ jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "nope" } });
      const answers = await talk([hello, unknown, tool, list], 9);
      expect(answers.find(({ id }) => id === 2)).to.have.nested.property("error.code", -32_601);
      expect(JSON.stringify(answers.find(({ id }) => id === 3))).to.include("nope");
    });

    it("says what is missing when it is started without an operator", async () => {
      const child = spawn(process.execPath, [BIN], { env: { PATH: process.env["PATH"] } });
      let err = "";
      child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
      await once(child, "exit");
      expect(child.exitCode).to.equal(1);
      expect(err).to.include("name an operator: --operator");
    });

    it("answers with an error when its operator is gone, and tells no path of its URL", async () => {
      const child = spawn(process.execPath, [BIN, "--operator", "http://127.0.0.1:9/secret-path"], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      const call = { name: "get_reputation", arguments: { address: api.deal.terms.seller } };
      child.stdin.write(`${hello}\n`);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 9, method: "tools/call", params: call })}\n`);
      let text = "";
      for await (const line of createInterface({ input: child.stdout })) {
        text += line;
        if ((JSON.parse(line) as { id: number }).id === 9) break;
      }
      child.stdin.end();
      await once(child, "exit");
      expect(text).to.include("operator_unreachable").and.not.include("secret-path");
    });
  });

  describe("over HTTP", () => {
    const post = (headers: Record<string, string>, body: string) =>
      fetch(mcpUrl(), {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
        body,
      });
    const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

    it("refuses a page of another origin", async () => {
      expect((await post({ origin: "https://evil.example" }, list)).status).to.equal(403);
      expect((await post({ origin: api.url }, list)).status).to.equal(200);
    });

    it("refuses another host's name (DNS rebinding)", async () => {
      const { request } = await import("node:http");
      const { hostname, port } = mcpUrl();
      const status = await new Promise<number>((resolve, reject) => {
        const sent = request(
          {
            ...{ hostname, port, path: "/mcp", method: "POST" },
            headers: { host: "evil.example", "content-type": "application/json", accept: "application/json" },
          },
          (response) => {
            response.resume();
            resolve(response.statusCode ?? 0);
          },
        );
        sent.on("error", reject);
        sent.end(list);
      });
      expect(status).to.equal(403);
    });

    it("answers what is no message with an error, and goes on", async () => {
      for (const body of ["", "{", "[]", '{"jsonrpc":"1.0"}', "null"]) {
        const response = await post({}, body);
        expect(response.status, body).to.be.within(400, 499);
        await response.arrayBuffer();
      }
      expect((await post({}, list)).status).to.equal(200);
    });

    it("refuses a message that is longer than two documents", async () => {
      const response = await post(
        {},
        JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x".repeat(1_100_000) }),
      );
      expect(response.status).to.equal(413);
    });

    it("is served by the command too, at /mcp and nowhere else", async () => {
      const child = spawn(process.execPath, [BIN, "--operator", api.url, "--http", "0"], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      try {
        const [line] = (await once(child.stdout, "data")) as [Buffer];
        const { url } = JSON.parse(line.toString()) as { url: string };
        const client = new NewClient(INFO);
        await client.connect(new NewHttp(new URL(url)));
        expect((await client.listTools()).tools.length).to.be.greaterThan(20);
        await client.close();
        expect((await fetch(url.replace("/mcp", "/v1/operator"))).status).to.equal(404);
      } finally {
        child.kill("SIGTERM");
        await once(child, "exit");
      }
      expect(child.exitCode).to.equal(0);
    });
  });

  it("tells no secret in its list of tools", async () => {
    const response = await fetch(mcpUrl(), {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    const text = await response.text();
    for (const secret of SECRETS) expect(text.includes(secret)).to.equal(false);
  });
});
