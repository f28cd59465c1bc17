import { expect } from "chai";
import { JsonRpcProvider, Wallet, type TransactionRequest } from "ethers";
import { startEvm, type Evm } from "@assay/localnet";
import type { Address, Hex } from "@assay/protocol";
import { lookAt } from "../../../web/src/wallet/look.ts";
import { createChainNode, type ChainNode } from "../../../web/src/wallet/node.ts";
import { nextTransaction, type Sent, type Transaction } from "../../../web/src/wallet/transaction.ts";

const GWEI = 10n ** 9n;
/** Init code of a contract that reverts with nothing, whatever it is called with. */
const REVERTING = "0x6460006000fd6000526005601bf3";

describe("what became of a transaction, on a real chain", function () {
  this.timeout(20_000);
  let evm: Evm;
  let provider: JsonRpcProvider;
  let node: ChainNode;
  let wallet: Wallet;
  let friend: Address;

  before(async () => {
    evm = await startEvm({ blockTimeSeconds: 0 });
    provider = new JsonRpcProvider(evm.rpcUrl, evm.chainId, { staticNetwork: true, cacheTimeout: -1 });
    node = createChainNode((method, params) => provider.send(method, [...params]));
    wallet = new Wallet(evm.accounts[0]!.privateKey, provider);
    friend = evm.accounts[1]!.address;
    await provider.send("evm_mine", []);
  });
  beforeEach(() => provider.send("evm_setAutomine", [false]));
  after(async () => {
    provider.destroy();
    await evm.stop();
  });

  const mine = (): Promise<unknown> => provider.send("evm_mine", []);

  async function put(request: TransactionRequest): Promise<Hex> {
    return (await wallet.sendTransaction({ gasLimit: 60_000n, ...request })).hash as Hex;
  }

  async function pend(data: Hex = "0x", to: Address = friend): Promise<Sent> {
    const sinceBlock = await node.height();
    const hash = await put({ to, data, maxFeePerGas: 2n * GWEI, maxPriorityFeePerGas: GWEI });
    return { hash, from: wallet.address as Address, call: { to, data }, nonce: null, sinceBlock };
  }

  async function seen(state: Transaction, sent: Sent): Promise<Transaction> {
    return nextTransaction(state, { type: "looked", look: await lookAt(node, sent, {}) });
  }

  const pendingFor = (sent: Sent): Transaction => ({ name: "pending", sent, isKnown: false });
  const outbid = (sent: Sent): TransactionRequest => ({
    maxFeePerGas: 20n * GWEI,
    maxPriorityFeePerGas: 10n * GWEI,
    nonce: sent.nonce,
  });

  it("pending, then included, then final", async () => {
    const sent = await pend();
    const pending = await seen(pendingFor(sent), sent);
    expect(pending).to.include({ name: "pending", isKnown: true });
    await mine();
    const included = await seen(pending, sent);
    expect(included.name).to.equal("included");
    await mine();
    await mine();
    expect((await seen(included, sent)).name).to.equal("final");
  });

  async function known(sent: Sent): Promise<Sent> {
    return { ...sent, nonce: (await lookAt(node, sent, {})).nonce };
  }

  it("sent again with a higher fee: followed under its new hash", async () => {
    const sent = await known(await pend("0xabcd"));
    const faster = await put({ to: friend, data: "0xabcd", ...outbid(sent) });
    await mine();
    const state = await seen(pendingFor(sent), sent);
    expect(state).to.deep.equal({ name: "pending", sent: { ...sent, hash: faster }, isKnown: true });
    expect((await seen(state, { ...sent, hash: faster })).name).to.equal("included");
  });

  it("cancelled in the wallet: replaced by nothing", async () => {
    const sent = await known(await pend());
    const by = await put({ to: wallet.address, ...outbid(sent) });
    await mine();
    expect(await seen(pendingFor(sent), sent)).to.deep.equal({
      name: "replaced",
      sent,
      by,
      isCancelled: true,
    });
  });

  it("another transaction in its place: replaced by that one", async () => {
    const sent = await known(await pend());
    const by = await put({ to: friend, value: 1n, data: "0x99", ...outbid(sent) });
    await mine();
    expect(await seen(pendingFor(sent), sent)).to.include({ name: "replaced", by, isCancelled: false });
  });

  it("its block leaves the chain: reorged, and included again later", async () => {
    const sent = await known(await pend());
    await mine();
    const included = await seen(pendingFor(sent), sent);
    expect(included.name).to.equal("included");
    await provider.send("anvil_reorg", [1, []]);
    const reorged = await seen(included, sent);
    expect(reorged.name).to.equal("reorged");
    await put({ to: friend, ...outbid(sent) });
    await mine();
    expect((await seen(reorged, sent)).name).to.equal("pending");
  });

  it("failed in its block: reverted, in words", async () => {
    await put({ data: REVERTING, gasLimit: 200_000n });
    await mine();
    const receipt = (await provider.send("eth_getBlockByNumber", ["latest", true])) as {
      transactions: { hash: string }[];
    };
    const { contractAddress } = (await provider.getTransactionReceipt(receipt.transactions[0]!.hash))!;
    const sent = await pend("0x01", contractAddress as Address);
    await mine();
    const state = await seen(pendingFor(sent), sent);
    expect(state.name).to.equal("reverted");
    expect(state).to.have.nested.property("words.message").that.includes("refused without a reason");
  });
});
