import { expect } from "chai";

import type { EvmLog } from "../../../localnet/src/genlayer/codecs/evm.ts";
import { RpcError } from "../../../localnet/src/genlayer/rpc/errors.ts";
import { parseLogFilter } from "../../../localnet/src/genlayer/rpc/log-filter.ts";

const LOG: EvmLog = {
  address: "0x00000000000000000000000000000000000000AA",
  topics: ["0x01", "0x02"],
  data: "0x",
  blockNumber: "0x1",
  blockHash: "0x",
  transactionHash: "0x",
  transactionIndex: "0x0",
  logIndex: "0x0",
  removed: false,
};

describe("a filter of logs", () => {
  const matches = (filter: Record<string, unknown>): boolean => parseLogFilter(filter, 7).matches(LOG);

  it("covers the latest block alone unless it says otherwise", () => {
    expect(parseLogFilter({}, 7)).to.include({ fromBlock: 7, toBlock: 7 });
    expect(parseLogFilter({ fromBlock: "earliest", toBlock: "0x5" }, 7)).to.include({
      fromBlock: 0,
      toBlock: 5,
    });
  });

  it("matches any of several, anything for null, and addresses in any case", () => {
    expect(matches({})).to.equal(true);
    expect(matches({ address: LOG.address.toLowerCase(), topics: [null, ["0x03", "0x02"]] })).to.equal(true);
    expect(matches({ address: ["0xbb", LOG.address] })).to.equal(true);
  });

  it("does not match another address, another topic, or a topic that the log lacks", () => {
    expect(matches({ address: "0xbb" })).to.equal(false);
    expect(matches({ topics: ["0x02"] })).to.equal(false);
    expect(matches({ topics: [null, null, "0x03"] })).to.equal(false);
    expect(matches({ topics: [[]] })).to.equal(false);
  });

  it("is refused when it is none", () => {
    for (const bad of [
      { fromBlock: 7 },
      { toBlock: "now" },
      { topics: "0x01" },
      { topics: [1] },
      { address: 1 },
    ]) {
      expect(() => parseLogFilter(bad, 7))
        .to.throw(RpcError)
        .with.property("code", -32602);
    }
  });
});
