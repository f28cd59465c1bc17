import { hexlify } from "ethers";
import { expect } from "chai";
import type { Hex } from "@assay/protocol";
import { isEmptyBloom, mayHoldLogOf } from "../../../oracle/src/rpc/index.ts";
import { ESCROW, SimEvm } from "../support/sim-evm.ts";

/** Filter of a block of anvil's in which a contract at ESCROW's address made one log without topics. */
const FROM_ANVIL = filterOf({ 99: 64, 155: 2, 195: 64 });

function filterOf(bytes: Readonly<Record<number, number>>): Hex {
  const filter = new Uint8Array(256);
  for (const [index, value] of Object.entries(bytes)) filter[Number(index)] = value;
  return hexlify(filter) as Hex;
}

describe("a block's bloom filter", () => {
  it("finds the contract that made a log in a block of a real node", () => {
    expect(mayHoldLogOf(ESCROW, FROM_ANVIL)).to.equal(true);
  });

  it("rules out a contract that made none", () => {
    expect(mayHoldLogOf("0x1111111111111111111111111111111111111111", FROM_ANVIL)).to.equal(false);
    expect(mayHoldLogOf(ESCROW, filterOf({}))).to.equal(false);
  });

  it("rules out nothing when it is malformed or full", () => {
    expect(mayHoldLogOf(ESCROW, "0x")).to.equal(true);
    expect(mayHoldLogOf(ESCROW, `0x${"ff".repeat(256)}`)).to.equal(true);
  });

  it("tells an empty filter from one that says something", () => {
    expect(isEmptyBloom(filterOf({}))).to.equal(true);
    expect(isEmptyBloom("0x")).to.equal(true);
    expect(isEmptyBloom(FROM_ANVIL)).to.equal(false);
  });

  it("is made by the simulated chain as the real node makes it", () => {
    const evm = new SimEvm();
    const block = evm.answer("eth_getBlockByNumber", ["latest"]) as { logsBloom: Hex };
    expect(isEmptyBloom(block.logsBloom)).to.equal(true);
  });
});
