import {
  AbiCoder,
  Transaction,
  getBytes,
  hexlify,
  id as topicOf,
  keccak256,
  recoverAddress,
  toUtf8Bytes,
  type TransactionLike,
} from "ethers";
import {
  adjudicatorConfigOf,
  agreementIdOf,
  certificatesIn,
  toHash,
  toTermsStruct,
  verdictDigest,
  type Address,
  type Hex,
  type Terms,
  type Verdict,
} from "@assay/protocol";
import {
  RpcResponseError,
  escrowInterface,
  quorumInterface,
  type JsonRpc,
} from "../../../oracle/src/rpc/index.ts";

import {
  COMMERCE,
  EVALUATOR,
  commerceInterface,
  type JobLog,
  type SimJob,
  type SimJobs,
} from "./sim-jobs.ts";

export const CHAIN_ID = 31_337;
export const ESCROW: Address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
export const QUORUM: Address = "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512";
const TOKEN: Address = "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0";

interface SimLog {
  /** The contract that emitted it, when that is not the escrow. */
  readonly address?: Address;
  readonly agreementId: Hex;
  readonly name: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly transactionHash: Hex;
  readonly submissionHash?: Hex;
}

interface SimBlock {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly timestamp: number;
  readonly logs: readonly SimLog[];
  readonly transactions: readonly {
    readonly hash: Hex;
    readonly succeeded: boolean;
    readonly from: string;
    readonly nonce: number;
  }[];
}

type SentTransaction = TransactionLike & {
  hash: Hex;
  from: string;
  to: Address;
  nonce: number;
  data: string;
  fee: bigint;
};

/** A delivery that the chain executed, for the ground truth of a test. */
export interface Settlement {
  readonly agreementId: Hex;
  readonly verdict: Verdict;
  readonly transactionHash: Hex;
}

/** An EVM chain with an escrow and a verdict quorum, in memory, that the test moves on block by block. */
export class SimEvm {
  readonly #terms = new Map<Hex, Terms>();
  readonly #mempool = new Map<string, SentTransaction>();
  readonly #sent = new Map<Hex, SentTransaction>();
  #blocks: SimBlock[];
  #forks = 0;
  /** Blocks by which `finalized` trails. */
  finalityDepth = 2;
  /** Logs of the next block by anybody but the operator. */
  #pending: SimLog[] = [];
  /** Whether broadcast transactions get into blocks. */
  includes = true;
  /** Every distinct set of bytes that a node was ever given. */
  readonly broadcast = new Set<Hex>();
  /** Calls by method, for tests that count. */
  readonly calls = new Map<string, number>();
  /** Set by tests: answers in place of the chain, or throws. Undefined lets the chain answer. */
  fault: (method: string, parameters: readonly unknown[]) => unknown = () => undefined;
  /** An ERC-8183 contract and its evaluator, on chains that have them. */
  jobs: SimJobs | null = null;

  constructor(timestamp = 1_800_000_000) {
    const genesis = toHash(keccak256(toUtf8Bytes("genesis")));
    this.#blocks = [{ number: 0, hash: genesis, parentHash: genesis, timestamp, logs: [], transactions: [] }];
    this.mine(3);
  }

  get latest(): SimBlock {
    return this.#blocks.at(-1)!;
  }

  get final(): SimBlock {
    return this.#blocks[Math.max(0, this.#blocks.length - 1 - this.finalityDepth)]!;
  }

  /** The settlements that stand on the chain now. */
  get settlements(): readonly Settlement[] {
    return this.#blocks.flatMap((block) =>
      block.logs.flatMap((log) => this.#executed.get(log.transactionHash) ?? []),
    );
  }
  readonly #executed = new Map<string, Settlement>();

  blockAt(number: number): SimBlock {
    return this.#blocks[number]!;
  }

  /** What `eth_getLogs` answers. */
  logsFor(filter: { fromBlock?: string; toBlock?: string; blockHash?: string }): unknown {
    return this.#logs(filter);
  }

  fund(terms: Terms): Hex {
    const agreementId = agreementIdOf(terms, CHAIN_ID, ESCROW);
    this.#terms.set(agreementId, terms);
    this.#emit("Funded", [agreementId, terms.buyer, terms.seller, toTermsStruct(terms)], agreementId);
    this.#emit("Accepted", [agreementId], agreementId);
    return agreementId;
  }

  submit(agreementId: Hex, submissionHash: Hex): void {
    this.#emit("Submitted", [agreementId, submissionHash], agreementId, submissionHash);
  }

  /** A client creates a job and pays for it. */
  createJob(job: SimJob): Hex {
    const key = this.jobs!.add(job);
    const { jobId, client, provider, evaluator, expiredAt, budget } = job;
    this.#emitJob("JobCreated", key, [jobId, client, provider, evaluator, expiredAt, COMMERCE]);
    if (budget > 0n) this.#emitJob("JobFunded", key, [jobId, client, budget]);
    return key;
  }

  submitJob(key: Hex, deliverable: Hex): void {
    const { jobId, provider } = this.jobs!.job(key);
    this.#emitJob("JobSubmitted", key, [jobId, provider, deliverable]);
  }

  /** Somebody else ends a job, or its client claims the refund. */
  endJob(key: Hex, name: "JobCompleted" | "JobRejected" | "JobExpired", by: Address, reason?: Hex): void {
    const { jobId } = this.jobs!.job(key);
    this.#emitJob(name, key, reason === undefined ? [jobId] : [jobId, by, reason]);
  }

  /** The job's status by the standard's numbers. */
  jobStatus(key: Hex): number {
    return this.jobs!.status(key, jobLogs(this.#blocks));
  }

  #emitJob(name: string, key: Hex, values: readonly unknown[]): void {
    const { topics, data } = commerceInterface.encodeEventLog(name, [...values]);
    const transactionHash = toHash(
      keccak256(toUtf8Bytes(`${name} ${key} ${this.latest.number} ${this.#forks} ${this.#pending.length}`)),
    );
    this.#pending.push({ address: COMMERCE, agreementId: key, name, topics, data, transactionHash });
  }

  /** The parties or the clock close the agreement. */
  close(agreementId: Hex, name: "Expired" | "Settled" | "Conceded"): void {
    const terms = this.#terms.get(agreementId)!;
    const values = name === "Conceded" ? [agreementId, terms.buyer] : [agreementId, 0n];
    this.#emit(name, values, agreementId);
  }

  /** Somebody else delivers this verdict. */
  settleByOther(
    agreementId: Hex,
    submissionHash: Hex,
    verdictHash: Hex,
    name: "Released" | "Refunded" = "Released",
  ): void {
    this.#emit(name, [agreementId, submissionHash, verdictHash], agreementId, submissionHash);
  }

  /** Adds blocks; chain time moves by `seconds` with each. */
  mine(count = 1, seconds = 1): void {
    for (let index = 0; index < count; index++) {
      const parent = this.latest;
      const number = parent.number + 1;
      const logs = [...this.#pending];
      this.#pending = [];
      const block: SimBlock = {
        number,
        hash: toHash(keccak256(toUtf8Bytes(`block ${number} fork ${this.#forks}`))),
        parentHash: parent.hash,
        timestamp: parent.timestamp + seconds,
        logs,
        transactions: [],
      };
      this.#blocks.push(this.includes ? this.#execute(block) : block);
    }
  }

  /**
   * Drops the newest blocks.
   *
   * @param keep whether what was in them waits for the next block, as it does on a chain; otherwise it is gone unless
   *   it is emitted or broadcast again.
   */
  reorg(depth: number, keep = false): void {
    this.#forks++;
    const dropped = this.#blocks.slice(-depth);
    this.#blocks = this.#blocks.slice(0, -depth);
    if (!keep) return;
    this.#pending = [
      ...dropped.flatMap(({ logs }) => logs.filter((log) => !this.#executed.has(log.transactionHash))),
      ...this.#pending,
    ];
    for (const { hash } of dropped.flatMap(({ transactions }) => transactions)) {
      const transaction = this.#sent.get(hash);
      if (transaction !== undefined)
        this.#mempool.set(`${transaction.from}:${transaction.nonce}`, transaction);
    }
  }

  /** A hash of a transaction that was broadcast and is in no block. */
  get waiting(): readonly Hex[] {
    return [...this.#mempool.values()].map((transaction) => transaction.hash);
  }

  /** The account's owner uses a nonce elsewhere. */
  burnNonce(account: Address): void {
    const from = account.toLowerCase();
    const nonce = this.#nonceOf(from);
    const hash = toHash(keccak256(toUtf8Bytes(`burnt ${from} ${nonce}`)));
    this.mine();
    const block = this.#blocks.pop()!;
    this.#blocks.push({
      ...block,
      transactions: [...block.transactions, { hash, succeeded: true, from, nonce }],
    });
  }

  /** Forgets what was broadcast, as nodes do under load. */
  dropMempool(): void {
    this.#mempool.clear();
  }

  #emit(name: string, values: readonly unknown[], agreementId: Hex, submissionHash?: Hex): void {
    const { topics, data } = escrowInterface.encodeEventLog(name, [...values]);
    const transactionHash = toHash(
      keccak256(toUtf8Bytes(`${name} ${agreementId} ${this.latest.number} ${this.#forks}`)),
    );
    this.#pending.push({
      agreementId,
      name,
      topics,
      data,
      transactionHash,
      ...(submissionHash === undefined ? {} : { submissionHash }),
    });
  }

  #execute(block: SimBlock): SimBlock {
    const logs = [...block.logs];
    const transactions = [];
    for (const [slot, transaction] of [...this.#mempool]) {
      if (transaction.nonce !== this.#nonceOf(transaction.from)) continue;
      if (transaction.fee < this.baseFee) continue;
      this.#mempool.delete(slot);
      const settlement = this.#execution(transaction, { ...block, logs });
      if (settlement !== null) {
        logs.push(settlement.log);
        this.#executed.set(transaction.hash, settlement.fact);
      }
      transactions.push({
        hash: transaction.hash,
        succeeded: settlement !== null,
        from: transaction.from,
        nonce: transaction.nonce,
      });
    }
    return { ...block, logs, transactions };
  }

  /** Price per gas below which nothing gets into a block. */
  baseFee = 1_000_000_000n;

  #execution(
    { to, data, hash }: Pick<SentTransaction, "to" | "data" | "hash">,
    at: SimBlock,
  ): { log: SimLog; fact: Settlement } | null {
    return to === EVALUATOR ? this.#evaluate(data, hash, at) : this.#deliver(data, hash, at);
  }

  #evaluate(data: string, transactionHash: Hex, at: SimBlock): { log: SimLog; fact: Settlement } | null {
    const ended = this.jobs?.deliver(data, at.timestamp, jobLogs([...this.#blocks, at])) ?? null;
    if (ended === null) return null;
    const { topics, data: logData } = commerceInterface.encodeEventLog(ended.name, ended.values);
    return {
      log: {
        address: COMMERCE,
        agreementId: ended.key,
        name: ended.name,
        topics,
        data: logData,
        transactionHash,
      },
      fact: { agreementId: ended.key, verdict: ended.verdict, transactionHash },
    };
  }

  /** The quorum's and the escrow's rules; null is a revert. */
  #deliver(data: string, transactionHash: Hex, at: SimBlock): { log: SimLog; fact: Settlement } | null {
    const [certificate] = certificatesIn(data as Hex, QUORUM, CHAIN_ID);
    if (certificate === undefined) return null;
    const { verdict, members, threshold, signatures } = certificate;
    const terms = this.#terms.get(verdict.agreementId);
    if (terms === undefined) return null;
    if (adjudicatorConfigOf(members, threshold) !== terms.adjudicatorConfig) return null;
    const digest = verdictDigest(verdict, CHAIN_ID, QUORUM);
    const signed = members.filter((member, index) => {
      const signature = signatures[index];
      return signature !== undefined && signature !== "0x" && recoverAddress(digest, signature) === member;
    });
    const state = this.#stateAt(verdict.agreementId, [...this.#blocks, at]);
    if (signed.length < threshold || at.timestamp > terms.adjudicateBy || verdict.notAfter < at.timestamp)
      return null;
    if (state.status !== 3 || state.prefix !== verdict.submissionHash.slice(0, 64)) return null;
    const name = verdict.outcome === 1 ? "Released" : verdict.outcome === 3 ? "Concluded" : "Refunded";
    const values = [
      verdict.agreementId,
      verdict.submissionHash,
      verdict.verdictHash,
      ...(name === "Concluded" ? [0n] : []),
    ];
    const { topics, data: logData } = escrowInterface.encodeEventLog(name, values);
    return {
      log: {
        agreementId: verdict.agreementId,
        name,
        topics,
        data: logData,
        transactionHash,
        submissionHash: verdict.submissionHash,
      },
      fact: { agreementId: verdict.agreementId, verdict, transactionHash },
    };
  }

  /** The escrow's status of an agreement, by its number. */
  statusOf(agreementId: Hex): number {
    return this.#stateAt(agreementId, this.#blocks).status;
  }

  #stateAt(agreementId: Hex, blocks: readonly SimBlock[]): { status: number; prefix: string } {
    const statuses: Record<string, number> = {
      Funded: 1,
      Accepted: 2,
      Submitted: 3,
      Released: 4,
      Refunded: 5,
    };
    let status = 0;
    let prefix = `0x${"00".repeat(31)}`;
    for (const block of blocks)
      for (const log of block.logs) {
        if (log.agreementId !== agreementId) continue;
        status = statuses[log.name] ?? 6;
        if (log.name === "Submitted") prefix = log.submissionHash!.slice(0, 64);
      }
    return { status, prefix };
  }

  #nonceOf(account: string, blocks: readonly SimBlock[] = this.#blocks): number {
    const from = account.toLowerCase();
    let count = 0;
    for (const block of blocks) for (const entry of block.transactions) if (entry.from === from) count++;
    return count;
  }

  #send(raw: Hex): Hex {
    const transaction = Transaction.from(raw);
    const hash = transaction.hash as Hex;
    const from = transaction.from!.toLowerCase();
    const slot = `${from}:${transaction.nonce}`;
    this.broadcast.add(hash);
    if (this.#mempool.get(slot)?.hash === hash) throw this.#refusal(-32000, "already known");
    if (transaction.nonce < this.#nonceOf(from))
      throw this.#refusal(-32000, "nonce too low: next nonce is higher");
    const fee = transaction.maxFeePerGas ?? 0n;
    const rival = this.#mempool.get(slot);
    if (rival !== undefined && fee * 10n < rival.fee * 11n)
      throw this.#refusal(-32000, "replacement transaction underpriced");
    const to = transaction.to as Address;
    const sent = { hash, from, to, nonce: transaction.nonce, data: transaction.data, fee };
    this.#mempool.set(slot, sent);
    this.#sent.set(hash, sent);
    return hash;
  }

  #refusal(code: number, message: string, data: string | null = null): RpcResponseError {
    return new RpcResponseError("sim://evm", "eth", code, message, data);
  }

  /** One endpoint of this chain. */
  rpc(): JsonRpc {
    return {
      origin: "sim://evm",
      send: async (method, parameters) => {
        this.calls.set(method, (this.calls.get(method) ?? 0) + 1);
        await Promise.resolve();
        const faulty = this.fault(method, parameters);
        return faulty === undefined ? this.#answer(method, parameters) : faulty;
      },
    };
  }

  /** What an endpoint answers that has not seen the newest `lag` blocks yet; what it is sent, the chain has. */
  answer(method: string, parameters: readonly unknown[], lag = 0): unknown {
    const all = this.#blocks;
    if (lag > 0 && method !== "eth_sendRawTransaction")
      this.#blocks = all.slice(0, Math.max(1, all.length - lag));
    try {
      return this.#answer(method, parameters);
    } finally {
      this.#blocks = all;
    }
  }

  #answer(method: string, parameters: readonly unknown[]): unknown {
    const [first, second] = parameters;
    switch (method) {
      case "eth_chainId":
        return quantity(CHAIN_ID);
      case "eth_getCode":
        return "0x60";
      case "eth_getBlockByNumber": {
        const block = this.#blockAt(String(first));
        return block === undefined ? null : headerOf(block, this.baseFee);
      }
      case "eth_getLogs":
        return this.#logs(first as { fromBlock?: string; toBlock?: string; blockHash?: string });
      case "eth_call":
        return this.#call(first as { to: Address; data: string }, this.#blocksUpTo(String(second)));
      case "eth_getTransactionCount":
        return quantity(this.#nonceOf(String(first), this.#blocksUpTo(String(second))));
      case "eth_getBalance":
        return quantity(10n ** 18n);
      case "eth_estimateGas": {
        const { to, data } = first as { to: Address; data: string };
        const probe = { ...this.latest, number: this.latest.number + 1, logs: [] };
        if (this.#execution({ to, data, hash: `0x${"00".repeat(32)}` }, probe) === null)
          throw this.#refusal(3, "execution reverted", topicOf("NotSubmitted()").slice(0, 10));
        return quantity(to === EVALUATOR ? this.jobs!.gas : 120_000);
      }
      case "eth_gasPrice":
        return quantity(this.baseFee);
      case "eth_maxPriorityFeePerGas":
        return quantity(100_000_000n);
      case "eth_sendRawTransaction":
        return this.#send(first as Hex);
      case "eth_getTransactionReceipt":
        return this.#receipt(first as Hex);
      default:
        throw this.#refusal(-32601, `the method ${method} does not exist`);
    }
  }

  #blockAt(tag: string): SimBlock | undefined {
    if (tag === "latest") return this.latest;
    if (tag === "finalized" || tag === "safe") return this.final;
    return this.#blocks[Number(tag)];
  }

  #blocksUpTo(tag: string): readonly SimBlock[] {
    return tag === "latest" ? this.#blocks : this.#blocks.slice(0, Number(tag) + 1);
  }

  #logs(filter: { fromBlock?: string; toBlock?: string; blockHash?: string }): unknown {
    return this.#blocks
      .filter((block) =>
        filter.blockHash === undefined
          ? block.number >= Number(filter.fromBlock) && block.number <= Number(filter.toBlock)
          : block.hash === filter.blockHash,
      )
      .flatMap((block) =>
        block.logs.map((log, index) => ({
          address: log.address ?? ESCROW,
          blockNumber: quantity(block.number),
          blockHash: block.hash,
          logIndex: quantity(index),
          transactionHash: log.transactionHash,
          topics: log.topics,
          data: log.data,
        })),
      );
  }

  #call({ to, data }: { to: Address; data: string }, blocks: readonly SimBlock[]): string {
    const job = this.jobs?.call(to, data, jobLogs(blocks));
    if (job === "reverts") throw this.#refusal(3, "execution reverted", topicOf("InvalidJob()").slice(0, 10));
    if (job !== undefined) return job;
    const coder = AbiCoder.defaultAbiCoder();
    const selector = data.slice(0, 10);
    if (selector === escrowInterface.getFunction("token")!.selector)
      return coder.encode(["address"], [TOKEN]);
    if (selector === escrowInterface.getFunction("stateOf")!.selector) {
      const [agreementId] = escrowInterface.decodeFunctionData("stateOf", data).toArray() as [Hex];
      const { status, prefix } = this.#stateAt(agreementId, blocks);
      return coder.encode(["uint8", "bytes31"], [status, prefix]);
    }
    if (selector === quorumInterface.getFunction("isRevoked")!.selector)
      return coder.encode(["bool"], [false]);
    return coder.encode(["uint8"], [6]);
  }

  #receipt(hash: Hex): unknown {
    for (const block of this.#blocks) {
      const found = block.transactions.find((entry) => entry.hash === hash);
      if (found !== undefined)
        return {
          transactionHash: hash,
          blockHash: block.hash,
          blockNumber: quantity(block.number),
          status: found.succeeded ? "0x1" : "0x0",
        };
    }
    return null;
  }
}

function quantity(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}

function headerOf(block: SimBlock, baseFee: bigint) {
  return {
    number: quantity(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    timestamp: quantity(block.timestamp),
    baseFeePerGas: quantity(baseFee),
    logsBloom: block.logs.length === 0 ? NO_LOGS : bloomOfAll(block.logs),
  };
}

/** Filters of a block without logs, and of one with logs of one contract alone. */
const NO_LOGS = `0x${"00".repeat(256)}`;
const LOGS_OF_ESCROW = bloomOf(ESCROW);
const LOGS_OF_JOBS = bloomOf(COMMERCE);

function bloomOfAll(logs: readonly SimLog[]): string {
  const jobs = logs.filter(({ address }) => address === COMMERCE).length;
  if (jobs === 0) return LOGS_OF_ESCROW;
  return jobs === logs.length
    ? LOGS_OF_JOBS
    : `0x${(BigInt(LOGS_OF_ESCROW) | BigInt(LOGS_OF_JOBS)).toString(16).padStart(512, "0")}`;
}

function jobLogs(blocks: readonly SimBlock[]): readonly JobLog[] {
  return blocks.flatMap(({ logs }) =>
    logs.flatMap(({ address, agreementId, name }) =>
      address === COMMERCE ? [{ key: agreementId, name }] : [],
    ),
  );
}

/** The bloom filter of a block that holds logs of this contract, without their topics. */
function bloomOf(contract: Address): string {
  const digest = getBytes(keccak256(contract));
  const filter = new Uint8Array(256);
  for (const at of [0, 2, 4]) {
    const bit = ((digest[at]! << 8) | digest[at + 1]!) & 2_047;
    filter[255 - (bit >> 3)]! |= 1 << (bit & 7);
  }
  return hexlify(filter);
}
