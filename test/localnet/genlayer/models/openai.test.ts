import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { ModelError } from "../../../../localnet/src/genlayer/models/model.ts";
import { openAiModel } from "../../../../localnet/src/genlayer/models/openai.ts";

interface Seen {
  url: string;
  authorization: string | undefined;
  body: unknown;
}

describe("openAiModel", () => {
  let server: Server;
  let baseUrl: string;
  let seen: Seen;
  let reply: (response: ServerResponse) => void;

  before(async () => {
    server = createServer((request: IncomingMessage, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        seen = {
          url: request.url!,
          authorization: request.headers.authorization,
          body: JSON.parse(Buffer.concat(chunks).toString()) as unknown,
        };
        reply(response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const json = (status: number, body: unknown) => (response: ServerResponse) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  const ask = (timeoutMilliseconds = 5000, signal = new AbortController().signal): Promise<string> =>
    openAiModel({ provider: "openai", baseUrl, model: "m", apiKey: "k", timeoutMilliseconds }).answer({
      prompt: "question",
      responseFormat: "json",
      signal,
    });
  const refusal = async (asked: Promise<string>): Promise<ModelError> => {
    let error: unknown;
    await asked.catch((reason: unknown) => (error = reason));
    expect(error).to.be.instanceOf(ModelError);
    return error as ModelError;
  };

  it("asks at temperature 0 and gives back the message's text", async () => {
    reply = json(200, { choices: [{ message: { content: '{"a":1}' } }] });
    expect(await ask()).to.equal('{"a":1}');
    expect(seen).to.deep.equal({
      url: "/v1/chat/completions",
      authorization: "Bearer k",
      body: {
        model: "m",
        temperature: 0,
        messages: [{ role: "user", content: "question" }],
        response_format: { type: "json_object" },
      },
    });
  });

  for (const status of [408, 429, 500, 503]) {
    it(`calls ${status} transient`, async () => {
      reply = json(status, {});
      expect((await refusal(ask())).kind).to.equal("transient");
    });
  }

  for (const [name, answer] of [
    ["401", json(401, {})],
    ["404", json(404, {})],
    ["HTML", (response: ServerResponse) => void response.end("<html>")],
    ["null", json(200, null)],
    ["no choices", json(200, { choices: [] })],
    ["a message without text", json(200, { choices: [{ message: { content: null } }] })],
    ["an endless answer", json(200, { choices: [{ message: { content: "x".repeat(300_000) } }] })],
  ] as const) {
    it(`calls ${name} a model error`, async () => {
      reply = answer;
      expect((await refusal(ask())).kind).to.equal("model");
    });
  }

  it("calls silence transient", async () => {
    reply = () => undefined;
    expect((await refusal(ask(100))).kind).to.equal("transient");
  });

  it("calls a closed port transient", async () => {
    const model = openAiModel({ provider: "openai", baseUrl: "http://127.0.0.1:1/v1", model: "m" });
    const asked = model.answer({ prompt: "", responseFormat: "text", signal: new AbortController().signal });
    expect((await refusal(asked)).kind).to.equal("transient");
  });

  it("gives up when the run that asks is stopped", async () => {
    reply = () => undefined;
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 50);
    expect((await refusal(ask(5000, abort.signal))).kind).to.equal("transient");
  });
});
