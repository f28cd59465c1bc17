import { createAccount, createClient } from "genlayer-js";
import { localnet, testnetBradbury } from "genlayer-js/chains";
import type { GenLayerClient, GenLayerTransaction, TransactionHash } from "genlayer-js/types";

import type { ChainKind } from "../../../localnet/src/genlayer/kinds.ts";
import type { GenLayerNetwork } from "../../../localnet/src/genlayer/network.ts";

/** A contract for the scripted executor, which looks for the word alone. */
export const SOURCE = "# v0.2.16\nclass Contract: pass\n";

export type Account = ReturnType<typeof createAccount>;
export type Client = GenLayerClient<typeof localnet>;
type Chain = NonNullable<NonNullable<Parameters<typeof createClient>[0]>["chain"]>;

/** Unmodified genlayer-js on the network, with an account of its own. */
export function connect(network: GenLayerNetwork, account: Account = createAccount()): Client {
  const chain = network.kind === "studio" ? localnet : testnetBradbury;
  return createClient({
    chain: { ...chain, rpcUrls: { default: { http: [network.rpcUrl] } } } as Chain,
    account,
  });
}

/** One JSON-RPC call without any client. */
export async function rpc(
  network: { rpcUrl: string },
  method: string,
  ...params: unknown[]
): Promise<unknown> {
  const answer = await rpcRaw(network, method, ...params);
  if (answer.error !== undefined) throw Object.assign(new Error(answer.error.message), answer.error);
  return answer.result;
}

export interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export async function rpcRaw(
  network: { rpcUrl: string },
  method: string,
  ...params: unknown[]
): Promise<RpcAnswer> {
  const response = await fetch(network.rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return (await response.json()) as RpcAnswer;
}

/** What both chain kinds show of a transaction, under one name each. */
export interface Shown {
  readonly status: string;
  readonly result: string;
  readonly execution: string | undefined;
  readonly votes: readonly string[];
}

export async function shown(client: Client, kind: ChainKind, hash: TransactionHash): Promise<Shown> {
  const transaction = (await client.getTransaction({ hash })) as GenLayerTransaction & {
    result_name?: string;
    last_round?: { validator_votes_name: string[] };
  };
  return {
    status: String(transaction.statusName),
    result: String(kind === "studio" ? transaction.result_name : transaction.resultName),
    execution: transaction.txExecutionResultName,
    votes:
      (kind === "studio"
        ? transaction.last_round?.validator_votes_name
        : (transaction.lastRound?.validatorVotesName as string[] | undefined)) ?? [],
  };
}

/** Polls until the transaction is shown with this status. */
export async function reaches(
  client: Client,
  kind: ChainKind,
  hash: TransactionHash,
  status: string,
  milliseconds = 10_000,
): Promise<Shown> {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const now = await shown(client, kind, hash);
    if (now.status === status) return now;
    if (Date.now() > deadline) throw new Error(`${hash} is ${JSON.stringify(now)}, not ${status}`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

/** Seconds; long enough to look at an accepted transaction, and {@link finalizes} does not wait it out. */
export const FINALITY_WINDOW = 4;

const DECIDED = new Set([
  "ACCEPTED",
  "UNDETERMINED",
  "LEADER_TIMEOUT",
  "VALIDATORS_TIMEOUT",
  "READY_TO_FINALIZE",
]);

/** Moves the network's clock until the transaction is final. */
export async function finalizes(
  network: GenLayerNetwork,
  client: Client,
  hash: TransactionHash,
  milliseconds = 10_000,
): Promise<Shown> {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const now = await shown(client, network.kind, hash);
    if (now.status === "FINALIZED") return now;
    if (DECIDED.has(now.status)) await rpc(network, "localnet_advanceTime", FINALITY_WINDOW);
    if (Date.now() > deadline) throw new Error(`${hash} is ${JSON.stringify(now)}, not FINALIZED`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

/** Deploys a contract for the scripted executor and waits until it is final. */
export async function deploy(
  network: GenLayerNetwork,
  client: Client,
  value = "first",
): Promise<`0x${string}`> {
  const hash = (await client.deployContract({
    code: SOURCE,
    args: [value],
    leaderOnly: false,
  })) as TransactionHash;
  await finalizes(network, client, hash);
  return await contractOf(network, hash);
}

/** The contract of a transaction, from the network's own log. */
export async function contractOf(network: GenLayerNetwork, txId: string): Promise<`0x${string}`> {
  const logs = (await rpc(network, "eth_getLogs", { fromBlock: "0x0", topics: [null, txId] })) as {
    topics: string[];
  }[];
  return `0x${logs[0]!.topics[2]!.slice(26)}`;
}
