import { expect } from "chai";
import {
  RpcResponseError,
  RpcUnavailableError,
  createProvider,
  createRpcPool,
  type Provider,
} from "../../../oracle/src/rpc/index.ts";
import { rejection } from "../support/rejection.ts";

type Answer = (method: string, parameters: readonly unknown[]) => unknown;

function endpoint(name: string, answer: Answer): Provider {
  return createProvider(
    {
      origin: `https://${name}.example`,
      send: (method, parameters) => Promise.resolve().then(() => answer(method, parameters)),
    },
    { chain: "evm", chainId: 1 },
  );
}

const down: Answer = (method) => {
  throw new RpcUnavailableError("https://down.example", method, "gave no answer");
};
const refuses =
  (message: string): Answer =>
  (method) => {
    throw new RpcResponseError("https://refusing.example", method, -32000, message, null);
  };
const says =
  (value: unknown): Answer =>
  () =>
    value;

const pool = (...answers: Answer[]) =>
  createRpcPool(
    answers.map((answer, index) => endpoint(`e${index}`, answer)),
    2,
  );

describe("a pool of endpoints", () => {
  it("believes what two of them say alike, however it is spelled", async () => {
    const answers = [says([{ data: "0xAB", topics: [] }]), says([{ topics: [], data: "0xab" }]), says([])];
    const believed = JSON.stringify(await pool(...answers).send("eth_getLogs", [{}])).toLowerCase();
    expect(JSON.parse(believed)).to.deep.equal([{ data: "0xab", topics: [] }]);
  });

  it("believes nobody when no two agree on what can lead to money", async () => {
    for (const [method, parameters] of [
      ["eth_getLogs", [{}]],
      ["eth_call", [{}, "0x10"]],
      ["eth_getBlockByNumber", ["0x10", false]],
      ["eth_chainId", []],
      ["eth_getCode", ["0x", "latest"]],
      ["eth_getTransactionCount", ["0x", "0x10"]],
    ] as const) {
      const error = await rejection(pool(says("0x1"), says("0x2"), down).send(method, parameters));
      expect(error, method).to.be.instanceOf(RpcUnavailableError);
    }
  });

  it("goes as far as two of them have got, and takes that block only from agreement", async () => {
    const chain =
      (height: number): Answer =>
      (_method, [tag]) => {
        const number = tag === "latest" ? height : Number(tag);
        return number > height ? null : { number: `0x${number.toString(16)}`, hash: `0x${number}` };
      };
    expect(
      await pool(chain(12), chain(10), chain(11)).send("eth_getBlockByNumber", ["latest", false]),
    ).to.deep.equal({
      number: "0xb",
      hash: "0x11",
    });
    expect(
      await rejection(pool(chain(12), down, down).send("eth_getBlockByNumber", ["latest", false])),
    ).to.be.instanceOf(RpcUnavailableError);
  });

  it("takes a receipt from whoever has it, and null when nobody has and two say so", async () => {
    const receipt = { status: "0x1" };
    const ask = (...answers: Answer[]) => pool(...answers).send("eth_getTransactionReceipt", ["0x"]);
    expect(await ask(says(null), says(receipt))).to.equal(receipt);
    expect(await ask(says(null), says(null))).to.equal(null);
    expect(await ask(says(null), down, says(null))).to.equal(null);
    expect(await rejection(ask(says(null), down))).to.be.instanceOf(RpcUnavailableError);
  });

  it("finds out an endpoint of another chain, does without it, and takes it back when it is right again", async () => {
    let chain = "0x38";
    const wanderer: Answer = (method) => (method === "eth_chainId" ? chain : "0x6001");
    const endpoints = [wanderer, says("0x1"), says("0x1")].map((answer, index) =>
      endpoint(`e${index}`, answer),
    );
    const together = createRpcPool(endpoints, 2);
    expect(await together.send("eth_chainId", [])).to.equal("0x1");
    expect(endpoints[0]?.state().status).to.equal("wrongChain");
    expect(await together.send("eth_getCode", ["0x", "latest"])).to.equal("0x1");
    chain = "0x1";
    await together.send("eth_chainId", []);
    expect(endpoints[0]?.state().status).to.equal("alive");
  });

  it("sends transactions to all, and is content with one that takes them", async () => {
    const seen: string[] = [];
    const taking: Answer = (method) => {
      seen.push(method);
      return "0xhash";
    };
    expect(
      await pool(refuses("nonce too low"), taking, down).send("eth_sendRawTransaction", ["0x"]),
    ).to.equal("0xhash");
    expect(seen).to.have.length(1);
    const error = (await rejection(
      pool(down, refuses("nonce too low")).send("eth_sendRawTransaction", ["0x"]),
    )) as Error;
    expect(error.message).to.include("nonce too low");
  });

  it("takes the count of an account's transactions that two of them have reached", async () => {
    const count = (...answers: Answer[]) =>
      pool(...answers).send("eth_getTransactionCount", ["0x", "latest"]);
    expect(await count(says("0x3"), says("0x5"), says("0x5"))).to.equal("0x5");
    expect(await count(says("0xffff"), says("0x5"), says("0x4"))).to.equal("0x5");
    expect(await rejection(count(says("0x5"), down, down))).to.be.instanceOf(RpcUnavailableError);
  });

  it("asks the next endpoint for what only paces or prices", async () => {
    expect(await pool(down, says("0x7")).send("eth_gasPrice", [])).to.equal("0x7");
    // One endpoint that refuses can't stop a delivery that another one finds possible.
    expect(await pool(refuses("execution reverted"), says("0x7")).send("eth_estimateGas", [{}])).to.equal(
      "0x7",
    );
    expect(
      ((await rejection(pool(refuses("execution reverted"), down).send("eth_estimateGas", [{}]))) as Error)
        .message,
    ).to.include("execution reverted");
  });

  it("asks no more endpoints than have to agree, and a third one when two differ", async () => {
    const asked: string[] = [];
    const tells =
      (name: string, value: unknown): Answer =>
      () => {
        asked.push(name);
        return value;
      };
    const alike = pool(tells("a", "0x1"), tells("b", "0x1"), tells("c", "0x1"));
    await alike.send("eth_getCode", ["0x", "latest"]);
    expect(asked).to.have.length(2);
    asked.length = 0;
    await pool(tells("a", "0x1"), tells("b", "0x1"), tells("c", "0x2")).send("eth_getCode", ["0x", "latest"]);
    await pool(tells("a", "0x1"), tells("b", "0x2"), tells("c", "0x1")).send("eth_getCode", ["0x", "latest"]);
    expect(asked.length).to.be.greaterThan(4);
  });

  it("reports a refusal that two share as the answer", async () => {
    const error = await rejection(
      pool(refuses("range too wide"), refuses("range too wide")).send("eth_getLogs", [{}]),
    );
    expect(error).to.be.instanceOf(RpcResponseError);
  });

  it("is the endpoint itself when there is only one, and nothing when there is none", () => {
    const only = endpoint("only", says("0x1"));
    expect(createRpcPool([only], 1)).to.equal(only);
    expect(() => createRpcPool([only], 2)).to.throw(RangeError, "a quorum of 2 among 1 endpoints");
    expect(() => createRpcPool([], 1)).to.throw(RangeError);
  });
});
