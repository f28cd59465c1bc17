import { expect } from "chai";
import { keccak256 } from "ethers";

import { type ChainKind } from "../../../localnet/src/genlayer/kinds.ts";
import { type GenLayerNetwork, startGenLayerNetwork } from "../../../localnet/src/genlayer/network.ts";
import { rpc, rpcRaw } from "./client.ts";
import {
  addTransaction,
  CONTRACT,
  DEPLOY_PAYLOAD,
  freshWallet,
  GET_PAYLOAD,
  type RawOverrides,
  sign,
  ZeroAddress,
} from "./raw.ts";
import { createScriptedExecutor } from "./scripted-executor.ts";

const soon = (): number => Math.floor(Date.now() / 1000) + 3600;

interface Receipt {
  readonly status: string;
  readonly to: string;
  readonly contractAddress: string | null;
  readonly logs: readonly {
    readonly address: string;
    readonly topics: readonly string[];
    readonly data: string;
  }[];
}

for (const kind of ["studio", "testnet"] as const satisfies readonly ChainKind[]) {
  describe(`raw transactions of the ${kind} kind`, () => {
    let network: GenLayerNetwork;
    before(async () => {
      network = await startGenLayerNetwork({ kind, executor: createScriptedExecutor() });
    });
    after(() => network.stop());

    const send = (raw: string): Promise<string> =>
      rpc(network, "eth_sendRawTransaction", raw) as Promise<string>;
    const refusal = async (raw: string): Promise<string> => {
      const { error } = await rpcRaw(network, "eth_sendRawTransaction", raw);
      return error?.message ?? "taken";
    };
    const receiptOf = (hash: string): Promise<Receipt> =>
      rpc(network, "eth_getTransactionReceipt", hash) as Promise<Receipt>;

    it("are named by the hash of their bytes, which is the transaction's id on the Studio kind", async () => {
      const wallet = freshWallet();
      const raw = await sign(network, wallet, addTransaction(wallet));

      const hash = await send(raw);
      const { logs } = await receiptOf(hash);

      expect(hash).to.equal(keccak256(raw));
      if (kind === "studio") expect(logs[0]?.topics[1]).to.equal(hash);
      else expect(logs[0]?.topics[1]).to.not.equal(hash);
    });

    it("leave a receipt with one NewTransaction log of four topics", async () => {
      const wallet = freshWallet();
      const hash = await send(await sign(network, wallet, addTransaction(wallet)));

      const receipt = await receiptOf(hash);

      expect(receipt.status).to.equal("0x1");
      expect(receipt.to).to.equal(kind === "studio" ? CONTRACT : network.consensusMain);
      expect(receipt.logs).to.have.length(1);
      const [log] = receipt.logs;
      expect(log?.data).to.equal("0x");
      expect(log?.topics[0]).to.equal("0xdab9102861c7483a187584d6371d88316f005af507982ccf95c110879f3ed5a5");
      expect(log?.topics[2]).to.equal(`0x${CONTRACT.slice(2).toLowerCase().padStart(64, "0")}`);
      expect(log?.topics[3]).to.equal(`0x${wallet.address.slice(2).toLowerCase().padStart(64, "0")}`);
    });

    it("are taken in both forms of addTransaction", async () => {
      const wallet = freshWallet();
      await send(await sign(network, wallet, addTransaction(wallet)));
      await send(await sign(network, wallet, addTransaction(wallet, { validUntil: soon() }), { nonce: 1 }));

      expect(await rpc(network, "eth_getTransactionCount", wallet.address, "latest")).to.equal("0x2");
    });

    it("do nothing when the same bytes come again", async () => {
      const wallet = freshWallet();
      const raw = await sign(network, wallet, addTransaction(wallet));
      const first = await send(raw);
      const before = await rpc(network, "eth_blockNumber");

      expect(await send(raw)).to.equal(first);
      expect(await rpc(network, "eth_blockNumber")).to.equal(before);
      expect(await rpc(network, "eth_getTransactionCount", wallet.address, "latest")).to.equal("0x1");
    });

    it("give a deployment an address, which the log names", async () => {
      const wallet = freshWallet();
      const data = addTransaction(wallet, { recipient: ZeroAddress, payload: DEPLOY_PAYLOAD });

      const { logs, contractAddress } = await receiptOf(await send(await sign(network, wallet, data)));

      const recipient = `0x${logs[0]?.topics[2]?.slice(26) ?? ""}`;
      expect(recipient)
        .to.match(/^0x[0-9a-f]{40}$/)
        .and.not.equal(ZeroAddress);
      if (kind === "studio") expect(contractAddress?.toLowerCase()).to.equal(recipient);
    });

    it("need the next nonce on the testnet kind only", async () => {
      const wallet = freshWallet();
      const ahead = await refusal(await sign(network, wallet, addTransaction(wallet), { nonce: 7 }));
      const again = await refusal(
        await sign(network, wallet, addTransaction(wallet, { rotations: 1 }), { nonce: 7 }),
      );

      if (kind === "studio") expect([ahead, again]).to.deep.equal(["taken", "taken"]);
      else expect(ahead).to.equal("nonce too high: next nonce 0, tx nonce 7");
    });

    it("are signed for the very bytes of a nonce of one zero byte, as viem encodes 0x0", async () => {
      const { createAccount } = await import("genlayer-js");
      const account = createAccount();
      const data = addTransaction(freshWallet(), { sender: account.address }) as `0x${string}`;
      const raw = await account.signTransaction({
        to: network.consensusMain,
        data,
        gasPrice: 0n,
        gas: 500_000n,
        chainId: network.chainId,
        nonce: "0x0" as unknown as number,
      });

      expect(await send(raw)).to.equal(keccak256(raw));
    });

    const refused: readonly (readonly [string, string, RawOverrides?])[] = [
      ["another chain", "the transaction is signed for chain 1, this is", { chainId: 1 }],
      ["another recipient", "not to ConsensusMain", { to: CONTRACT }],
      ["another type", "only legacy transactions are taken, not typed ones", { type: 2 }],
      ["no recipient", "the transaction has no recipient", { to: null }],
    ];
    for (const [name, reason, overrides] of refused) {
      it(`are refused for ${name}`, async () => {
        const wallet = freshWallet();

        expect(await refusal(await sign(network, wallet, addTransaction(wallet), overrides))).to.contain(
          reason,
        );
        expect(await rpc(network, "eth_getTransactionCount", wallet.address, "latest")).to.equal("0x0");
      });
    }

    const wallet = freshWallet();
    const calls: readonly (readonly [string, string, string])[] = [
      ["a foreign sender", addTransaction(wallet, { sender: CONTRACT }), "signed a transaction of"],
      ["a validUntil of zero", addTransaction(wallet, { validUntil: 0 }), "validUntil 0 has passed"],
      ["a validUntil of the past", addTransaction(wallet, { validUntil: 1_700_000_000 }), "has passed"],
      ["no validators", addTransaction(wallet, { validators: 0 }), "the number of validators is 0"],
      [
        "a payload that is no list",
        addTransaction(wallet, { payload: "0x80" }),
        "not a list of byte strings",
      ],
      ["a payload of one item", addTransaction(wallet, { payload: "0xc100" }), "has 1 items"],
      ["an unknown flag", addTransaction(wallet, { payload: "0xc28003" }), "the leaderOnly flag is 0x03"],
      [
        "a call to nobody",
        addTransaction(wallet, { recipient: ZeroAddress }),
        "a deployment goes to the zero address",
      ],
      [
        "a deployment to somebody",
        addTransaction(wallet, { payload: DEPLOY_PAYLOAD }),
        "a deployment goes to",
      ],
      ["an unknown function", "0x12345678", "ConsensusMain has no function 0x12345678"],
      ["cut arguments", `${addTransaction(wallet).slice(0, 100)}00`, "could not decode"],
    ];
    for (const [name, data, reason] of calls) {
      it(`are refused for ${name}`, async () => {
        expect(await refusal(await sign(network, wallet, data))).to.contain(reason);
      });
    }

    it("are refused when they are not what was signed, or nothing", async () => {
      const signed = await sign(network, wallet, addTransaction(wallet));
      const changed = signed.replace(GET_PAYLOAD.slice(2), GET_PAYLOAD.slice(2).replace("676574", "736574"));

      // The signature then recovers to somebody who is not the sender that the call names.
      expect(await refusal(changed)).to.contain("signed a transaction of");
      expect(await refusal(signed.slice(0, -2))).to.contain("is not RLP");
      expect(await refusal("0x")).to.contain("hexadecimal text");
      expect(await refusal("0xc0")).to.contain("has 9 byte strings");
    });
  });
}
