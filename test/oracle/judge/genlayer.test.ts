import { createServer } from "node:http";
import { expect } from "chai";
import { Transaction } from "ethers";
import { abi } from "genlayer-js";
import { findGenLayerNetwork, type GenLayerNetwork, type Hex } from "@assay/protocol";
import { Endpoint, Secret, type ChainIdentityError } from "../../../oracle/src/index.ts";
import {
  JudgeUnavailableError,
  createJudge,
  type AdjudicationCall,
  type Judge,
} from "../../../oracle/src/judge/index.ts";
import { RpcResponseError, RpcUnavailableError } from "../../../oracle/src/rpc/index.ts";
import { rejection } from "../support/rejection.ts";
import { JUDGE, JUDGE_CODE_HASH, SimGenLayer } from "../support/sim-genlayer.ts";
import { ESCROW } from "../support/sim-evm.ts";
import { hash } from "../support/states.ts";
import { ADDRESSES, KEYS, dealOf, submissionOf } from "../support/world.ts";

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe("GenLayer adapter", () => {
  let network: SimGenLayer;
  let judge: Judge;
  let call: AdjudicationCall;
  let url: string;

  const create = (changes: { network?: GenLayerNetwork; timeoutMilliseconds?: number } = {}) =>
    createJudge({
      endpoint: new Endpoint(new URL(`${url}/CANARY`)),
      network: findGenLayerNetwork("localnet")!,
      relayer: { address: ADDRESSES.relayer, privateKey: new Secret<Hex>(KEYS.relayer) },
      ...changes,
    });

  beforeEach(async () => {
    network = new SimGenLayer();
    url = await network.start();
    judge = create();
    const deal = dealOf({ evm: { latest: { timestamp: 1 } } });
    call = {
      agreementId: hash(0xa1),
      chainId: 31_337,
      escrow: ESCROW,
      agreementText: decode(deal.agreementBytes),
      submissionText: decode(submissionOf(hash(0xa1)).bytes),
    };
  });
  afterEach(() => network.stop());

  // genlayer-js prints every failure; the operator's process redirects that into its log.
  const { error: printError } = console;
  before(() => {
    console.error = () => undefined;
  });
  after(() => {
    console.error = printError;
  });

  /** Brings a transaction to its end. */
  async function judged(): Promise<Hex> {
    const { raw, transactionHash } = await judge.prepare(JUDGE, call, 5, 0);
    await judge.sendRaw(raw);
    for (let looks = 0; looks < 4; looks++) await judge.transaction(transactionHash);
    return transactionHash;
  }

  it("signs without sending: the bytes leave only when they are handed over", async () => {
    const signed = await judge.prepare(JUDGE, call, 5, 0);
    expect(network.sends).to.deep.equal([]);
    expect(Transaction.from(signed.raw).hash).to.equal(signed.transactionHash);
    expect(Transaction.from(signed.raw).from).to.equal(ADDRESSES.relayer);
    await judge.sendRaw(signed.raw);
    expect(network.sends).to.deep.equal([signed.raw]);
  });

  it("finds the transaction's id by the journalled hash alone", async () => {
    const { raw, transactionHash } = await judge.prepare(JUDGE, call, 5, 0);
    expect(await judge.receipt(transactionHash)).to.equal(null);
    await judge.sendRaw(raw);
    expect(await judge.receipt(transactionHash)).to.deep.equal({
      succeeded: true,
      judgeTx: network.transactions[0]?.id,
    });
  });

  it("makes one transaction of the same bytes, however often they are sent", async () => {
    const { raw } = await judge.prepare(JUDGE, call, 5, 0);
    for (let times = 0; times < 3; times++) await judge.sendRaw(raw);
    expect(network.transactions).to.have.length(1);
  });

  it("asks for as many validators as the agreement demands, and never for fewer than the default", async () => {
    for (const [demanded, asked] of [
      [9, 9],
      [1, 5],
    ] as const) {
      const { raw } = await judge.prepare(JUDGE, call, demanded, 0);
      await judge.sendRaw(raw);
      expect(network.transactions.at(-1)?.validators).to.equal(asked);
    }
  });

  it("raises the gas above the estimate, and above what the calldata costs when there is no estimate", async () => {
    const { raw } = await judge.prepare(JUDGE, call, 5, 0);
    expect(Transaction.from(raw).gasLimit).to.equal(750_000n);
    network.fault = (method) =>
      method === "eth_estimateGas" ? { body: { error: { code: -32000, message: "no" } } } : undefined;
    const large = await judge.prepare(JUDGE, { ...call, submissionText: "x".repeat(100_000) }, 5, 0);
    expect(Transaction.from(large.raw).gasLimit > 4_000_000n).to.equal(true);
  });

  it("encodes the call as it is found in the transaction", async () => {
    const { raw, transactionHash } = await judge.prepare(JUDGE, call, 5, 0);
    await judge.sendRaw(raw);
    const transaction = await judge.transaction(transactionHash);
    expect(transaction?.calldata).to.equal(judge.calldataOf(call));
    expect(judge.isKnownOtherwise(transactionHash, judge.calldataOf(call))).to.equal(false);
    expect(judge.isKnownOtherwise(transactionHash, "0x1604")).to.equal(true);
    expect(judge.isKnownOtherwise(hash(1), "0x1604")).to.equal(false);
  });

  it("reads the record of a finalized transaction, and a version of 0 before there is one", async () => {
    expect((await judge.record(JUDGE, ADDRESSES.relayer, hash(1))).version).to.equal(0);
    await judged();
    const { adjudicationKey } = await import("@assay/protocol");
    const { documentHash, utf8Encode } = await import("@assay/protocol");
    const key = adjudicationKey({
      chainId: call.chainId,
      escrow: call.escrow,
      agreementId: call.agreementId,
      agreementHash: documentHash(utf8Encode(call.agreementText)),
      submissionHash: documentHash(utf8Encode(call.submissionText)),
    });
    const record = await judge.record(JUDGE, ADDRESSES.relayer, key);
    expect(record).to.include({ version: 1, sequence: 1, sender: ADDRESSES.relayer, key });
    expect(await judge.records(JUDGE, key)).to.deep.equal([{ sender: ADDRESSES.relayer, sequence: 1 }]);
  });

  it("asks for finalized state in both languages", async () => {
    let asked: unknown;
    network.fault = (method, [parameters]) => {
      if (method === "gen_call") asked = parameters;
      return undefined;
    };
    await judge.record(JUDGE, ADDRESSES.relayer, hash(1));
    expect(asked).to.include({ status: "finalized", transaction_hash_variant: "latest-final" });
  });

  it("does not know an unknown transaction", async () => {
    expect(await judge.transaction(hash(0xee))).to.equal(null);
    network.fault = () => ({ body: { error: { code: -32001, message: "not found" } } });
    expect(await judge.transaction(hash(0xee))).to.equal(null);
  });

  it("hashes the deployed code", async () => {
    expect(await judge.codeHash(JUDGE)).to.equal(JUDGE_CODE_HASH);
    network.fault = () => ({ body: { result: "" } });
    expect(await judge.codeHash(JUDGE)).to.equal(null);
    network.fault = () => ({ body: { error: { code: -32001, message: "no contract" } } });
    expect(await judge.codeHash(JUDGE).catch((error: unknown) => error)).to.equal(null);
  });

  it("refuses an endpoint of another chain", async () => {
    network.chainId = 61_999;
    const error = (await rejection(judge.verifyIdentity())) as ChainIdentityError;
    expect(error.name).to.equal("ChainIdentityError");
    expect(error.message).to.equal(`${url} answers for chain 61999, localnet is 61127`);
  });

  it("tells two networks with one chain id apart by their ConsensusMain", async () => {
    network.chainId = 4_221;
    network.fault = (method) => (method === "eth_getCode" ? { body: { result: "0x" } } : undefined);
    const error = (await rejection(
      create({ network: findGenLayerNetwork("testnetAsimov")! }).verifyIdentity(),
    )) as Error;
    expect(error.message).to.match(/has no ConsensusMain at 0x6CAFF6769d70824745AD895663409DC70aB5B28E/);
  });

  it("does not change the chain objects that genlayer-js shares", async () => {
    const { chains } = await import("genlayer-js");
    const before = chains.localnet.rpcUrls.default.http[0];
    await judge.prepare(JUDGE, call, 9, 0);
    expect(chains.localnet.rpcUrls.default.http[0]).to.equal(before);
    expect(chains.localnet.defaultNumberOfInitialValidators).to.equal(5);
  });

  for (const [what, fault] of [
    ["an HTML page with status 429", { status: 429, text: "<html>slow down</html>" }],
    ["an HTML page with status 200", { text: "<html></html>" }],
    ["an error without a code", { body: { error: {} } }],
    ["an answer without a result", { body: {} }],
  ] as const)
    it(`knows nothing after ${what}`, async () => {
      network.fault = () => fault;
      for (const attempt of [
        () => judge.transaction(hash(1)),
        () => judge.prepare(JUDGE, call, 5, 0),
        () => judge.receipt(hash(1)),
        () => judge.record(JUDGE, ADDRESSES.relayer, hash(1)),
      ]) {
        const error = await attempt().then(
          (value) => value,
          (reason: unknown) => reason,
        );
        expect(
          error === null ||
            error instanceof JudgeUnavailableError ||
            error instanceof RpcUnavailableError ||
            error instanceof RpcResponseError,
          String(error),
        ).to.equal(true);
      }
    });

  for (const result of [
    null,
    7,
    "0x1234",
    "zz",
    { data: "00", status: { code: 3, message: "boom" } },
    { status: { code: 0 } },
  ])
    it(`takes no record from the answer ${JSON.stringify(result)}`, async () => {
      network.fault = (method) => (method === "gen_call" ? { body: { result } } : undefined);
      expect(await rejection(judge.record(JUDGE, ADDRESSES.relayer, hash(1)))).to.be.instanceOf(
        JudgeUnavailableError,
      );
    });

  it("takes the object form of a contract read too", async () => {
    const data = Buffer.from(abi.calldata.encode({ version: 0 })).toString("hex");
    network.fault = (method) =>
      method === "gen_call" ? { body: { result: { data, status: { code: 0 } } } } : undefined;
    expect((await judge.record(JUDGE, ADDRESSES.relayer, hash(1))).version).to.equal(0);
  });

  it("gives up on an endpoint that does not answer", async () => {
    const { createServer: createSocketServer } = await import("node:net");
    const silent = createSocketServer(() => undefined).listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    const { port } = silent.address() as { port: number };
    const deaf = createJudge({
      endpoint: new Endpoint(new URL(`http://127.0.0.1:${port}`)),
      network: findGenLayerNetwork("localnet")!,
      relayer: { address: ADDRESSES.relayer, privateKey: new Secret<Hex>(KEYS.relayer) },
      timeoutMilliseconds: 100,
    });
    expect(await rejection(deaf.transaction(hash(1)))).to.be.instanceOf(JudgeUnavailableError);
    expect(await rejection(deaf.prepare(JUDGE, call, 5, 0))).to.be.instanceOf(JudgeUnavailableError);
    expect(await rejection(deaf.receipt(hash(1)))).to.be.instanceOf(RpcUnavailableError);
    silent.close();
  });

  it("asks again after an answer that never came, instead of waiting for that one for ever", async () => {
    let requests = 0;
    const first = createServer((_request, response) => {
      // The first request is never answered; whoever waits for it again learns nothing either.
      if (++requests > 1) response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: null }));
    });
    await new Promise<void>((resolve) => first.listen(0, "127.0.0.1", resolve));
    const { port } = first.address() as { port: number };
    const slow = createJudge({
      endpoint: new Endpoint(new URL(`http://127.0.0.1:${port}`)),
      network: findGenLayerNetwork("localnet")!,
      relayer: { address: ADDRESSES.relayer, privateKey: new Secret<Hex>(KEYS.relayer) },
      timeoutMilliseconds: 200,
    });
    expect(await rejection(slow.transaction(hash(1)))).to.be.instanceOf(JudgeUnavailableError);
    expect(await slow.transaction(hash(1))).to.equal(null);
    first.closeAllConnections();
    first.close();
  });

  it("never quotes the endpoint's path", async () => {
    await network.stop();
    for (const attempt of [
      () => judge.transaction(hash(1)),
      () => judge.prepare(JUDGE, call, 5, 0),
      () => judge.receipt(hash(1)),
    ]) {
      const error = (await rejection(attempt())) as Error;
      expect(`${error.message} ${error.stack ?? ""} ${String(error.cause)}`).to.not.include("CANARY");
    }
  });

  it("takes a receipt without the event for a send that came to nothing", async () => {
    network.fault = (method) =>
      method === "eth_getTransactionReceipt" ? { body: { result: { status: "0x1", logs: [] } } } : undefined;
    expect(await judge.receipt(hash(1))).to.deep.equal({ succeeded: true, judgeTx: null });
    network.fault = () => ({ body: { result: { status: "0x0", logs: [] } } });
    expect(await judge.receipt(hash(1))).to.deep.equal({ succeeded: false, judgeTx: null });
  });

  it("lists the contract's transactions where the network can", async () => {
    const id = await judged();
    expect(await judge.transactionsTo(JUDGE, 0)).to.deep.equal([id]);
    network.fault = () => ({ body: { error: { code: -32601, message: "no such method" } } });
    expect(await judge.transactionsTo(JUDGE, 0)).to.equal(null);
  });
});
