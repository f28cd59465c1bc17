import { expect } from "chai";
import { Wallet, toBeHex } from "ethers";
import fc from "fast-check";
import { createAccount } from "genlayer-js";
import { bytesOf, keccak256, type Address, type Hex } from "@assay/protocol";
import { Secret } from "../../../oracle/src/config/index.ts";
import { signTransaction } from "../../../oracle/src/signer/index.ts";

const privateKey = toBeHex(0xa55a7n, 32) as Hex;
const wallet = new Wallet(privateKey);
const key = { address: wallet.address as Address, privateKey: new Secret(privateKey) };
const to = `0x${"22".repeat(20)}`;

const request = fc.record({
  nonce: fc.nat(),
  data: fc.uint8Array({ maxLength: 600 }).map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`),
  gasLimit: fc.bigInt({ min: 21_000n, max: 2n ** 40n }),
  price: fc.bigInt({ min: 0n, max: 2n ** 60n }),
  chainId: fc.integer({ min: 1, max: 2 ** 31 }),
});

describe("a signed transaction", () => {
  it("of GenLayer is the one that genlayer-js signs, byte for byte", () =>
    fc.assert(
      fc.asyncProperty(request, async ({ nonce, data, gasLimit, price, chainId }) => {
        const signed = signTransaction(key, { type: 0, to, nonce, data, gasLimit, gasPrice: price, chainId });
        const raw = await createAccount(privateKey).signTransaction({
          type: "legacy",
          to: to as Hex,
          nonce,
          data,
          gas: gasLimit,
          gasPrice: price,
          chainId,
        });
        expect(signed).to.deep.equal({ raw, transactionHash: keccak256(bytesOf(raw)), nonce, fee: price });
      }),
      { numRuns: 30 },
    ));

  it("of the escrow's chain is the one that a wallet of ethers signs, byte for byte", () =>
    fc.assert(
      fc.asyncProperty(request, async ({ price, ...rest }) => {
        const transaction = { type: 2, to, maxFeePerGas: price, maxPriorityFeePerGas: price / 2n, ...rest };
        const raw = (await wallet.signTransaction(transaction)) as Hex;
        expect(signTransaction(key, transaction)).to.deep.equal({
          raw,
          transactionHash: keccak256(bytesOf(raw)),
          nonce: rest.nonce,
          fee: price,
        });
      }),
      { numRuns: 30 },
    ));
});
