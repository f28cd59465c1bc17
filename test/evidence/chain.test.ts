import { expect } from "chai";
import type { Address, Hex } from "@assay/protocol";
import { createChain } from "@assay/evidence";
import { serve, type Served } from "./support/serve.ts";

const ESCROW: Address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const ID: Hex = `0x${"ab".repeat(32)}`;
const LIMIT = 1_000;

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: [{ fromBlock: string; toBlock: string }];
}

describe("searching a chain for an agreement", () => {
  let node: Served;
  let searched: [number, number][];

  before(async () => {
    // A node that searches a thousand blocks at once, as public ones do, and has a log in every ten-thousandth.
    node = await serve((_path, body) => {
      const { id, method, params } = JSON.parse(body) as Request;
      if (method === "eth_blockNumber") return JSON.stringify({ jsonrpc: "2.0", id, result: "0x9c40" });
      const [from, to] = [Number(params[0].fromBlock), Number(params[0].toBlock)];
      if (to - from >= LIMIT) {
        const error = { code: -32600, message: "exceed maximum block range" };
        return JSON.stringify({ jsonrpc: "2.0", id, error });
      }
      searched.push([from, to]);
      const result = [10_000, 20_000, 30_000, 40_000]
        .filter((block) => block >= from && block <= to)
        .map((block) => ({
          address: ESCROW,
          topics: [ID],
          data: "0x",
          transactionHash: `0x${block.toString(16).padStart(64, "0")}`,
        }));
      return JSON.stringify({ jsonrpc: "2.0", id, result });
    });
  });
  beforeEach(() => (searched = []));
  after(() => node.stop());

  it("halves the range until the node takes it, and covers every block once, in order", async () => {
    const found = await createChain(node.url).transactionsAbout(ESCROW, ID, 5);
    expect(found.map(Number)).to.deep.equal([10_000, 20_000, 30_000, 40_000]);
    expect(searched[0]?.[0]).to.equal(5);
    expect(searched.at(-1)?.[1]).to.equal(40_000);
    for (const [index, [from]] of searched.entries())
      if (index > 0) expect(from).to.equal((searched[index - 1]?.[1] ?? 0) + 1);
  });

  it("does not search before the first block given", async () => {
    const found = await createChain(node.url).transactionsAbout(ESCROW, ID, 39_500);
    expect(found.map(Number)).to.deep.equal([40_000]);
    expect(searched).to.deep.equal([[39_500, 40_000]]);
  });
});
