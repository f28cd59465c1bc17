import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { startEvm, type Evm } from "../../../localnet/src/evm/index.ts";
import {
  buildSubgraph,
  placeSubgraph,
  startPostgres,
  watchGraphNode,
  type BlockReference,
  type Postgres,
  type WatchedGraphNode,
} from "../../../localnet/src/graph/index.ts";
import { readHead, rpc } from "../../subgraph/support/chain.ts";

const ESCROW = `0x${"e5".repeat(20)}`;
const QUORUM = `0x${"90".repeat(20)}`;
const STALL_MILLISECONDS = 4_000;

describe("localnet graph-node under its watchdog", function () {
  this.timeout(90_000);
  let postgres: Postgres;
  let evm: Evm;
  let folder: string;
  let graph: WatchedGraphNode;
  const reasons: string[] = [];

  const mine = async (): Promise<BlockReference> => {
    await rpc(evm.rpcUrl, "evm_mine");
    return readHead(evm.rpcUrl);
  };
  const untilRestarts = async (count: number): Promise<void> => {
    while (graph.restarts < count) await delay(50);
  };

  before(async () => {
    [postgres, evm, folder] = await Promise.all([
      startPostgres(),
      startEvm({ blockTimeSeconds: 0 }),
      mkdtemp(join(tmpdir(), "assay-test-")),
    ]);
    await mine();
    const target = { network: "localhost", escrow: ESCROW, quorum: QUORUM, startBlock: 0 };
    const manifest = await placeSubgraph(await buildSubgraph(), target, folder);
    graph = await watchGraphNode(
      { postgresUrl: postgres.url, evmRpcUrl: evm.rpcUrl, manifest },
      {
        lookMilliseconds: 100,
        stallMilliseconds: STALL_MILLISECONDS,
        onRestart: (reason) => reasons.push(reason),
      },
    );
    await graph.waitForBlock(await mine());
  });
  after(async () => {
    await graph.stop();
    await Promise.all([postgres.stop(), evm.stop(), rm(folder, { recursive: true })]);
  });

  it("lets a healthy one be, though the chain stands still", async () => {
    await delay(STALL_MILLISECONDS + 500);
    expect(graph.restarts).to.equal(0);
  });

  it("is started again on its ports when it is killed, and answers as before", async () => {
    const { pid, queryUrl } = graph;
    process.kill(pid, "SIGKILL");
    await untilRestarts(1);
    expect(graph).to.include({ queryUrl });
    expect(graph.pid).to.not.equal(pid);
    await graph.waitForBlock(await mine());
    expect(reasons[0]).to.include("graph-node");
  });

  it("is waited for across a restart", async () => {
    process.kill(graph.pid, "SIGKILL");
    await graph.waitForBlock(await mine());
    await untilRestarts(2);
  });

  it("is started again when it stands still", async () => {
    process.kill(graph.pid, "SIGSTOP");
    await mine();
    await untilRestarts(3);
    await graph.waitForBlock(await mine());
    expect(reasons.at(-1)).to.equal(`graph-node has not moved for ${STALL_MILLISECONDS / 1000} s.`);
  });

  it("is started again when it stands on blocks that the chain took back", async () => {
    // Deeper than graph-node looks: it calls itself healthy, and stays.
    const tooDeep = 40;
    await rpc(evm.rpcUrl, "anvil_mine", `0x${(2 * tooDeep).toString(16)}`);
    await graph.waitForBlock(await readHead(evm.rpcUrl));
    await rpc(evm.rpcUrl, "anvil_reorg", tooDeep, []);
    const head = await mine();
    await untilRestarts(4);
    await graph.waitForBlock(head);
  });

  it("is given up when its database is gone for good", async () => {
    await postgres.stop();
    process.kill(graph.pid, "SIGKILL");
    const error = await graph.failed;
    expect(error.code).to.equal("CHILD_DIED");
    expect(error.message).to.equal("graph-node was started 5 times again without indexing a block.");
  });
});
