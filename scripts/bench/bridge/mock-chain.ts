import { Interface, Transaction, decodeRlp } from "ethers";
import {
  agreementEscrowAbi,
  agreementIdOf,
  bytesOf,
  certificatesIn,
  fiatTokenAbi,
  keccak256,
  toTermsStruct,
  type Address,
  type Hex,
  type Terms,
} from "@assay/protocol";
import { recoverSigner } from "../../../oracle/src/signer/index.ts";

export const CHAIN_ID = 31_337;
export const ESCROW: Address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
export const QUORUM: Address = "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512";
const TOKEN: Address = "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0";

const escrow = new Interface(agreementEscrowAbi);
const token = new Interface(fiatTokenAbi);
const selectorOf = (contract: Interface, name: string) => contract.getFunction(name)?.selector ?? "";
const topicOf = (name: string) => escrow.getEvent(name)?.topicHash ?? "";
const [STATE_OF, TOKEN_OF, DECIMALS] = [
  selectorOf(escrow, "stateOf"),
  selectorOf(escrow, "token"),
  selectorOf(token, "decimals"),
];
const TOPICS = {
  funded: topicOf("Funded"),
  submitted: topicOf("Submitted"),
  released: topicOf("Released"),
};
const SUBMITTED = 3;
const RELEASED = 4;

/** A past of agreements that were funded and submitted and are still open, one every so many blocks. */
export interface Past {
  readonly blocks: number;
  readonly agreements: number;
  /** Terms of all of them; the salt is counted up. */
  readonly terms: Terms;
  /** Whether the service knows them already, so that it asks for their state without having asked for their logs. */
  readonly known: boolean;
}

interface Log {
  readonly topics: readonly string[];
  readonly data: string;
}

interface Live {
  readonly number: number;
  readonly timestamp: number;
  readonly logs: readonly Log[];
}

interface Agreement {
  readonly submissionHash: Hex;
  readonly submittedIn: number;
  settledIn: number | null;
}

interface Sent {
  readonly hash: string;
  readonly from: string;
  readonly nonce: number;
  readonly data: string;
}

/** Seconds between two blocks of the past. */
const BLOCK_SECONDS = 2;

/**
 * An EVM chain with an escrow and a quorum, as fast as a mock can be: its past is computed when it is asked for, and
 * nothing is searched. It executes deliveries and knows what was settled when.
 */
export class MockChain {
  readonly #past: Past;
  readonly #start: number;
  /** Data of a past `Funded` log without the salt, which is its last word. */
  readonly #fundedData: string;
  readonly #agreements = new Map<string, Agreement>();
  readonly #live: Live[] = [];
  readonly #receipts = new Map<string, { readonly number: number; readonly succeeded: boolean }>();
  readonly #nonces = new Map<string, number>();
  /** The one account that sends; null before it did. */
  #sender: string | null = null;
  #mempool: Sent[] = [];
  #pending: Log[] = [];
  #pendingAgreements: [string, Hex][] = [];
  /** Agreements in the order in which they were settled. */
  readonly settled: string[] = [];

  constructor(past: Past) {
    this.#past = past;
    this.#fundedData = escrow
      .encodeEventLog("Funded", [hashOf(0), past.terms.buyer, past.terms.seller, toTermsStruct(past.terms)])
      .data.slice(0, -64);
    this.#start = Math.floor(Date.now() / 1_000) - past.blocks * BLOCK_SECONDS;
    if (past.known) for (let index = 0; index < past.agreements; index++) this.#pastLogs(index);
    this.mine();
    this.mine();
  }

  get latest(): number {
    return this.#past.blocks + this.#live.length - 1;
  }

  /** Adds an agreement with its submission to the next block. */
  submit(terms: Terms, submissionHash: Hex): void {
    const agreementId = agreementIdOf(terms, CHAIN_ID, ESCROW);
    const { topics, data } = escrow.encodeEventLog("Funded", [
      agreementId,
      terms.buyer,
      terms.seller,
      toTermsStruct(terms),
    ]);
    this.#pending.push({ topics, data }, submittedLog(agreementId, submissionHash));
    this.#pendingAgreements.push([agreementId, submissionHash]);
  }

  /** Adds a block with everything that waits. */
  mine(): void {
    const number = this.latest + 1;
    const logs = this.#pending;
    this.#pending = [];
    for (const [agreementId, submissionHash] of this.#pendingAgreements)
      this.#agreements.set(agreementId, { submissionHash, submittedIn: number, settledIn: null });
    this.#pendingAgreements = [];
    const later: Sent[] = [];
    for (const transaction of this.#mempool.sort((one, other) => one.nonce - other.nonce)) {
      const nonce = this.#nonces.get(transaction.from) ?? 0;
      if (transaction.nonce > nonce) later.push(transaction);
      if (transaction.nonce !== nonce) continue;
      this.#nonces.set(transaction.from, nonce + 1);
      const log = this.#deliver(transaction.data, number);
      if (log !== null) logs.push(log);
      this.#receipts.set(transaction.hash, { number, succeeded: log !== null });
    }
    this.#mempool = later;
    const timestamp = Math.max(Math.floor(Date.now() / 1_000), this.#timestamp(number - 1));
    this.#live.push({ number, timestamp, logs });
  }

  answer(method: string, [first, second]: readonly unknown[]): unknown {
    switch (method) {
      case "eth_chainId":
        return quantity(CHAIN_ID);
      case "eth_getCode":
        return "0x60";
      case "eth_getBlockByNumber":
        return this.#header(this.#numberOf(first));
      case "eth_getLogs":
        return this.#logs(first as { fromBlock?: string; toBlock?: string; blockHash?: string });
      case "eth_call":
        return this.#call((first as { data: string }).data, this.#numberOf(second));
      case "eth_getTransactionCount":
        return quantity(this.#nonces.get(String(first).toLowerCase()) ?? 0);
      case "eth_getBalance":
        return quantity(10 ** 18);
      case "eth_estimateGas":
        return quantity(120_000);
      case "eth_maxPriorityFeePerGas":
      case "eth_gasPrice":
        return quantity(100_000_000);
      case "eth_sendRawTransaction":
        return this.#send(first as string);
      case "eth_getTransactionReceipt":
        return this.#receipt(first as string);
      default:
        throw new Error(`the method ${method} does not exist`);
    }
  }

  #numberOf(tag: unknown): number {
    if (tag === "latest") return this.latest;
    if (tag === "finalized" || tag === "safe") return this.latest - 1;
    return Number(tag);
  }

  #timestamp(number: number): number {
    const live = this.#live[number - this.#past.blocks];
    return live?.timestamp ?? this.#start + number * BLOCK_SECONDS;
  }

  #header(number: number): unknown {
    if (number > this.latest) return null;
    return {
      number: quantity(number),
      hash: hashOf(number),
      parentHash: hashOf(number - 1),
      timestamp: quantity(this.#timestamp(number)),
      baseFeePerGas: quantity(1_000_000_000),
    };
  }

  #logs(filter: { fromBlock?: string; toBlock?: string; blockHash?: string }): unknown[] {
    const from = filter.blockHash === undefined ? Number(filter.fromBlock) : numberIn(filter.blockHash);
    const to = filter.blockHash === undefined ? Number(filter.toBlock) : from;
    const result: unknown[] = [];
    const { blocks, agreements } = this.#past;
    const spacing = agreements === 0 ? 0 : Math.floor(blocks / agreements);
    for (let index = spacing === 0 ? agreements : Math.ceil(from / spacing); index < agreements; index++) {
      const number = index * spacing;
      if (number > to) break;
      this.#pastLogs(index).forEach((log, position) => result.push(logAt(number, position, log)));
    }
    for (let number = Math.max(from, blocks); number <= Math.min(to, this.latest); number++)
      this.#live[number - blocks]?.logs.forEach((log, position) => result.push(logAt(number, position, log)));
    return result;
  }

  /** Funding and submission of the agreement at that place, in one block. */
  #pastLogs(index: number): readonly Log[] {
    const { terms } = this.#past;
    const salted = { ...terms, salt: BigInt(index) + 2n ** 64n };
    const agreementId = agreementIdOf(salted, CHAIN_ID, ESCROW);
    const submissionHash: Hex = `0x${index.toString(16).padStart(64, "5")}`;
    if (!this.#agreements.has(agreementId))
      this.#agreements.set(agreementId, { submissionHash, submittedIn: 0, settledIn: null });
    return [
      {
        topics: [TOPICS.funded, agreementId, word(terms.buyer), word(terms.seller)],
        data: this.#fundedData + salted.salt.toString(16).padStart(64, "0"),
      },
      submittedLog(agreementId, submissionHash),
    ];
  }

  #call(data: string, at: number): string {
    const selector = data.slice(0, 10);
    if (selector === TOKEN_OF) return word(TOKEN);
    if (selector === DECIMALS) return word("0x6");
    if (selector !== STATE_OF) return word("0x0");
    const agreement = this.#agreements.get(`0x${data.slice(10)}`);
    if (agreement === undefined || agreement.submittedIn > at) return word("0x0") + "0".repeat(64);
    const settled = agreement.settledIn !== null && agreement.settledIn <= at;
    return word(quantity(settled ? RELEASED : SUBMITTED)) + agreement.submissionHash.slice(2, 64) + "00";
  }

  /** Checks the first transaction of a sender, and takes the others at their word: the mock is not what is measured. */
  #send(raw: string): string {
    const fields = decodeRlp(`0x${raw.slice(4)}`) as string[];
    const [nonce, data] = [Number(fields[1] === "0x" ? 0 : fields[1]), fields[7] ?? "0x"];
    const hash = keccak256(bytesOf(raw));
    this.#sender ??= signerOf(raw);
    this.#mempool.push({ hash, from: this.#sender, nonce, data });
    return hash;
  }

  #deliver(data: string, number: number): Log | null {
    const [certificate] = certificatesIn(data as Hex, QUORUM, CHAIN_ID);
    if (certificate === undefined) return null;
    const { agreementId, submissionHash, verdictHash } = certificate.verdict;
    const agreement = this.#agreements.get(agreementId);
    if (agreement?.submissionHash !== submissionHash || agreement.settledIn !== null) return null;
    agreement.settledIn = number;
    this.settled.push(agreementId);
    return { topics: [TOPICS.released, agreementId], data: `${submissionHash}${verdictHash.slice(2)}` };
  }

  #receipt(hash: string): unknown {
    const found = this.#receipts.get(hash);
    return found === undefined
      ? null
      : {
          transactionHash: hash,
          blockHash: hashOf(found.number),
          blockNumber: quantity(found.number),
          status: found.succeeded ? "0x1" : "0x0",
        };
  }
}

function signerOf(raw: string): string {
  const { unsignedHash, signature } = Transaction.from(raw);
  const signer = recoverSigner(unsignedHash as Hex, (signature?.serialized ?? "0x") as Hex);
  if (signer === null) throw new Error("signed by nobody");
  return signer.toLowerCase();
}

/** A hash that tells its block. */
function hashOf(number: number): Hex {
  return `0xb10c${Math.max(0, number).toString(16).padStart(60, "0")}`;
}

function numberIn(hash: string): number {
  return Number(`0x${hash.slice(6)}`);
}

function submittedLog(agreementId: string, submissionHash: Hex): Log {
  return { topics: [TOPICS.submitted, agreementId], data: submissionHash };
}

function logAt(number: number, position: number, log: Log): unknown {
  return {
    address: ESCROW,
    blockNumber: quantity(number),
    blockHash: hashOf(number),
    logIndex: quantity(position),
    transactionHash: `0x7c${(number * 64 + position).toString(16).padStart(62, "0")}`,
    topics: log.topics,
    data: log.data,
  };
}

function word(value: string): string {
  return `0x${value.slice(2).toLowerCase().padStart(64, "0")}`;
}

function quantity(value: number): string {
  return `0x${value.toString(16)}`;
}
