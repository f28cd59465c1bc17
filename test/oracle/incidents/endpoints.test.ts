import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { ChainIdentityError, Endpoint } from "../../../oracle/src/index.ts";
import {
  createEvmChain,
  createJsonRpc,
  createProvider,
  createRpcPool,
} from "../../../oracle/src/rpc/index.ts";
import { rejection } from "../support/rejection.ts";
import { CHAIN_ID, ESCROW, QUORUM, type SimEvm } from "../support/sim-evm.ts";
import { KEYS, createWorld, deliver, until, type World } from "../support/world.ts";

const SOURCES = join(import.meta.dirname, "../../../oracle/src");

describe("incidents: endpoints", function () {
  this.timeout(40_000);
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });
  afterEach(() => world.end());

  /** A chain behind several endpoints, each of which answers in its own way. */
  function chainOf(
    answers: readonly ((evm: SimEvm, method: string, parameters: readonly unknown[]) => unknown)[],
  ) {
    const providers = answers.map((answer, index) =>
      createProvider(
        {
          origin: `sim://${index}`,
          send: (method, parameters) => Promise.resolve().then(() => answer(world.evm, method, parameters)),
        },
        { chain: "evm", chainId: CHAIN_ID },
      ),
    );
    return createEvmChain({
      rpc: createRpcPool(providers, 2),
      chainId: CHAIN_ID,
      escrow: ESCROW,
      quorum: QUORUM,
      finality: "finalized",
    });
  }
  const honest = (evm: SimEvm, method: string, parameters: readonly unknown[]) =>
    evm.answer(method, parameters);
  const lagging = (blocks: number) => (evm: SimEvm, method: string, parameters: readonly unknown[]) =>
    evm.answer(method, parameters, blocks);

  it("AztecProtocol/aztec-packages#25176, wevm/viem#836, daimo-eth/daimo#173: nothing here waits on a filter or a subscription that can die silently", () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".ts"),
    );
    const found = files.filter((name) =>
      /eth_newFilter|eth_subscribe|watchEvent\(|watchContractEvent|\bcontract\.on\(|provider\.on\(/.test(
        readFileSync(join(SOURCES, name), "utf8"),
      ),
    );
    expect(files.length).to.be.greaterThan(50);
    expect(found).to.deep.equal([]);
  });

  it("ethereum/go-ethereum#24078, smartcontractkit/chainlink#8024: a replica that lags and knows no logs yet hides none", async () => {
    const operator = await world.start({ chain: chainOf([lagging(3), honest, honest]) });
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, agreementId, ["SETTLED"], { timeout: 20_000 });
    expect(world.evm.settlements).to.have.length(1);
  });

  it("AztecProtocol/aztec-packages#25018, hyperlane-xyz/hyperlane-monorepo#7489: a receipt that one replica lacks is taken from another", async () => {
    const forgetful = (evm: SimEvm, method: string, parameters: readonly unknown[]) =>
      method === "eth_getTransactionReceipt" ? null : evm.answer(method, parameters);
    const operator = await world.start({ chain: chainOf([forgetful, forgetful, honest]) });
    const { agreementId } = await deliver(world, operator);
    const view = await until(world, operator, agreementId, ["SETTLED"], { timeout: 20_000 });
    expect(view.transitions.map(({ event }) => event)).to.not.include("SettlementFailed");
    expect(world.evm.broadcast.size).to.equal(1);
  });

  it("across-protocol/relayer#1044: a receipt of null is an answer, and no error", async () => {
    const chain = chainOf([honest, honest]);
    expect(await chain.receipt(`0x${"11".repeat(32)}`)).to.equal(null);
  });

  it("ethereum-lists/chains#8635: an endpoint that answers for another chain starts no operator", async () => {
    const elsewhere = (evm: SimEvm, method: string, parameters: readonly unknown[]) =>
      method === "eth_chainId" ? "0x1" : evm.answer(method, parameters);
    const error = await rejection(world.start({ chain: chainOf([elsewhere, elsewhere]) }));
    expect(error).to.be.instanceOf(ChainIdentityError);
    expect((error as Error).message).to.include(`answers for chain 1, ASSAY_EVM_CHAIN_ID says ${CHAIN_ID}`);
  });

  it("ethereum-lists/chains#8635: one such endpoint among three is left alone, and the other two go on", async () => {
    const elsewhere = (evm: SimEvm, method: string, parameters: readonly unknown[]) =>
      method === "eth_chainId" ? "0x1" : method === "eth_getLogs" ? [] : evm.answer(method, parameters);
    const operator = await world.start({ chain: chainOf([elsewhere, honest, honest]) });
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, agreementId, ["SETTLED"], { timeout: 20_000 });
  });

  it("tangle-network/relayer#121: no key reaches the log, whatever goes wrong", async () => {
    const operator = await world.start();
    world.genLayer.fault = (method) =>
      method === "gen_call" ? { body: { error: { code: -32_000, message: KEYS.relayer } } } : undefined;
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, agreementId, ["RELAY_READY"], { timeout: 20_000 });
    world.genLayer.fault = () => undefined;
    await until(world, operator, agreementId, ["SETTLED"], { timeout: 20_000 });
    const log = world.log.join("");
    expect(log.length).to.be.greaterThan(1_000);
    for (const key of [KEYS.attester, KEYS.submitter]) expect(log).to.not.include(key.slice(2));
  });

  it("across-protocol/sdk#1223, near/mpc#2362: an error names an endpoint's origin and not the key in its path", async () => {
    const server = createServer((_request, response) => response.writeHead(500).end("no"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const rpc = createJsonRpc(new Endpoint(new URL(`http://127.0.0.1:${port}/v3/secret-key?token=secret`)));
    const error = (await rejection(rpc.send("eth_chainId", []))) as Error;
    expect(error.message).to.include(`http://127.0.0.1:${port}`);
    expect(`${error.message} ${error.stack ?? ""} ${JSON.stringify(error)}`).to.not.include("secret");
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it("tradingstrategy-ai/trade-executor#1472, #1499, connext/monorepo#2815: a token of other decimals than configured starts no operator", async () => {
    const error = (await rejection(world.start({}, { ASSAY_TOKEN_DECIMALS: "18" }))) as Error;
    expect(error.message).to.equal("the escrow's token has 6 decimals, ASSAY_TOKEN_DECIMALS says 18");
  });
});
