import { expect } from "chai";
import { Transaction } from "ethers";
import type { Hex } from "@assay/protocol";
import { RpcResponseError, RpcUnavailableError, classifySendError } from "../../../oracle/src/rpc/index.ts";
import { openSqliteStore } from "../../../oracle/src/store/index.ts";
import { ADDRESSES, createWorld, deliver, submissionView, until, type World } from "../support/world.ts";

const turns = async (world: World, count: number, mine = true) => {
  for (let turn = 0; turn < count; turn++) {
    if (mine) world.evm.mine();
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
};

describe("settlement, with an EVM endpoint that misbehaves", () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });
  afterEach(() => world.end());

  it("takes no null receipt for a failure", async () => {
    const operator = await world.start();
    world.evm.fault = (method) => (method === "eth_getTransactionReceipt" ? null : undefined);
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, agreementId, ["SETTLED"]);
    expect(world.evm.settlements).to.have.length(1);
    expect(world.evm.broadcast.size).to.equal(1);
  });

  for (const [what, receipts] of [
    ["with its receipt", undefined],
    ["without a receipt, by the escrow's log alone", null],
  ] as const)
    it(`leaves its place to others once it is seen in a block, ${what}, however far finality is`, async () => {
      const store = openSqliteStore(":memory:");
      const operator = await world.start({ store });
      world.evm.fault = (method) => (method === "eth_getTransactionReceipt" ? receipts : undefined);
      world.evm.includes = false;
      const { agreementId } = await deliver(world, operator);
      await until(world, operator, agreementId, ["SETTLE_SENT"]);
      expect(await store.openNonces("evm", ADDRESSES.submitter)).to.deep.equal([0]);
      world.evm.finalityDepth = 60;
      world.evm.includes = true;
      await until(world, operator, agreementId, ["SETTLED_SEEN"]);
      await turns(world, 10);
      expect((await submissionView(operator, agreementId))?.state).to.equal("SETTLED_SEEN");
      expect(await store.openNonces("evm", ADDRESSES.submitter)).to.deep.equal([]);
    });

  it("is under way again when the block in which it was seen is gone", async () => {
    world.evm.finalityDepth = 12;
    const store = openSqliteStore(":memory:");
    const operator = await world.start({ store });
    world.evm.fault = (method) => (method === "eth_getTransactionReceipt" ? null : undefined);
    world.evm.includes = false;
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, agreementId, ["SETTLE_SENT"]);
    world.evm.includes = true;
    await until(world, operator, agreementId, ["SETTLED_SEEN"]);
    await turns(world, 10, false);
    expect(await store.openNonces("evm", ADDRESSES.submitter)).to.deep.equal([]);
    world.evm.includes = false;
    world.evm.reorg(6);
    await until(world, operator, agreementId, ["SETTLE_SENT"]);
    await turns(world, 10);
    expect(await store.openNonces("evm", ADDRESSES.submitter)).to.deep.equal([0]);
    world.evm.fault = () => undefined;
    world.evm.includes = true;
    await until(world, operator, agreementId, ["SETTLED"]);
    expect(world.evm.settlements).to.have.length(1);
    expect(world.evm.broadcast.size).to.equal(1);
  });

  it("sends the same bytes again when the answer to a send is lost", async () => {
    const operator = await world.start();
    let lost = 0;
    world.evm.fault = (method, [raw]) => {
      if (method !== "eth_sendRawTransaction" || lost++ > 2) return undefined;
      const { fault } = world.evm;
      world.evm.fault = () => undefined;
      void world.evm.rpc().send(method, [raw]);
      world.evm.fault = fault;
      throw new RpcUnavailableError("sim://evm", method, "gave no answer");
    };
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, agreementId, ["SETTLED"]);
    expect(world.evm.broadcast.size).to.equal(1);
    expect(world.evm.settlements).to.have.length(1);
  });

  it("sends again what the node forgot", async () => {
    let clock = 0;
    const operator = await world.start({ clock: { now: () => Date.now() + clock } });
    world.evm.includes = false;
    const ticking = setInterval(() => {
      clock += 500;
    }, 20);
    try {
      const { agreementId } = await deliver(world, operator);
      await until(world, operator, agreementId, ["SETTLE_SENT"]);
      world.evm.dropMempool();
      world.evm.includes = true;
      await until(world, operator, agreementId, ["SETTLED"], { timeout: 15_000 });
      expect(world.evm.broadcast.size).to.equal(1);
    } finally {
      clearInterval(ticking);
    }
  }).timeout(20_000);

  it("offers more when the market rises, with the same nonce, and settles once", async () => {
    let clock = 0;
    const operator = await world.start({ clock: { now: () => Date.now() + clock } });
    const { agreementId } = await deliver(world, operator);
    world.evm.includes = false;
    await until(world, operator, agreementId, ["SETTLE_SENT"]);
    world.evm.baseFee = 50_000_000_000n;
    world.evm.includes = true;
    await turns(world, 4);
    expect((await submissionView(operator, agreementId))?.state).to.equal("SETTLE_SENT");
    clock += 61_000;
    await until(world, operator, agreementId, ["SETTLED"]);
    expect(world.evm.settlements).to.have.length(1);
    expect(world.evm.broadcast.size).to.be.at.least(2);
  });

  it("stays at its highest price and lands when the market falls", async () => {
    let clock = 0;
    const operator = await world.start(
      { clock: { now: () => Date.now() + clock } },
      { ASSAY_EVM_MAX_FEE_GWEI: "3" },
    );
    const { agreementId } = await deliver(world, operator);
    world.evm.includes = false;
    await until(world, operator, agreementId, ["SETTLE_SENT"]);
    world.evm.baseFee = 50_000_000_000n;
    world.evm.includes = true;
    for (let round = 0; round < 4; round++) {
      clock += 61_000;
      await turns(world, 3);
    }
    const fees = (await sentBytes(world)).map((raw) => Transaction.from(raw).maxFeePerGas!);
    expect(fees.every((fee) => fee <= 3_000_000_000n)).to.equal(true);
    world.evm.baseFee = 1_000_000_000n;
    clock += 11_000;
    await until(world, operator, agreementId, ["SETTLED"]);
    expect(world.evm.settlements).to.have.length(1);
  });

  it("settles again when its settlement's block is reorganised away", async () => {
    world.evm.finalityDepth = 6;
    const operator = await world.start();
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, agreementId, ["SETTLED_SEEN"]);
    world.evm.reorg(3);
    await until(world, operator, agreementId, ["SETTLED"], { timeout: 12_000 });
    expect(world.evm.settlements).to.have.length(1);
    expect(world.evm.broadcast.size).to.equal(1);
  }).timeout(15_000);

  it("does not stop at a delivery that others made while it was sending", async () => {
    const operator = await world.start();
    world.evm.includes = false;
    const { agreementId, submissionHash } = await deliver(world, operator);
    const { verdict } = await until(world, operator, agreementId, ["SETTLE_SENT"]);
    world.evm.settleByOther(agreementId, submissionHash, verdict!.verdictHash);
    world.evm.mine();
    world.evm.includes = true;
    await until(world, operator, agreementId, ["SETTLED"]);
    const next = await deliver(world, operator);
    await until(world, operator, next.agreementId, ["SETTLED"]);
    expect(world.evm.settlements.map((settlement) => settlement.agreementId)).to.deep.equal([
      next.agreementId,
    ]);
  });

  it("asks again when a simulation fails without revert data", async () => {
    const operator = await world.start();
    let failures = 0;
    world.evm.fault = (method) => {
      if (method === "eth_estimateGas" && failures++ < 4)
        throw new RpcResponseError("sim://evm", method, -32005, "rate limited", null);
      return undefined;
    };
    const { agreementId } = await deliver(world, operator);
    const view = await until(world, operator, agreementId, ["SETTLED"], { timeout: 15_000 });
    expect(view.transitions.map(({ event }) => event).join(" ")).to.not.include("SettlementFailed");
  }).timeout(20_000);

  it("parks a delivery that keeps reverting in simulation, and sends nothing", async () => {
    const operator = await world.start();
    world.evm.fault = (method) => {
      if (method === "eth_estimateGas")
        throw new RpcResponseError("sim://evm", method, 3, "execution reverted", "0x12345678");
      return undefined;
    };
    const { agreementId } = await deliver(world, operator);
    const view = await until(world, operator, agreementId, ["QUARANTINED"], { timeout: 15_000 });
    expect(view.reason).to.equal("the delivery would revert with 0x12345678");
    expect(world.evm.broadcast.size).to.equal(0);
  }).timeout(20_000);

  it("moves on when another transaction of the account took its nonce", async () => {
    const operator = await world.start();
    const { agreementId } = await deliver(world, operator);
    world.evm.includes = false;
    await until(world, operator, agreementId, ["SETTLE_SENT"]);
    world.evm.dropMempool();
    world.evm.burnNonce("0x75E0De31eCa89159a26b09cc3b5eF4736A4f8969");
    world.evm.includes = true;
    const view = await until(world, operator, agreementId, ["SETTLED"], { timeout: 15_000 });
    expect(view.transitions.map(({ event }) => event).join(" ")).to.include("SettlementFailed");
    expect(world.evm.settlements).to.have.length(1);
    const nonces = (await sentBytes(world)).map((raw) => Transaction.from(raw).nonce);
    expect(nonces).to.deep.equal([0, 1]);
  }).timeout(20_000);

  it("does not sign over an escrow that no longer holds the submission", async () => {
    world.genLayer.looksToFinal = 40;
    const operator = await world.start();
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, agreementId, ["PROVISIONAL"]);
    world.evm.close(agreementId, "Settled");
    await until(world, operator, agreementId, ["EXPIRED"]);
    expect((await fetch(`${operator.url}/v1/attestations/${agreementId}`)).status).to.equal(404);
  });
});

/** Every set of settlement bytes in the operator's journal, in order. */
async function sentBytes(world: World): Promise<Hex[]> {
  const { DatabaseSync } = await import("node:sqlite");
  const { cp, rm } = await import("node:fs/promises");
  const copy = `${world.dataDir}-copy`;
  await cp(world.dataDir, copy, { recursive: true });
  const database = new DatabaseSync(`${copy}/operator.sqlite`);
  const rows = database
    .prepare(
      "SELECT raw FROM attempts JOIN outbox ON outbox.id = outbox_id WHERE purpose = 'settle' ORDER BY attempts.rowid",
    )
    .all();
  database.close();
  await rm(copy, { recursive: true });
  return rows.map((row) => row["raw"] as Hex);
}

describe("classifySendError", () => {
  const refusal = (message: string) =>
    new RpcResponseError("https://a.example", "eth_sendRawTransaction", -32000, message, null);
  for (const [message, outcome] of [
    ["already known", "accepted"],
    ["AlreadyKnown", "accepted"],
    ["known transaction: 0x12", "accepted"],
    ["Transaction with the same hash was already imported.", "accepted"],
    ["transaction already imported", "accepted"],
    ["unknown transaction type", "unknown"],
    ["nonce too low: next nonce 8, tx nonce 7", "nonceUsed"],
    ["OldNonce, Current nonce: 8, nonce of rejected tx: 7", "nonceUsed"],
    ["Nonce too low. Expected nonce to be 8 but got 7.", "nonceUsed"],
    ["nonce too high", "unknown"],
    ["replacement transaction underpriced", "underpriced"],
    ["transaction underpriced: gas tip cap 1, minimum needed 2", "underpriced"],
    ["FeeTooLow, MaxFeePerGas too low", "underpriced"],
    ["insufficient funds for gas * price + value", "insufficientFunds"],
    ["Upfront cost exceeds account balance", "insufficientFunds"],
    ["Sender doesn't have enough funds to send tx", "insufficientFunds"],
    ["rate limit exceeded", "unknown"],
    ["something nobody has seen", "unknown"],
  ] as const)
    it(`reads "${message}" as ${outcome}`, () => {
      expect(classifySendError(refusal(message))).to.equal(outcome);
    });

  it("knows nothing when there was no answer", () => {
    expect(
      classifySendError(
        new RpcUnavailableError("https://a.example", "eth_sendRawTransaction", "already known"),
      ),
    ).to.equal("unknown");
    expect(classifySendError(new Error("already known"))).to.equal("unknown");
  });
});
