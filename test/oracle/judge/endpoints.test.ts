import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { createWorld, deliver, until, type World } from "../support/world.ts";

/** Passes everything on to a network, except for what it makes of some answers. */
class Relay {
  readonly #server: Server;
  url = "";
  change: (method: string, result: unknown) => unknown = (_method, result) => result;

  constructor(upstream: string) {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const text = Buffer.concat(parts).toString();
        const { method } = JSON.parse(text) as { method: string };
        void fetch(upstream, { method: "POST", body: text, headers: { "content-type": "application/json" } })
          .then((answer) => answer.json() as Promise<{ result?: unknown }>)
          .then((body) =>
            response.end(
              JSON.stringify("result" in body ? { ...body, result: this.change(method, body.result) } : body),
            ),
          );
      });
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

describe("an operator with two GenLayer endpoints", () => {
  let world: World;
  let relay: Relay;
  beforeEach(async () => {
    world = await createWorld();
    relay = new Relay(world.genLayerUrl);
    await relay.start();
  });
  afterEach(async () => {
    await world.end();
    await relay.stop();
  });
  const start = () => world.start({}, { ASSAY_GENLAYER_RPC_URL: `${world.genLayerUrl},${relay.url}/second` });

  it("settles what both say", async () => {
    const operator = await start();
    const { agreementId } = await deliver(world, operator);
    expect((await until(world, operator, agreementId, ["SETTLED"])).verdict?.outcome).to.equal("PASS");
  });

  it("sends and signs nothing while they disagree about the judge's code, and goes on when they don't", async () => {
    relay.change = (method, result) =>
      method === "gen_getContractCode" ? Buffer.from("# another judge\n").toString("base64") : result;
    const operator = await start();
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, agreementId, ["ANCHORED"]);
    await new Promise((resolve) => setTimeout(resolve, 400));
    const view = await until(world, operator, agreementId, ["ANCHORED"]);
    expect(view.verdict).to.equal(null);
    expect(world.genLayer.sends).to.deep.equal([]);
    expect(world.evm.settlements).to.deep.equal([]);
    relay.change = (_method, result) => result;
    expect((await until(world, operator, agreementId, ["SETTLED"])).verdict?.outcome).to.equal("PASS");
  });
});
