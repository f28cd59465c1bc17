import { expect } from "chai";
import { createLogger, describeError, errorText } from "../../../oracle/src/observe/index.ts";
import { createWorld, deliver, until, type World } from "../support/world.ts";

interface Line {
  readonly msg: string;
  readonly level: string;
  readonly agreement: string;
  readonly from: string | null;
  readonly state: string;
  readonly events: readonly string[];
  readonly attempt: number;
  readonly requestId: string;
  readonly origins: readonly string[];
  readonly settleTx?: string;
  readonly relayTx?: string;
}

describe("log", () => {
  describe("of a life", () => {
    let world: World;
    beforeEach(async () => {
      world = await createWorld();
    });
    afterEach(() => world.end());

    const lines = (message: string) =>
      world.log.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === message);

    it("has one line for each change of state, with what it takes to follow it", async () => {
      const operator = await world.start();
      const { agreementId } = await deliver(world, operator);
      const view = await until(world, operator, agreementId, ["SETTLED"]);
      const moves = lines("Moved");
      expect(moves.map(({ state }) => state)).to.deep.equal(view.transitions.map(({ to }) => to));
      for (const [index, move] of moves.entries()) {
        expect(move.agreement).to.equal(agreementId);
        expect(move.from).to.equal(moves[index - 1]?.state ?? null);
        expect(move.events).to.have.length.greaterThan(0);
        expect(move.attempt).to.be.greaterThan(0);
        expect(move.requestId).to.match(/^[0-9a-f-]{36}$/);
      }
      // Steps that are written together are one piece of work, and no other has its id.
      const ids = moves.map(({ requestId }) => requestId);
      const pieces = ids.filter((id, index) => id !== ids[index - 1]);
      expect(new Set(pieces).size).to.equal(pieces.length);
      expect(pieces.length).to.be.within(6, moves.length - 1);
      const judging = moves.find(({ state }) => state === "RELAY_SENT");
      expect(judging?.relayTx).to.equal(world.genLayer.transactions[0]?.id);
      expect(judging?.origins).to.deep.equal([world.genLayerUrl]);
      expect(moves.at(-1)?.settleTx).to.match(/^0x[0-9a-f]{64}$/);
    });

    it("is loud about what waits for a person", async () => {
      world.genLayer.code = "# another judge\n";
      const operator = await world.start();
      const { agreementId } = await deliver(world, operator);
      await until(world, operator, agreementId, ["QUARANTINED"]);
      const [parked] = lines("Parked for a person to look at");
      expect(parked).to.include({ level: "error", agreement: agreementId, state: "QUARANTINED" });
    });

    it("warns about a set in which one signature pays", async () => {
      await world.start();
      expect(world.log.join("")).to.include("One signature is enough to pay");
    });
  });

  it("leaves out keys, raw bytes and URLs, wherever they stand", () => {
    const written: string[] = [];
    const logger = createLogger("info", { write: (line) => void written.push(line) });
    logger.info(
      { privateKey: "CANARY", raw: "CANARY", url: "CANARY", key: { privateKey: "CANARY" } },
      "said",
    );
    logger.error({ error: new Error("GET https://rpc.example/CANARY failed") }, "said");
    expect(written.join("")).to.include("https://rpc.example failed");
    expect(written.join("")).to.not.include("CANARY");
  });

  it("tells of an error's causes, with their codes, and of no payload", () => {
    const error = new Error("could not", {
      cause: Object.assign(new TypeError("reset"), { code: "ECONNRESET" }),
    });
    expect(describeError(error)).to.deep.equal({
      name: "Error",
      message: "could not",
      cause: { name: "TypeError", message: "reset", code: "ECONNRESET" },
    });
    expect(errorText(new TypeError("bad"))).to.equal("TypeError: bad");
    expect(errorText("text at https://a.example/CANARY")).to.equal("text at https://a.example");
  });
});
