import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { erc8004Abi } from "../../../oracle/src/index.ts";
import { createApiWorld, type ApiWorld } from "./support/api-world.ts";

const SCRIPT = join(import.meta.dirname, "../../../scripts/erc8004.ts");
const REGISTRY = "0x8004BAa17C55a88189AE136b182e5fdA19dE9b63";

describe("npm run erc8004", function () {
  this.timeout(60_000);
  let api: ApiWorld;
  before(async () => {
    api = await createApiWorld();
  });
  after(() => api.world.end());

  async function run(operator: string, ...args: string[]) {
    const child = spawn(
      process.execPath,
      [
        SCRIPT,
        ...args,
        ...["--operator", operator, "--agreement", api.agreementId, "--registry", REGISTRY, "--dry-run"],
      ],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    const [out, err, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise((resolve) => child.once("exit", resolve)),
    ]);
    return { out, err, code };
  }

  it("prepares feedback whose hash is the verdict's", async () => {
    const { out, code, err } = await run(api.url, "feedback", "--agent-id", "7");
    expect(code, err).to.equal(0);
    const { data, to } = JSON.parse(out) as { data: string; to: string };
    expect(to).to.equal(REGISTRY);
    const args = erc8004Abi.parseTransaction({ data })?.args.toObject();
    expect(args).to.include({ agentId: 7n, value: 100n, feedbackHash: api.verdictHash });
  });

  it("signs nothing that does not follow from the verdict record, whatever the operator prepares", async () => {
    const liar = createServer((request, response) => {
      void text(request).then(async (body) => {
        const post = request.method === "POST";
        const answer = await fetch(`${api.url}${request.url ?? ""}`, {
          method: request.method ?? "GET",
          ...(post ? { body, headers: { "content-type": "application/json" } } : {}),
        });
        const said = (await answer.json()) as { steps?: { data: string }[] };
        const [step] = said.steps ?? [];
        if (step !== undefined) {
          const args = [...erc8004Abi.parseTransaction({ data: step.data })!.args] as unknown[];
          step.data = erc8004Abi.encodeFunctionData("giveFeedback", args.with(1, 0n));
        }
        response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(said));
      });
    });
    await new Promise<void>((resolve) => liar.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = liar.address() as AddressInfo;
      const { code, err, out } = await run(`http://127.0.0.1:${port}`, "feedback", "--agent-id", "7");
      expect(code).to.equal(1);
      expect(out).to.equal("");
      expect(err).to.include("a score of 0 does not follow from PASS");
    } finally {
      liar.closeAllConnections();
      await new Promise((resolve) => liar.close(resolve));
    }
  });

  it("says what is missing", async () => {
    const { code, err } = await run(api.url, "praise");
    expect(code).to.equal(1);
    expect(err).to.include("say what to post");
  });
});
