import { join } from "node:path";
import { Hono } from "hono";
import { computeAddress } from "ethers";
import {
  adjudicatorConfigOf,
  agreementIdOf,
  keccak256,
  utf8Encode,
  type Address,
  type Hex,
  type Terms,
} from "@assay/protocol";
import { createAnswers } from "../../oracle/src/answers/index.ts";
import { bareOperatorList } from "../../oracle/src/attest/index.ts";
import { loadConfig } from "../../oracle/src/config/index.ts";
import { createDocuments } from "../../oracle/src/documents/index.ts";
import { createApp, serve } from "../../oracle/src/http/index.ts";
import { createLogger, watchEventLoop } from "../../oracle/src/observe/index.ts";
import { createEvmChain, createJsonRpc } from "../../oracle/src/rpc/index.ts";
import { openSqliteStore, type LogRow, type Store } from "../../oracle/src/store/index.ts";

const ESCROW: Address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const QUORUM: Address = "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512";
const CHAIN_ID = 31_337;
/** Agreements that are committed together. */
const BATCH = 500;
/** Parties take part in this many agreements on average; the first seller in a tenth of all. */
const PER_PARTY = 20;
const KEY = (byte: string) => `0x${byte.repeat(32)}`;

const hashOf = (text: string): Hex => keccak256(utf8Encode(text));
const accountOf = (role: string, index: number): Address =>
  computeAddress(keccak256(utf8Encode(`${role} ${index}`))) as Address;

/** The real API on a store with many agreements, each with its events; nothing else runs in the process. */
export async function createAppForBench(folder: string, agreements: number) {
  const config = loadConfig({
    ASSAY_EVM_RPC_URL: "http://127.0.0.1:9",
    ASSAY_EVM_CHAIN_ID: String(CHAIN_ID),
    ASSAY_ESCROW: ESCROW,
    ASSAY_QUORUM: QUORUM,
    ASSAY_QUORUM_MEMBERS: computeAddress(KEY("a1")),
    ASSAY_GENLAYER_RPC_URL: "http://127.0.0.1:9",
    ASSAY_GENLAYER_NETWORK: "localnet",
    ASSAY_ALLOW_ENV_KEYS: "1",
    ASSAY_ATTESTER_KEY: KEY("a1"),
    ASSAY_SUBMITTER_KEY: KEY("b2"),
    ASSAY_RELAYER_KEY: KEY("c3"),
    ASSAY_HTTP_TRUSTED_PROXIES: "1",
  });
  const store = openSqliteStore(join(folder, "operator.sqlite"));
  const { ids, sellers } = await fill(store, agreements);
  const clock = { now: () => Date.now() };
  const logger = createLogger("silent");
  const [endpoint] = config.evm.endpoints;
  if (endpoint === undefined) throw new Error("no endpoint");
  const chain = createEvmChain({
    rpc: createJsonRpc(endpoint),
    ...{ chainId: CHAIN_ID, escrow: ESCROW, quorum: QUORUM, finality: "finalized" as const },
  });
  const view = () => null;
  const publicUrl = () => "http://127.0.0.1";
  const eventLoop = watchEventLoop();
  const app = createApp({
    ...{ config, store, clock, logger, view, publicUrl },
    operators: bareOperatorList(config),
    answers: createAnswers({ config, store, chain, clock, publicUrl, view }),
    documents: createDocuments({ store, clock, quotaBytes: 1_073_741_824, sources: [] }),
    operations: new Hono(),
    mcp: null,
    lateness: () => eventLoop.lateness(),
    haltReason: () => null,
  });
  const server = await serve(app, "127.0.0.1", 0);
  return {
    url: server.url,
    paths: pathsOf(ids, sellers),
    async close() {
      await server.close();
      eventLoop.stop();
      await store.close();
    },
  };
}

/** What readers ask: lists, single agreements, timelines, reputations of small and large parties. */
function pathsOf(ids: readonly Hex[], sellers: readonly Address[]): string[] {
  return Array.from({ length: 400 }, (_, index) => {
    const id = ids[(index * 97) % ids.length] ?? "";
    const seller = sellers[(index * 31) % sellers.length] ?? "";
    const choices = [
      `/v1/agreements/${id}`,
      `/v1/agreements/${id}/timeline`,
      `/v1/agreements?limit=20`,
      `/v1/agreements?limit=20&party=${seller}`,
      `/v1/agreements?limit=20&status=Released`,
      `/v1/reputation/${seller}?adjudications=all`,
      `/v1/hire/${seller}`,
      `/v1/parties?limit=50`,
      `/v1/operator`,
      index % 40 === 9 ? `/v1/reputation/${sellers[0] ?? ""}?adjudications=all` : `/v1/agreements/${id}`,
    ];
    return choices[index % choices.length] ?? "/v1/operator";
  });
}

async function fill(store: Store, count: number) {
  const parties = Math.max(2, Math.ceil(count / PER_PARTY));
  const buyers = Array.from({ length: parties }, (_, index) => accountOf("buyer", index));
  const sellers = Array.from({ length: parties }, (_, index) => accountOf("seller", index));
  const ids: Hex[] = [];
  for (let from = 0; from < count; from += BATCH) {
    const made = Array.from({ length: Math.min(BATCH, count - from) }, (_, offset) => {
      const index = from + offset;
      const terms: Terms = {
        buyer: buyers[index % parties] ?? ESCROW,
        seller: sellers[index % 10 === 0 ? 0 : (index * 7) % parties] ?? ESCROW,
        reward: 25_000_000n,
        agreementHash: hashOf(`agreement ${index}`),
        adjudicator: QUORUM,
        adjudicatorConfig: adjudicatorConfigOf([computeAddress(KEY("a1")) as Address], 1),
        deliverBy: 1_800_000_000,
        adjudicateBy: 1_800_010_000,
        noVerdictSellerBps: 5_000,
        salt: BigInt(index),
      };
      return { index, agreementId: agreementIdOf(terms, CHAIN_ID, ESCROW), terms };
    });
    ids.push(...made.map(({ agreementId }) => agreementId));
    await store.commit({
      at: 1,
      agreements: made.map(({ agreementId, terms }) => ({
        agreementId,
        terms,
        job: null,
        ignoredReason: null,
      })),
      blocks: made.map(({ index }) => ({
        number: index + 1,
        hash: hashOf(`block ${index}`),
        parent: hashOf(`block ${index - 1}`),
        timestamp: 1_790_000_000 + index,
      })),
      logs: made.flatMap(({ index, agreementId }) => logsOf(index, agreementId)),
    });
  }
  const last = { number: count, hash: hashOf(`block ${count - 1}`) };
  await store.commit({ at: 2, cursor: { ...last, final: { ...last, timestamp: 1_790_000_000 + count } } });
  return { ids, sellers };
}

/** Funded, accepted, and of ten agreements six passed, one failed, one expired, two are under way. */
function logsOf(index: number, agreementId: Hex): LogRow[] {
  const submissionHash = hashOf(`submission ${index}`);
  const ending =
    ["Released", "Refunded", "Expired", null][[0, 0, 0, 0, 0, 0, 1, 2, 3, 3][index % 10] ?? 3] ?? null;
  const names = [
    "Funded",
    "Accepted",
    ...(ending === "Released" || ending === "Refunded" ? ["Submitted"] : []),
    ...(ending === null ? [] : [ending]),
  ];
  return names.map((name, logIndex) => ({
    ...{ agreementId, name, logIndex, blockNumber: index + 1, blockHash: hashOf(`block ${index}`) },
    transactionHash: hashOf(`transaction ${index}`),
    data: { submissionHash, verdictHash: hashOf(`verdict ${index}`), sellerAmount: "0" },
  }));
}
