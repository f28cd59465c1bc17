import { expect } from "chai";
import {
  buildSubgraph,
  placeSubgraph,
  startGraphNode,
  startPostgres,
  type GraphNode,
  type Postgres,
} from "../../../localnet/src/graph/index.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../../../localnet/src/process/index.ts";
import { readChainLogs, readHead, type Contracts } from "./chain.ts";
import { recount, type Entity } from "./recount.ts";

const PAGE = 1000;

/** A real graph-node on a real PostgreSQL that indexes one chain. */
export class IndexUnderTest {
  readonly rpcUrl: string;
  readonly contracts: Contracts;
  readonly startBlock: number;
  readonly #postgres: Postgres;
  readonly #folder: TemporaryFolder;
  readonly #manifest: string;
  #graph: GraphNode;
  #databases = 0;

  private constructor(
    chain: { rpcUrl: string; contracts: Contracts; startBlock: number },
    parts: { postgres: Postgres; folder: TemporaryFolder; manifest: string; graph: GraphNode },
  ) {
    this.rpcUrl = chain.rpcUrl;
    this.contracts = chain.contracts;
    this.startBlock = chain.startBlock;
    this.#postgres = parts.postgres;
    this.#folder = parts.folder;
    this.#manifest = parts.manifest;
    this.#graph = parts.graph;
  }

  /** @param postgres - Whose server to use; the caller's to stop. One is started when it is left out. */
  static async start(rpcUrl: string, contracts: Contracts, startBlock: number): Promise<IndexUnderTest> {
    const [compiled, postgres, folder] = await Promise.all([
      buildSubgraph(),
      startPostgres(),
      createTemporaryFolder("index"),
    ]);
    const target = { network: "localhost", ...contracts, startBlock };
    const manifest = await placeSubgraph(compiled, target, folder.path);
    const graph = await startGraphNode({ postgresUrl: postgres.url, evmRpcUrl: rpcUrl, manifest });
    return new IndexUnderTest({ rpcUrl, contracts, startBlock }, { postgres, folder, manifest, graph });
  }

  get graph(): GraphNode {
    return this.#graph;
  }

  /** Stops graph-node and starts it again on the same database, as after a crash or an update. */
  async restart(): Promise<void> {
    await this.#graph.stop();
    this.#graph = await startGraphNode({
      postgresUrl: this.#postgres.url,
      evmRpcUrl: this.rpcUrl,
      manifest: this.#manifest,
    });
  }

  /** A second index of the same chain, from another block on; the caller stops it. */
  async startAnother(startBlock: number): Promise<GraphNode> {
    const name = `other_${++this.#databases}`;
    const target = { network: "localhost", ...this.contracts, startBlock };
    const manifest = await placeSubgraph(await buildSubgraph(), target, `${this.#folder.path}/${name}`);
    const postgresUrl = await this.#postgres.createDatabase(name);
    return startGraphNode({ postgresUrl, evmRpcUrl: this.rpcUrl, manifest });
  }

  /** Waits until the chain's head is indexed. */
  async catchUp(): Promise<void> {
    await this.#graph.waitForBlock(await readHead(this.rpcUrl));
  }

  query<T = Record<string, unknown>>(query: string): Promise<T> {
    return this.#graph.query<T>(query);
  }

  /** All entities of a collection, page by page, in the order of their ids. */
  async all(collection: string, fields: string[]): Promise<Entity[]> {
    const entities: Entity[] = [];
    for (;;) {
      const after = entities.at(-1)?.["id"] ?? "0x";
      const page = await this.query<Record<string, Entity[]>>(
        `{ ${collection}(first: ${PAGE}, orderBy: id, where: { id_gt: "${after}" }) { ${fields.join(" ")} } }`,
      );
      entities.push(...page[collection]!);
      if (page[collection]!.length < PAGE) return entities;
    }
  }

  /** Fails unless the index holds exactly what a recount of the chain's logs says. */
  async expectToMatchTheChain(): Promise<void> {
    await this.catchUp();
    const logs = await readChainLogs(this.rpcUrl, this.contracts);
    for (const [collection, expected] of Object.entries(recount(logs, this.contracts.escrow.toLowerCase()))) {
      const [sample] = expected;
      const fields = sample === undefined ? ["id"] : Object.keys(sample);
      expect(await this.all(collection, fields), collection).to.deep.equal(expected.toSorted(byId));
    }
  }

  async stop(): Promise<void> {
    await this.#graph.stop();
    await this.#postgres.stop();
    await this.#folder.remove();
  }
}

function byId(left: Entity, right: Entity): number {
  return String(left["id"]) < String(right["id"]) ? -1 : 1;
}
