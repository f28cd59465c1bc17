import { expect } from "chai";
import {
  RpcResponseError,
  RpcUnavailableError,
  createProvider,
  type RpcCall,
} from "../../../oracle/src/rpc/index.ts";
import { rejection } from "../support/rejection.ts";

const ORIGIN = "https://node.example";

describe("an endpoint with a memory", () => {
  let now: number;
  let wall: number;
  let answer: (method: string) => unknown;
  let asked: string[];
  let observed: RpcCall[];
  beforeEach(() => {
    now = 0;
    wall = 1_000_000;
    asked = [];
    observed = [];
    answer = () => "0x1";
  });

  const create = () =>
    createProvider(
      {
        origin: ORIGIN,
        send: (method) =>
          Promise.resolve().then(() => {
            asked.push(method);
            return answer(method);
          }),
      },
      {
        chain: "evm",
        chainId: 1,
        observe: (call) => void observed.push(call),
        now: () => wall,
        monotonic: () => now,
      },
    );
  const silent = () => {
    throw new RpcUnavailableError(ORIGIN, "eth_call", "failed: no answer in time");
  };
  const limits = (retryAfter: number | null) => () => {
    throw new RpcUnavailableError(ORIGIN, "eth_call", "answered HTTP 429", retryAfter, { isRateLimit: true });
  };
  const call = (provider = create()) => provider.send("eth_call", []);

  it("is unknown until it was asked, and alive once it answered", async () => {
    const provider = create();
    expect(provider.state()).to.include({ chain: "evm", provider: ORIGIN, status: "unknown", failures: 0 });
    await call(provider);
    expect(provider.state().status).to.equal("alive");
  });

  it("is left alone after five failures in a row, without being asked", async () => {
    const provider = create();
    answer = silent;
    for (let failure = 0; failure < 5; failure++) await rejection(call(provider));
    expect(provider.state()).to.include({ status: "unreachable", failures: 5 });
    const before = asked.length;
    const error = (await rejection(call(provider))) as Error;
    expect(error.message).to.include("is left alone after 5 failures");
    expect(asked.length).to.equal(before);
  });

  it("is tried by one call at a time after a rest, which grows as long as it fails", async () => {
    const provider = create();
    answer = silent;
    for (let failure = 0; failure < 5; failure++) await rejection(call(provider));
    now += 2_000;
    const probes = await Promise.all([rejection(call(provider)), rejection(call(provider))]);
    expect(probes).to.have.length(2);
    expect(asked).to.have.length(6);
    now += 2_000;
    await rejection(call(provider));
    expect(asked, "the rest is four seconds now").to.have.length(6);
    now += 2_000;
    answer = () => "0x1";
    await call(provider);
    expect(provider.state()).to.include({ status: "alive", failures: 0 });
  });

  it("is not asked before the time that its Retry-After names", async () => {
    const provider = create();
    answer = limits(30_000);
    await rejection(call(provider));
    answer = () => "0x1";
    now += 29_999;
    const error = (await rejection(call(provider))) as RpcUnavailableError;
    expect(error.message).to.include("is left alone, as it asked");
    expect(error.retryAfter).to.equal(1);
    expect(asked).to.have.length(1);
    expect(provider.state().pausedUntil).to.equal(wall + 1);
    now += 1;
    expect(await call(provider)).to.equal("0x1");
  });

  it("waits longer and longer when it is limited without being told for how long", async () => {
    const provider = create();
    answer = limits(null);
    const pauses: number[] = [];
    for (let refusal = 0; refusal < 4; refusal++) {
      await rejection(call(provider));
      const until = provider.state().pausedUntil ?? wall;
      pauses.push(until - wall);
      now += until - wall;
    }
    expect(pauses).to.deep.equal([250, 500, 1_000, 2_000]);
  });

  it("takes a limit for no failure: it is not unreachable", async () => {
    const provider = create();
    answer = limits(1);
    for (let refusal = 0; refusal < 20; refusal++) {
      await rejection(call(provider));
      now += 5_000;
    }
    expect(provider.state()).to.include({ status: "alive", failures: 0 });
  });

  it("measures pauses by a clock that is never set", async () => {
    const provider = create();
    answer = limits(1_000);
    await rejection(call(provider));
    wall -= 3_600_000;
    answer = () => "0x1";
    now += 1_000;
    expect(await call(provider)).to.equal("0x1");
  });

  it("is asked for nothing while it answers for another chain, and taken back when it does not", async () => {
    const provider = create();
    answer = () => "0x38";
    await provider.send("eth_chainId", []);
    expect(provider.state().status).to.equal("wrongChain");
    expect(((await rejection(call(provider))) as Error).message).to.include("answers for another chain");
    expect(asked).to.deep.equal(["eth_chainId"]);
    answer = () => "0x1";
    await provider.send("eth_chainId", []);
    expect(await call(provider)).to.equal("0x1");
  });

  it("is out of sync when it trails its fellows, and stands still when its newest block stays the same", async () => {
    const provider = create();
    answer = () => ({ number: "0x64" });
    await provider.send("eth_getBlockByNumber", ["latest", false]);
    provider.compareWith(110);
    expect(provider.state()).to.include({ status: "alive", height: 100 });
    provider.compareWith(111);
    expect(provider.state().status).to.equal("outOfSync");
    provider.compareWith(100);
    now += 120_001;
    await provider.send("eth_getBlockByNumber", ["latest", false]);
    expect(provider.state().status).to.equal("standingStill");
    answer = () => ({ number: "0x65" });
    await provider.send("eth_getBlockByNumber", ["latest", false]);
    expect(provider.state().status).to.equal("alive");
  });

  it("tells of every call how it ended and how long it took", async () => {
    const provider = create();
    await call(provider);
    answer = () => {
      now += 250;
      throw new RpcResponseError(ORIGIN, "eth_call", 3, "execution reverted", "0x");
    };
    await rejection(call(provider));
    answer = silent;
    await rejection(call(provider));
    answer = limits(5);
    await rejection(call(provider));
    expect(observed.map(({ outcome }) => outcome)).to.deep.equal([
      "answered",
      "refused",
      "failed",
      "limited",
    ]);
    expect(observed[1]).to.deep.equal({
      chain: "evm",
      provider: ORIGIN,
      method: "eth_call",
      outcome: "refused",
      seconds: 0.25,
    });
  });
});
