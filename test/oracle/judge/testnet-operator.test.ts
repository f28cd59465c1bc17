import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { deployContract, startGenLayerNetwork, type GenLayerNetwork } from "@assay/localnet";
import { findGenLayerNetwork, type Address, type Hex } from "@assay/protocol";
import { Endpoint, Secret, type Operator } from "../../../oracle/src/index.ts";
import { createJudge, type Judge } from "../../../oracle/src/judge/index.ts";
import { keysOf, relayerOf } from "../support/operators.ts";
import { CHAIN_ID, ESCROW } from "../support/sim-evm.ts";
import {
  ADDRESSES,
  createWorld,
  dealOf,
  deliver,
  put,
  submissionOf,
  until,
  type Deal,
  type World,
} from "../support/world.ts";

const VERIFIER = join(import.meta.dirname, "../../../contracts-genlayer/agreement_verifier.py");
const NETWORK = findGenLayerNetwork("testnetBradbury")!;
const SLOW = { timeout: 60_000 };

describe("operator, on a GenLayer network of the testnet kind", function () {
  this.timeout(120_000);
  let genLayer: GenLayerNetwork;
  let contract: Address;
  let codeHash: Hex;
  let world: World;

  before(async () => {
    genLayer = await startGenLayerNetwork({ kind: "testnet", finalityWindowSeconds: 0.2 });
    ({ address: contract } = await deployContract(genLayer, { code: readFileSync(VERIFIER, "utf8") }));
    codeHash = (await judgeOf(0).codeHash(contract))!;
  });
  after(() => genLayer.stop());
  beforeEach(async () => {
    world = await createWorld({
      ASSAY_GENLAYER_RPC_URL: genLayer.rpcUrl,
      ASSAY_GENLAYER_NETWORK: NETWORK.name,
    });
  });
  afterEach(async () => {
    await control("localnet_setManualFinality", false);
    await world.end();
  });

  async function control(method: string, ...params: unknown[]): Promise<unknown> {
    const response = await fetch(genLayer.rpcUrl, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** The nth operator of a set, as a relayer. */
  function judgeOf(index: number): Judge {
    const { privateKeys, addresses } = keysOf(index);
    return createJudge({
      endpoint: new Endpoint(new URL(genLayer.rpcUrl)),
      network: NETWORK,
      relayer: { address: addresses.relayer, privateKey: new Secret(privateKeys.relayer as Hex) },
    });
  }

  const dealHere = (relayers: readonly Address[]): Deal =>
    dealOf(world, {
      adjudication: {
        network: NETWORK.name,
        chainId: NETWORK.chainId,
        consensusMain: NETWORK.consensusMain,
        contract,
        codeHash,
        relayers: [...relayers],
      },
    });

  const transactionCount = (address: Address) =>
    control("eth_getTransactionCount", address, "latest").then(Number);

  it("settles what the network's validators judged, with one send", async () => {
    const before = await transactionCount(ADDRESSES.relayer);
    const operator = await world.start();
    const { agreementId } = await deliver(world, operator, dealHere([ADDRESSES.relayer]));
    await until(world, operator, agreementId, ["SETTLED"], SLOW);
    expect(await transactionCount(ADDRESSES.relayer)).to.equal(before + 1);
    expect(world.evm.settlements).to.have.length(1);
  });

  it("finalizes a transaction whose window has ended when nobody else does, with one more send", async () => {
    await control("localnet_setManualFinality", true);
    const before = await transactionCount(ADDRESSES.relayer);
    const operator = await world.start();
    const { agreementId } = await deliver(world, operator, dealHere([ADDRESSES.relayer]));
    await until(world, operator, agreementId, ["SETTLED"], SLOW);
    expect(await transactionCount(ADDRESSES.relayer)).to.equal(before + 2);
    expect(world.evm.settlements).to.have.length(1);
  });

  // The first passage follows the transaction, the second journals the call that finalizes it, the third sends it.
  for (const side of ["done", "committed"] as const)
    for (const passage of [1, 2, 3])
      it(`finalizes once when it dies at readJudge.${side}, passage ${passage}`, async () => {
        await control("localnet_setManualFinality", true);
        const before = await transactionCount(ADDRESSES.relayer);
        let passed = 0;
        const victim = await world.start({
          boundary(name) {
            if (name === `readJudge.${side}` && ++passed === passage) throw new Error("killed");
          },
        });
        const { agreementId } = await deliver(world, victim, dealHere([ADDRESSES.relayer]));
        await diesOf(victim);
        await victim.stop();
        const heir = await world.start();
        await until(world, heir, agreementId, ["SETTLED"], SLOW);
        expect(await transactionCount(ADDRESSES.relayer)).to.equal(before + 2);
        expect(world.evm.settlements).to.have.length(1);
      });

  /** Blocks come until the operator has died. */
  async function diesOf(operator: Operator): Promise<void> {
    const timer = setInterval(() => {
      world.evm.mine();
    }, 25);
    try {
      await operator.failed.catch(() => undefined);
    } finally {
      clearInterval(timer);
    }
  }

  it("leaves finalizing to the relayers that the agreement names", async () => {
    await control("localnet_setManualFinality", true);
    const before = await transactionCount(ADDRESSES.relayer);
    const deal = dealHere([relayerOf(0)]);
    const operator = await world.start();
    const agreementId = await judgedBy(judgeOf(0), operator, deal);
    await until(world, operator, agreementId, ["JUDGING", "PROVISIONAL"], SLOW);
    for (let turn = 0; turn < 20; turn++) {
      world.evm.mine();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await transactionCount(ADDRESSES.relayer)).to.equal(before);
    const [id] = (await judgeOf(0).transactionsTo(contract, 0))!.slice(-1);
    expect((await judgeOf(0).transaction(id!))?.status).to.equal("READY_TO_FINALIZE");
  });

  it("finds in the network's logs what a fellow relayer judged and told nobody of", async () => {
    const before = await transactionCount(ADDRESSES.relayer);
    const operator = await world.start();
    const agreementId = await judgedBy(judgeOf(0), operator, dealHere([relayerOf(0), ADDRESSES.relayer]));
    const view = await until(world, operator, agreementId, ["SETTLED"], SLOW);
    expect(await transactionCount(ADDRESSES.relayer)).to.equal(before);
    expect(view.judge.transactions).to.have.length(1);
    expect(world.evm.settlements).to.have.length(1);
  });

  it("lists the transactions of one contract, each once, however often it looks", async () => {
    const { address: other } = await deployContract(genLayer, { code: readFileSync(VERIFIER, "utf8") });
    const judge = judgeOf(1);
    const earlier = await judge.transactionsTo(contract, 0);
    // Its deployment.
    expect(await judge.transactionsTo(other, 0)).to.have.length(1);
    const operator = await world.start();
    await judgedBy(judge, operator, dealHere([relayerOf(1)]));
    const later = await judge.transactionsTo(contract, 0);
    expect(later).to.have.length(earlier!.length + 1);
    expect(await judge.transactionsTo(contract, Math.floor(Date.now() / 1_000))).to.deep.equal(later);
    expect(new Set(later).size).to.equal(later!.length);
  });

  /** Somebody judges a submission before its operator gets to it. Resolves to the agreement. */
  async function judgedBy(judge: Judge, operator: Operator, deal: Deal): Promise<Hex> {
    const agreementId = world.evm.fund(deal.terms);
    const submission = submissionOf(agreementId);
    const call = {
      agreementId,
      chainId: CHAIN_ID,
      escrow: ESCROW,
      agreementText: Buffer.from(deal.agreementBytes).toString("utf8"),
      submissionText: Buffer.from(submission.bytes).toString("utf8"),
    };
    const sent = await judge.prepare(contract, call, 5, await judge.nonce());
    await judge.sendRaw(sent.raw);
    while ((await judge.receipt(sent.transactionHash)) === null)
      await new Promise((resolve) => setTimeout(resolve, 50));
    await put(operator, deal.agreementBytes);
    await put(operator, submission.bytes);
    world.evm.submit(agreementId, submission.hash);
    return agreementId;
  }
});
