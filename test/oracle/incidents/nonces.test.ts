import { expect } from "chai";
import { freeNonces, gapBelow } from "../../../oracle/src/core/index.ts";
import { RpcResponseError } from "../../../oracle/src/rpc/index.ts";
import { ADDRESSES, createWorld, deliver, until, type World } from "../support/world.ts";

const SLOW = { timeout: 20_000 };

describe("incidents: nonces", function () {
  this.timeout(40_000);
  let world: World;
  /** Milliseconds by which the operator's clock is ahead of this machine's. */
  let ahead: number;
  beforeEach(async () => {
    world = await createWorld();
    ahead = 0;
  });
  afterEach(() => world.end());
  const start = () => world.start({ clock: { now: () => Date.now() + ahead } });

  it("wevm/viem#4364, wevm/viem#4634, AztecProtocol/aztec-packages#20819: a failed send leaves no gap that stops later ones", async () => {
    const operator = await start();
    let failures = 0;
    world.evm.fault = (method) => {
      if (method === "eth_sendRawTransaction" && failures++ < 3)
        throw new RpcResponseError("sim://evm", method, -32_603, "internal error", null);
      return undefined;
    };
    const first = await deliver(world, operator);
    const second = await deliver(world, operator);
    for (const { agreementId } of [first, second])
      await until(world, operator, agreementId, ["SETTLED"], SLOW);
    expect(failures).to.be.greaterThan(3);
    expect(world.evm.settlements).to.have.length(2);
  });

  it("OpenZeppelin/openzeppelin-relayer#818: nonces burnt on purpose by the same key elsewhere delay a settlement and lose none", async () => {
    const operator = await start();
    world.evm.includes = false;
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, agreementId, ["SETTLE_SENT"], SLOW);
    world.evm.dropMempool();
    for (let burnt = 0; burnt < 3; burnt++) world.evm.burnNonce(ADDRESSES.submitter);
    world.evm.includes = true;
    const view = await until(world, operator, agreementId, ["SETTLED"], SLOW);
    expect(view.transitions.map(({ event }) => event)).to.include("SettlementFailed");
    expect(world.evm.settlements).to.have.length(1);
  });

  it("OpenZeppelin/openzeppelin-relayer#831, OpenZeppelin/openzeppelin-relayer#726: a counter that drifted above the chain is healed by a no-op", async () => {
    const operator = await start();
    world.evm.includes = false;
    const closed = await deliver(world, operator);
    await until(world, operator, closed.agreementId, ["SETTLE_SENT"], SLOW);
    const waiting = await deliver(world, operator);
    await until(world, operator, waiting.agreementId, ["SETTLE_SENT"], SLOW);
    // The first settlement vanishes with its agreement; the second one's nonce is above what the chain waits for.
    world.evm.close(closed.agreementId, "Conceded");
    await until(world, operator, closed.agreementId, ["EXPIRED"], SLOW);
    world.evm.dropMempool();
    world.evm.includes = true;
    ahead += 61_000;
    await until(world, operator, waiting.agreementId, ["SETTLED"], SLOW);
    expect(world.evm.settlements.map(({ agreementId }) => agreementId)).to.deep.equal([waiting.agreementId]);
    expect(world.log.some((line) => line.includes("Filled a gap in the submitter's nonces"))).to.equal(true);
  });

  it("OpenZeppelin/openzeppelin-relayer#726: the next nonce starts at the chain's and never above a hole", () => {
    expect(freeNonces(5, [], 1)).to.deep.equal([5]);
    expect(freeNonces(5, [5, 6, 8], 3)).to.deep.equal([7, 9, 10]);
    expect(freeNonces(9, [5, 6], 1)).to.deep.equal([9]);
    expect(gapBelow(8, 5, [6, 8])).to.equal(5);
    expect(gapBelow(8, 5, [5, 6, 8])).to.equal(null);
    expect(gapBelow(5, 5, [])).to.equal(null);
    expect(gapBelow(5, 9, [])).to.equal(null);
  });

  it("hyperlane-xyz/hyperlane-monorepo#6682, #6880, #6894: 'nonce too low' for a transaction that is in a block is no failure", async () => {
    const operator = await start();
    // The first delivery is mined while its answer is lost; every later one meets a node that says "nonce too low".
    let sends = 0;
    world.evm.fault = (method, parameters) => {
      if (method !== "eth_sendRawTransaction") return undefined;
      if (sends++ === 0) world.evm.answer(method, parameters);
      throw new RpcResponseError(
        "sim://evm",
        method,
        -32_000,
        "nonce too low: next nonce 1, tx nonce 0",
        null,
      );
    };
    const { agreementId } = await deliver(world, operator);
    const view = await until(world, operator, agreementId, ["SETTLED"], SLOW);
    expect(view.transitions.map(({ event }) => event)).to.not.include("SettlementFailed");
    expect(world.evm.broadcast.size).to.equal(1);
    expect(world.evm.settlements).to.have.length(1);
  });
});
