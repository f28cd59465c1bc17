import { expect } from "chai";
import { createIngest, FinalityViolationError, type Ingest } from "../../../oracle/src/ingest/index.ts";
import { createLogger } from "../../../oracle/src/observe/index.ts";
import { RpcResponseError, createEvmChain } from "../../../oracle/src/rpc/index.ts";
import { openSqliteStore, type Store } from "../../../oracle/src/store/index.ts";
import { rejection } from "../support/rejection.ts";
import { CHAIN_ID, ESCROW, QUORUM, SimEvm } from "../support/sim-evm.ts";
import { hash } from "../support/states.ts";
import { ADDRESSES, dealOf } from "../support/world.ts";
import { adjudicatorConfigOf, type Hex } from "@assay/protocol";

describe("ingest", () => {
  let evm: SimEvm;
  let store: Store;
  let ingest: Ingest;
  let now: number;

  const create = (logRange = 1_000, startBlock = 0) =>
    createIngest({
      chain: createEvmChain({
        rpc: evm.rpc(),
        chainId: CHAIN_ID,
        escrow: ESCROW,
        quorum: QUORUM,
        finality: "finalized",
      }),
      store,
      clock: { now: () => now },
      logger: createLogger("silent"),
      jurisdiction: {
        chainId: CHAIN_ID,
        escrow: ESCROW,
        quorum: QUORUM,
        members: [ADDRESSES.attester],
        configHash: adjudicatorConfigOf([ADDRESSES.attester], 1),
        jobs: null,
      },
      startBlock,
      logRange,
      documentWindowSeconds: null,
      boundary: () => undefined,
    });

  beforeEach(() => {
    evm = new SimEvm();
    store = openSqliteStore(":memory:");
    now = 1_000;
    ingest = create();
  });
  afterEach(() => store.close());

  function fund(): Hex {
    return evm.fund(dealOf({ evm }).terms);
  }
  const stateOf = async (agreementId: Hex) =>
    (await store.submissionsOf(agreementId)).map(({ state }) => state.name);

  it("reads everything up to the newest block, and tells what of it is final", async () => {
    const view = await ingest.step();
    expect(view.latest.number).to.equal(evm.latest.number);
    expect(view.final.number).to.equal(evm.final.number);
    expect((await store.cursor())?.final.hash).to.equal(evm.final.hash);
  });

  it("observes a submission as soon as its block is there, with that block's hash", async () => {
    const agreementId = fund();
    evm.mine();
    evm.submit(agreementId, hash(0x51));
    evm.mine();
    await ingest.step();
    const [row] = await store.submissionsOf(agreementId);
    expect(row?.state.name).to.equal("OBSERVED");
    expect(row?.state.block).to.deep.equal({ number: evm.latest.number, hash: evm.latest.hash });
    expect(row?.state.submittedAt).to.equal(evm.latest.timestamp);
  });

  it("gives the document half of what is left until the end of the adjudication window", async () => {
    const agreementId = fund();
    evm.submit(agreementId, hash(0x51));
    evm.mine();
    await ingest.step();
    const [row] = await store.submissionsOf(agreementId);
    const { submittedAt, documentsBy, adjudicateBy } = row!.state;
    expect(documentsBy - submittedAt).to.equal(Math.floor((adjudicateBy - submittedAt) / 2));
  });

  it("sees each submission once, in however many steps the chain is read", async () => {
    const ids: Hex[] = [];
    for (let index = 0; index < 10; index++) {
      const id = fund();
      evm.submit(id, hash(0x51));
      ids.push(id);
      evm.mine(2);
      if (index % 3 === 0) await ingest.step();
    }
    await ingest.step();
    await ingest.step();
    for (const id of ids) expect(await stateOf(id)).to.deep.equal(["OBSERVED"]);
  });

  it("catches up over final blocks in ranges", async () => {
    const agreementId = fund();
    evm.submit(agreementId, hash(0x51));
    evm.mine(60);
    ingest = create(7);
    evm.calls.clear();
    await ingest.step();
    expect(await stateOf(agreementId)).to.deep.equal(["OBSERVED"]);
    expect(evm.calls.get("eth_getLogs")).to.be.lessThan(30);
  });

  it("halves a range that the endpoint finds too wide", async () => {
    const agreementId = fund();
    evm.submit(agreementId, hash(0x51));
    evm.mine(64);
    const widths: number[] = [];
    evm.fault = (method, [filter]) => {
      if (method !== "eth_getLogs") return undefined;
      const { fromBlock, toBlock } = filter as { fromBlock?: string; toBlock?: string };
      if (fromBlock === undefined) return undefined;
      const width = Number(toBlock) - Number(fromBlock) + 1;
      widths.push(width);
      if (width > 10)
        throw new RpcResponseError(
          "sim://evm",
          method,
          -32005,
          "query returned more than 10000 results",
          null,
        );
      return undefined;
    };
    await ingest.step();
    expect(await stateOf(agreementId)).to.deep.equal(["OBSERVED"]);
    expect(Math.min(...widths)).to.be.lessThan(11);
  });

  it("begins at the start block, and ignores a submission whose funding is before it", async () => {
    const early = fund();
    evm.mine();
    const start = evm.latest.number + 1;
    evm.submit(early, hash(0x51));
    evm.mine(5);
    ingest = create(1_000, start);
    await ingest.step();
    expect(await stateOf(early)).to.deep.equal([]);
  });

  it("orphans what a reorganisation removes, and observes it again where it comes back", async () => {
    const agreementId = fund();
    evm.mine(3);
    await ingest.step();
    evm.submit(agreementId, hash(0x51));
    evm.mine();
    await ingest.step();
    evm.reorg(1);
    evm.mine(2);
    await ingest.step();
    expect(await stateOf(agreementId)).to.deep.equal(["ORPHANED"]);
    evm.submit(agreementId, hash(0x51));
    evm.mine();
    await ingest.step();
    expect(await stateOf(agreementId)).to.deep.equal(["OBSERVED"]);
    expect((await store.submissionsOf(agreementId))[0]?.state.block.hash).to.equal(evm.latest.hash);
  });

  it("never lets one submission stand for another after a reorganisation", async () => {
    const agreementId = fund();
    evm.mine(3);
    await ingest.step();
    evm.submit(agreementId, hash(0x51));
    evm.mine();
    await ingest.step();
    evm.reorg(1);
    evm.submit(agreementId, hash(0x52));
    evm.mine(2);
    await ingest.step();
    const rows = await store.submissionsOf(agreementId);
    expect(rows.map(({ state }) => [state.submissionHash, state.name])).to.have.deep.members([
      [hash(0x51), "ORPHANED"],
      [hash(0x52), "OBSERVED"],
    ]);
  });

  it("notices a reorganisation that leaves the height as it was", async () => {
    const agreementId = fund();
    evm.mine(3);
    evm.submit(agreementId, hash(0x51));
    evm.mine();
    await ingest.step();
    evm.reorg(1);
    evm.mine();
    await ingest.step();
    expect(await stateOf(agreementId)).to.deep.equal(["ORPHANED"]);
  });

  it("stops when a final block changes", async () => {
    await ingest.step();
    evm.mine(6);
    await ingest.step();
    const { final } = (await store.cursor())!;
    evm.reorg(5);
    evm.mine(9);
    const error = await rejection(ingest.step());
    expect(error).to.be.instanceOf(FinalityViolationError);
    expect((error as FinalityViolationError).blockNumber).to.equal(final.number);
  });

  it("does not go back when a replica knows less", async () => {
    evm.mine(5);
    await ingest.step();
    const before = await store.cursor();
    evm.fault = (method, [tag]) =>
      method === "eth_getBlockByNumber" && (tag === "latest" || tag === "finalized")
        ? headerAt(evm, 4)
        : undefined;
    await ingest.step();
    expect(await store.cursor()).to.deep.equal(before);
  });

  it("waits when a replica lacks a block that it announced", async () => {
    evm.mine(5);
    const missing = evm.latest.number - 1;
    evm.fault = (method, [tag]) =>
      method === "eth_getBlockByNumber" && Number(tag) === missing ? null : undefined;
    expect((await ingest.step()).latest.number).to.equal(missing - 1);
    evm.fault = () => undefined;
    expect((await ingest.step()).latest.number).to.equal(evm.latest.number);
  });

  it("refuses logs of blocks that are not on the chain", async () => {
    const agreementId = fund();
    evm.submit(agreementId, hash(0x51));
    evm.mine(6);
    let lies = true;
    evm.fault = (method, [tag]) =>
      lies && method === "eth_getBlockByNumber" && Number(tag) === evm.latest.number - 5
        ? { ...headerAt(evm, evm.latest.number - 5), hash: hash(0xee) }
        : undefined;
    const error = (await rejection(ingest.step())) as Error;
    expect(error.name).to.equal("RpcUnavailableError");
    lies = false;
    await ingest.step();
    expect(await stateOf(agreementId)).to.deep.equal(["OBSERVED"]);
  });

  it("closes what the parties settle, once that is final and not before", async () => {
    const agreementId = fund();
    evm.submit(agreementId, hash(0x51));
    evm.mine(4);
    evm.close(agreementId, "Conceded");
    evm.mine();
    await ingest.step();
    expect(await stateOf(agreementId)).to.deep.equal(["OBSERVED"]);
    evm.mine(evm.finalityDepth);
    await ingest.step();
    expect(await stateOf(agreementId)).to.deep.equal(["EXPIRED"]);
  });

  it("closes it likewise when finality jumps over what was read block by block", async () => {
    const agreementId = fund();
    evm.submit(agreementId, hash(0x51));
    evm.mine(4);
    evm.close(agreementId, "Conceded");
    evm.mine();
    await ingest.step();
    evm.mine(50);
    await ingest.step();
    expect(await stateOf(agreementId)).to.deep.equal(["EXPIRED"]);
  });

  it("finds in a second reading what a lagging replica left out of the first", async () => {
    const agreementId = fund();
    evm.mine(3);
    await ingest.step();
    evm.submit(agreementId, hash(0x51));
    evm.mine();
    evm.fault = (method) => (method === "eth_getLogs" ? [] : undefined);
    await ingest.step();
    evm.mine(2);
    await ingest.step();
    evm.fault = () => undefined;
    expect(await stateOf(agreementId)).to.deep.equal([]);
    evm.mine(100);
    await ingest.step();
    expect(await stateOf(agreementId)).to.deep.equal(["OBSERVED"]);
  });

  it("takes up a submission whose funding was left out at first, as soon as that is found", async () => {
    const agreementId = fund();
    evm.mine();
    const funding = evm.latest.hash;
    evm.fault = (method, parameters) => {
      if (method !== "eth_getLogs") return undefined;
      const before = evm.fault;
      evm.fault = () => undefined;
      const logs = evm.logsFor(parameters[0] as object) as { blockHash: string }[];
      evm.fault = before;
      return logs.filter(({ blockHash }) => blockHash !== funding);
    };
    await ingest.step();
    evm.submit(agreementId, hash(0x51));
    evm.mine();
    await ingest.step();
    expect(await stateOf(agreementId)).to.deep.equal([]);
    evm.fault = () => undefined;
    evm.mine(30);
    await ingest.step();
    expect(await stateOf(agreementId)).to.deep.equal(["OBSERVED"]);
  });

  it("ends a submission that is found only after the log of its end", async () => {
    const agreementId = fund();
    evm.mine();
    evm.submit(agreementId, hash(0x51));
    evm.mine();
    const submitted = evm.latest.hash;
    evm.fault = (method, parameters) => {
      if (method !== "eth_getLogs") return undefined;
      const logs = evm.logsFor(parameters[0] as object) as { blockHash: string }[];
      return logs.filter(({ blockHash }) => blockHash !== submitted);
    };
    await ingest.step();
    evm.close(agreementId, "Conceded");
    evm.mine();
    await ingest.step();
    expect(await stateOf(agreementId)).to.deep.equal([]);
    evm.fault = () => undefined;
    evm.mine(30);
    await ingest.step();
    expect(await stateOf(agreementId)).to.deep.equal(["EXPIRED"]);
  });

  it("asks for the logs of no block whose filter rules them out", async () => {
    fund();
    evm.mine();
    await ingest.step();
    evm.calls.clear();
    for (let block = 0; block < 20; block++) {
      evm.mine();
      await ingest.step();
    }
    // The second reading of final blocks is all that is left.
    expect(evm.calls.get("eth_getLogs") ?? 0).to.be.at.most(1);
    expect(evm.calls.get("eth_getBlockByNumber")).to.be.at.most(41);
  });

  it("asks every block for its logs where the chain keeps no filters", async () => {
    const empty = `0x${"00".repeat(256)}`;
    evm.fault = (method, parameters) => {
      if (method !== "eth_getBlockByNumber") return undefined;
      const block = evm.answer(method, parameters) as object | null;
      return block === null ? null : { ...block, logsBloom: empty };
    };
    const agreementId = fund();
    evm.mine();
    await ingest.step();
    evm.submit(agreementId, hash(0x51));
    evm.mine();
    await ingest.step();
    expect(await stateOf(agreementId)).to.deep.equal(["OBSERVED"]);
  });

  it("refuses a funding whose id is not the digest of its terms", async () => {
    const agreementId = fund();
    evm.mine(4);
    evm.fault = (method, parameters) => {
      if (method !== "eth_getLogs") return undefined;
      const before = evm.fault;
      evm.fault = () => undefined;
      const logs = structuredClone(evmLogs(evm, parameters));
      evm.fault = before;
      for (const log of logs) if (log.topics[1] === agreementId) log.topics[1] = hash(0xee);
      return logs;
    };
    expect(((await rejection(ingest.step())) as Error).message).to.match(/is not the digest of its terms/);
  });
});

function headerAt(evm: SimEvm, number: number): Record<string, unknown> {
  const block = evm.blockAt(number);
  return {
    number: `0x${number.toString(16)}`,
    hash: block.hash,
    parentHash: block.parentHash,
    timestamp: `0x${block.timestamp.toString(16)}`,
  };
}

function evmLogs(evm: SimEvm, parameters: readonly unknown[]): { topics: string[] }[] {
  return evm.logsFor(parameters[0] as object) as { topics: string[] }[];
}
