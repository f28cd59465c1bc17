import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { PROBLEMS } from "../../../oracle/src/http/problems.ts";
import { toolsOf } from "../../../oracle/src/mcp/index.ts";
import { OPERATIONS } from "../../../oracle/src/prepare/index.ts";
import { createApiWorld, type ApiWorld } from "./support/api-world.ts";

const page = (name: string) => readFileSync(join(import.meta.dirname, "../../../docs", name), "utf8");
const API = page("api.md");

describe("docs/api.md and docs/mcp.md", () => {
  let api: ApiWorld;
  before(async () => {
    api = await createApiWorld();
  });
  after(() => api.world.end());

  const commands = [...API.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = ""]) =>
    block.split("\n").filter((line) => line.startsWith("curl ")),
  );

  it("show how to ask for everything that is read, tried and prepared", () => {
    expect(commands.length).to.be.greaterThan(8);
  });

  for (const command of commands)
    it(`${command.slice(0, 90)} works`, async () => {
      const request = requestOf(command, {
        OPERATOR: api.url,
        AGREEMENT: api.agreementId,
        VERDICT: api.verdictHash,
        SELLER: api.deal.terms.seller,
      });
      const response = await fetch(request);
      expect(response.status, await response.text()).to.equal(200);
    });

  it("list every problem with its status and meaning", () => {
    for (const [code, { status, meaning }] of Object.entries(PROBLEMS))
      expect(API).to.include(`| \`${code}\` | ${status} | ${meaning} |`);
  });

  it("list every operation", () => {
    for (const { name, summary } of OPERATIONS) expect(API).to.include(`| \`${name}\` | ${summary} |`);
  });

  it("name every tool", () => {
    const mcp = page("mcp.md");
    for (const { name } of toolsOf({ answers: null as never, auditor: {} as never }))
      expect(mcp).to.include(`\`${name}\``);
  });
});

/** What a curl command of the documentation sends: as much of the shell and of curl as is used there. */
function requestOf(command: string, variables: Readonly<Record<string, string>>): Request {
  const words: string[] = [];
  for (const [word] of command.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)) {
    const parts = [...word.matchAll(/"([^"]*)"|'([^']*)'|([^"']+)/g)].map(([, double, single, bare]) =>
      single === undefined ? expand(double ?? bare ?? "", variables) : single,
    );
    words.push(parts.join(""));
  }
  const init: { method: string; headers: Record<string, string>; body?: string } = {
    method: "GET",
    headers: {},
  };
  let url = "";
  for (let index = 1; index < words.length; index++) {
    const word = words[index] ?? "";
    if (word === "-X") init.method = words[++index] ?? "";
    else if (word === "-d") init.body = words[++index] ?? "";
    else if (word === "-H") {
      const [name = "", ...value] = (words[++index] ?? "").split(": ");
      init.headers[name] = value.join(": ");
    } else url = word;
  }
  return new Request(url, init);
}

function expand(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$([A-Z]+)/g, (_, name: string) => variables[name] ?? "");
}
