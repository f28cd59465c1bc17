import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Interface } from "ethers";
import { startEvm, type Evm } from "../../../localnet/src/evm/index.ts";
import type { BlockReference } from "../../../localnet/src/graph/index.ts";
import { CONTRACTS, decodeLog, encodeLog, type ChainLog, type Log, type RpcLog } from "./logs.ts";

const EMITTER = new Interface(["function emitLogs((address emitter, bytes32[] topics, bytes data)[] logs)"]);

/** The contracts of one index. */
export interface Contracts {
  escrow: string;
  quorum: string;
  evaluator: string;
  gate: string;
}

export async function rpc<T>(url: string, method: string, ...params: unknown[]): Promise<T> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** All logs of the contracts up to the head, decoded, in order. */
export async function readChainLogs(rpcUrl: string, contracts: Contracts): Promise<ChainLog[]> {
  const addresses = CONTRACTS.map((name) => [name, contracts[name]] as const);
  const address = addresses.map(([, own]) => own);
  const logs = await rpc<RpcLog[]>(rpcUrl, "eth_getLogs", { fromBlock: "0x0", toBlock: "latest", address });
  const times = new Map<string, Promise<number>>();
  const timeOf = (number: string): Promise<number> => {
    const known = times.get(number) ?? readTime(rpcUrl, number);
    times.set(number, known);
    return known;
  };
  return Promise.all(
    logs.map(async (log) => {
      const [contract] = addresses.find(([, own]) => own.toLowerCase() === log.address.toLowerCase())!;
      return decodeLog(contract, log, await timeOf(log.blockNumber));
    }),
  );
}

async function readTime(rpcUrl: string, number: string): Promise<number> {
  return Number((await rpc<{ timestamp: string }>(rpcUrl, "eth_getBlockByNumber", number, false)).timestamp);
}

export async function readHead(rpcUrl: string): Promise<BlockReference> {
  const { number, hash } = await rpc<{ number: string; hash: string }>(
    rpcUrl,
    "eth_getBlockByNumber",
    "latest",
    false,
  );
  return { number: Number(number), hash };
}

/** A real chain on which any logs can be emitted, in any grouping, in the name of any contract. */
export class LogChain {
  readonly evm: Evm;
  readonly contracts: Contracts;
  readonly #sender: string;

  private constructor(evm: Evm, contracts: Contracts) {
    this.evm = evm;
    this.contracts = contracts;
    this.#sender = evm.accounts[0]!.address;
  }

  static async start(): Promise<LogChain> {
    const evm = await startEvm({ blockTimeSeconds: 0 });
    const contracts = {
      escrow: `0x${"e5".repeat(20)}`,
      quorum: `0x${"90".repeat(20)}`,
      evaluator: `0x${"e8".repeat(20)}`,
      gate: `0x${"9a".repeat(20)}`,
    };
    const code = compileEmitter();
    for (const address of Object.values(contracts)) await rpc(evm.rpcUrl, "anvil_setCode", address, code);
    await rpc(evm.rpcUrl, "evm_setAutomine", false);
    return new LogChain(evm, contracts);
  }

  /**
   * Mines one block: each list of logs is a transaction.
   *
   * @param secondsLater - How much later than the previous block, 1 by default.
   */
  async mine(transactions: Log[][], secondsLater = 1): Promise<void> {
    const { rpcUrl } = this.evm;
    await rpc(rpcUrl, "evm_setNextBlockTimestamp", (await readTime(rpcUrl, "latest")) + secondsLater);
    for (const logs of transactions) {
      const records = logs.map((log) => ({ emitter: this.contracts[log.contract], ...encodeLog(log) }));
      await rpc(rpcUrl, "eth_sendTransaction", {
        from: this.#sender,
        to: this.contracts.escrow,
        data: EMITTER.encodeFunctionData("emitLogs", [records]),
      });
    }
    await rpc(rpcUrl, "evm_mine");
    const { transactions: mined } = await rpc<{ transactions: string[] }>(
      rpcUrl,
      "eth_getBlockByNumber",
      "latest",
      false,
    );
    if (mined.length !== transactions.length) {
      throw new Error(`the block took ${mined.length} of ${transactions.length} transactions`);
    }
  }

  readLogs(): Promise<ChainLog[]> {
    return readChainLogs(this.evm.rpcUrl, this.contracts);
  }

  readHead(): Promise<BlockReference> {
    return readHead(this.evm.rpcUrl);
  }

  stop(): Promise<void> {
    return this.evm.stop();
  }
}

interface Solc {
  compile(input: string): string;
}

let emitterCode: string | undefined;

/** The compiler takes a second to load, so it is asked once for all chains. */
function compileEmitter(): string {
  emitterCode ??= compile();
  return emitterCode;
}

function compile(): string {
  const solc = createRequire(import.meta.url)("solc") as Solc;
  const content = readFileSync(new URL("LogEmitter.sol", import.meta.url), "utf8");
  const output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: "Solidity",
        sources: { "LogEmitter.sol": { content } },
        settings: { outputSelection: { "*": { "*": ["evm.deployedBytecode.object"] } } },
      }),
    ),
  ) as { contracts: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>> };
  return `0x${output.contracts["LogEmitter.sol"]!["LogEmitter"]!.evm.deployedBytecode.object}`;
}
