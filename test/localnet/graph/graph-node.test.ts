import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { startEvm, type Evm } from "../../../localnet/src/evm/index.ts";
import {
  buildSubgraph,
  placeSubgraph,
  startGraphNode,
  startPostgres,
  type BlockReference,
  type GraphNode,
  type Postgres,
} from "../../../localnet/src/graph/index.ts";
import { readHead, rpc } from "../../subgraph/support/chain.ts";

const ESCROW = `0x${"e5".repeat(20)}`;
const QUORUM = `0x${"90".repeat(20)}`;

const refusal = (attempt: Promise<unknown>): Promise<unknown> => attempt.catch((reason: unknown) => reason);

describe("localnet graph-node", function () {
  this.timeout(60_000);
  let postgres: Postgres;
  let evm: Evm;
  let folder: string;
  let manifest: string;
  let graph: GraphNode;

  const mine = async (): Promise<BlockReference> => {
    await rpc(evm.rpcUrl, "evm_mine");
    return readHead(evm.rpcUrl);
  };

  before(async () => {
    [postgres, evm, folder] = await Promise.all([
      startPostgres(),
      startEvm({ blockTimeSeconds: 0 }),
      mkdtemp(join(tmpdir(), "assay-test-")),
    ]);
    await mine();
    const target = { network: "localhost", escrow: ESCROW, quorum: QUORUM, startBlock: 0 };
    manifest = await placeSubgraph(await buildSubgraph(), target, folder);
    graph = await startGraphNode({ postgresUrl: postgres.url, evmRpcUrl: evm.rpcUrl, manifest });
  });
  after(async () => {
    await graph.stop();
    await Promise.all([postgres.stop(), evm.stop(), rm(folder, { recursive: true })]);
  });

  it("indexes up to a block, and answers queries at it", async () => {
    const head = await mine();
    await graph.waitForBlock(head);
    expect(
      await graph.query("{ _meta { block { number hash } hasIndexingErrors } escrows { id } }"),
    ).to.deep.equal({
      _meta: { block: head, hasIndexingErrors: false },
      escrows: [],
    });
  });

  it("passes a query's errors on", async () => {
    const error = await refusal(graph.query("{ nothing }"));
    expect(error).to.have.property("message").that.includes("nothing");
  });

  it("does not wait for a block that has left the chain", async () => {
    const { number } = await mine();
    const error = await refusal(graph.waitForBlock({ number, hash: `0x${"00".repeat(32)}` }));
    expect(error).to.have.property("code", "BAD_STATE");
    expect(error).to.have.property("message").that.includes("is no longer on the chain");
  });

  it("says where it stands when a block does not come in time", async () => {
    const head = await readHead(evm.rpcUrl);
    await graph.waitForBlock(head);
    const error = await refusal(graph.waitForBlock({ ...head, number: head.number + 1 }, 300));
    expect(error).to.include({
      code: "START_TIMEOUT",
      message: `graph-node did not reach block ${head.number + 1} within 0.3 s; it stands at block ${head.number}.`,
    });
  });

  it("refuses to start without a build", async () => {
    const error = await refusal(
      startGraphNode({
        postgresUrl: postgres.url,
        evmRpcUrl: evm.rpcUrl,
        manifest: join(folder, "absent.yaml"),
      }),
    );
    expect(error).to.have.property("code", "BAD_STATE");
    expect(error).to.have.property("hint").that.includes("npm run build");
  });

  it("refuses to start without its database", async () => {
    const postgresUrl = "postgresql://graph:graph@127.0.0.1:1/postgres";
    const error = await refusal(startGraphNode({ postgresUrl, evmRpcUrl: evm.rpcUrl, manifest }));
    expect(error).to.include({
      code: "BAD_STATE",
      message: "graph-node was not started: its database does not answer at 127.0.0.1:1.",
    });
  });

  it("refuses to start without its chain", async () => {
    const evmRpcUrl = "http://127.0.0.1:1";
    const error = await refusal(startGraphNode({ postgresUrl: postgres.url, evmRpcUrl, manifest }));
    expect(error).to.include({
      code: "BAD_STATE",
      message: "graph-node was not started: the chain does not answer at http://127.0.0.1:1.",
    });
  });

  it("tells when it is killed, also those who wait for a block", async () => {
    const postgresUrl = await postgres.createDatabase("killed");
    const other = await startGraphNode({ postgresUrl, evmRpcUrl: evm.rpcUrl, manifest });
    const waiting = refusal(other.waitForBlock({ number: 1_000_000, hash: "0x00" }));
    process.kill(other.pid, "SIGKILL");
    const told = { code: "CHILD_DIED", message: "graph-node ended unexpectedly (signal SIGKILL)." };
    expect(await other.failed).to.include(told);
    expect(await waiting).to.include(told);
    await other.stop();
  });
});
