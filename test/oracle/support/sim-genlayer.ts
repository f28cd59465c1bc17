import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { AbiCoder, Transaction, decodeRlp, getBytes } from "ethers";
import { abi } from "genlayer-js";
import {
  adjudicationKey,
  canonicalize,
  documentHash,
  parseAgreement,
  toAddress,
  utf8Encode,
  type Address,
  type Hex,
} from "@assay/protocol";

import { SimWorkflows } from "./sim-workflows.ts";

export const JUDGE: Address = "0x1234567890123456789012345678901234567890";
export const JUDGE_CODE = "# the judge\n";
export const JUDGE_CODE_HASH: Hex = `0x${createHash("sha256").update(JUDGE_CODE).digest("hex")}`;

const NEW_TRANSACTION = "0xdab9102861c7483a187584d6371d88316f005af507982ccf95c110879f3ed5a5";

/** How a transaction ends. */
export type Plan =
  "PASS" | "FAIL" | "UNDETERMINED" | "ERROR" | "LEADER_TIMEOUT" | "CANCELED" | "LEADER_ONLY" | "STUCK";

export interface SimTransaction {
  readonly id: Hex;
  readonly sender: Address;
  readonly recipient: Address;
  readonly calldata: Uint8Array;
  readonly validators: number;
  readonly plan: Plan;
  readonly method: string;
  /** What the call is about, its first argument: an agreement, or a workflow. */
  readonly agreementId: Hex;
  /** By the network's clock, in milliseconds. */
  readonly createdAt: number;
  /** How often it was looked at; each look brings it on. */
  looks: number;
  /** Whether its record, if it makes one, was stored. */
  isStored: boolean;
}

export interface SimRecord {
  readonly sequence: number;
  readonly sender: Address;
  readonly key: Hex;
  readonly record: string;
}

/** A Studio-like GenLayer network for genlayer-js, over HTTP, with one judge whose verdicts the test chooses. */
export class SimGenLayer {
  readonly transactions: SimTransaction[] = [];
  readonly #records: SimRecord[] = [];
  readonly #receipts = new Map<Hex, SimTransaction>();
  /** The contract that attributes responsibility; it has the judge's address and code here. */
  workflows = new SimWorkflows();
  #server: Server | null = null;
  /** How the next transactions end, in order; PASS when there is none left. */
  plans: Plan[] = [];
  /**
   * How a transaction ends, by its agreement or workflow, its method, and its number among that method's calls about
   * the same; null: as `plans` say.
   */
  planOf: ((agreementId: Hex, nth: number, method: string) => Plan) | null = null;
  /** Looks that a transaction takes from PENDING over ACCEPTED to FINALIZED. */
  looksToFinal = 3;
  /** Milliseconds that stand for a look, when transactions move by themselves; null when only looks move them. */
  millisecondsPerLook: number | null = null;
  code = JUDGE_CODE;
  chainId = 61_127;
  /** Every set of bytes that the network was given, repeats included. */
  readonly sends: Hex[] = [];
  /** Gas limits of the transactions, as they arrived. */
  readonly gasLimits: bigint[] = [];
  readonly calls = new Map<string, number>();
  /** Set by tests: a JSON-RPC response body in place of the network's, or a raw HTTP answer. */
  fault: (
    method: string,
    parameters: readonly unknown[],
  ) => { body?: unknown; status?: number; text?: string } | undefined = () => undefined;

  async start(): Promise<string> {
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const call = JSON.parse(Buffer.concat(parts).toString()) as {
          id: number;
          method: string;
          params: unknown[];
        };
        this.calls.set(call.method, (this.calls.get(call.method) ?? 0) + 1);
        const fault = this.fault(call.method, call.params);
        if (fault?.text !== undefined) {
          response.writeHead(fault.status ?? 200, { "content-type": "text/html" }).end(fault.text);
          return;
        }
        const body = fault?.body ?? this.respond(call.method, call.params);
        response
          .writeHead(fault?.status ?? 200, { "content-type": "application/json" })
          .end(JSON.stringify({ jsonrpc: "2.0", id: call.id, ...body }));
      });
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  /** The network forgets everything, the judge included. */
  reset(): void {
    this.transactions.length = 0;
    this.#records.length = 0;
    this.#receipts.clear();
    this.workflows = new SimWorkflows();
    this.code = "";
  }

  /** Records in the order of their numbers, for the ground truth of a test. */
  get records(): readonly SimRecord[] {
    return this.#records;
  }

  /** Whether the transaction is final, and with a record. */
  endOf(transaction: SimTransaction): { readonly isFinal: boolean; readonly hasRecord: boolean } {
    const isFinal = ["FINALIZED", "CANCELED"].includes(this.#statusOf(transaction));
    return { isFinal, hasRecord: isFinal && storesRecord(transaction.plan) };
  }

  /** Everything that time alone has brought about, in the order of the transactions. */
  #move(): void {
    if (this.millisecondsPerLook === null) return;
    for (const transaction of this.transactions) {
      transaction.looks = Math.floor((Date.now() - transaction.createdAt) / this.millisecondsPerLook);
      if (this.#statusOf(transaction) === "FINALIZED") this.#store(transaction);
    }
  }

  /** The JSON-RPC response's result or error. */
  respond(method: string, parameters: unknown[]): object {
    this.#move();
    try {
      return { result: this.#answer(method, parameters) };
    } catch (error) {
      return { error: { code: -32000, message: (error as Error).message } };
    }
  }

  #answer(method: string, parameters: unknown[]): unknown {
    const [first] = parameters;
    switch (method) {
      case "eth_chainId":
        return `0x${this.chainId.toString(16)}`;
      case "eth_getTransactionCount":
        return `0x${this.transactions.filter((entry) => entry.sender === toAddress(String(first))).length.toString(16)}`;
      case "eth_estimateGas":
        return "0x7a120";
      case "eth_gasPrice":
        return "0x0";
      case "eth_sendRawTransaction":
        return this.#send(first as Hex);
      case "eth_getTransactionReceipt":
        return this.#receipt(first as Hex);
      case "eth_getTransactionByHash":
        return this.#look(first as Hex);
      case "gen_getContractCode":
        return Buffer.from(this.code).toString("base64");
      case "sim_getTransactionsForAddress":
        return this.transactions.map((entry) => ({ hash: entry.id }));
      case "gen_call":
        return this.#view(first as { data: Hex; status: string; transaction_hash_variant: string });
      default:
        throw new Error(`no method ${method}`);
    }
  }

  #send(raw: Hex): Hex {
    this.sends.push(raw);
    const outer = Transaction.from(raw);
    const id = outer.hash as Hex;
    if (this.#receipts.has(id)) return id;
    this.gasLimits.push(outer.gasLimit);
    const [, recipient, validators, , txData] = AbiCoder.defaultAbiCoder()
      .decode(["address", "address", "uint256", "uint256", "bytes"], `0x${outer.data.slice(10)}`)
      .toArray() as [string, string, bigint, bigint, Hex];
    const [calldata] = decodeRlp(txData) as [Hex, Hex];
    const call = abi.calldata.decode(getBytes(calldata)) as Map<string, unknown>;
    const agreementId = (call.get("args") as [Hex])[0];
    const method = String(call.get("method"));
    const nth = this.callsOf(method).filter((entry) => entry.agreementId === agreementId).length;
    const transaction: SimTransaction = {
      id,
      sender: toAddress(outer.from!),
      recipient: toAddress(recipient),
      calldata: getBytes(calldata),
      validators: Number(validators),
      plan: this.planOf?.(agreementId, nth, method) ?? this.plans.shift() ?? "PASS",
      method,
      agreementId,
      createdAt: Date.now(),
      looks: 0,
      isStored: false,
    };
    this.transactions.push(transaction);
    this.#receipts.set(id, transaction);
    return id;
  }

  /** Somebody's call that is final already, with whatever it stores. */
  inject(sender: Address, method: string, args: readonly string[], plan: Plan): Hex {
    const id: Hex = `0x${createHash("sha256").update(`injected ${this.transactions.length}`).digest("hex")}`;
    const transaction: SimTransaction = {
      id,
      sender,
      recipient: JUDGE,
      calldata: abi.calldata.encode(abi.calldata.makeCalldataObject(method, [...args], undefined)),
      validators: 5,
      plan,
      method,
      agreementId: args[0] as Hex,
      createdAt: Date.now(),
      looks: this.looksToFinal,
      isStored: false,
    };
    this.transactions.push(transaction);
    this.#receipts.set(id, transaction);
    this.#store(transaction);
    return id;
  }

  /** Transactions of one method, in the order in which they came. */
  callsOf(method: string): readonly SimTransaction[] {
    return this.transactions.filter((transaction) => transaction.method === method);
  }

  #receipt(hash: Hex): unknown {
    const transaction = this.#receipts.get(hash);
    if (transaction === undefined) return null;
    return {
      transactionHash: hash,
      status: "0x1",
      logs: [
        {
          address: transaction.recipient,
          topics: [NEW_TRANSACTION, transaction.id, word(transaction.recipient), word(transaction.sender)],
          data: "0x",
        },
      ],
    };
  }

  #look(id: Hex): unknown {
    const transaction = this.#receipts.get(id);
    if (transaction === undefined) return null;
    if (this.millisecondsPerLook === null) transaction.looks++;
    const status = this.#statusOf(transaction);
    const { result, execution } = endOf(transaction.plan);
    const decided = status !== "PENDING";
    if (status === "FINALIZED") this.#store(transaction);
    const leaderOnly = transaction.plan === "LEADER_ONLY";
    const nodes = Array.from(
      { length: leaderOnly ? 0 : transaction.validators },
      (_unused, index) => `0x${`${index + 1}`.repeat(40)}`,
    );
    return {
      hash: id,
      status,
      sender: transaction.sender,
      from_address: transaction.sender,
      to: transaction.recipient,
      to_address: transaction.recipient,
      recipient: transaction.recipient,
      value: 0,
      gas: "0x0",
      nonce: 0,
      type: 2,
      leader_only: leaderOnly,
      execution_mode: leaderOnly ? "LEADER_ONLY" : "NORMAL",
      num_of_initial_validators: transaction.validators,
      created_at: new Date(1_800_000_000_000 + this.transactions.indexOf(transaction) * 1_000).toISOString(),
      data: { calldata: Buffer.from(transaction.calldata).toString("base64") },
      ...(decided
        ? {
            result: result[0],
            result_name: result[1],
            txExecutionResult: execution[0],
            txExecutionResultName: execution[1],
            consensus_data: {
              votes: Object.fromEntries(nodes.map((node) => [node, "agree"])),
              leader_receipt: [],
            },
          }
        : {}),
    };
  }

  #statusOf(transaction: SimTransaction): string {
    const { looks, plan } = transaction;
    if (plan === "STUCK" || looks < 2) return "PENDING";
    if (plan === "CANCELED") return "CANCELED";
    if (looks < this.looksToFinal)
      return plan === "UNDETERMINED" || plan === "LEADER_TIMEOUT" ? plan : "ACCEPTED";
    return "FINALIZED";
  }

  #store(transaction: SimTransaction): void {
    const { plan, sender, method } = transaction;
    if (transaction.isStored || !storesRecord(plan)) return;
    transaction.isStored = true;
    const call = abi.calldata.decode(transaction.calldata) as Map<string, unknown>;
    if (this.workflows.perform(method, call.get("args") as string[], sender)) return;
    const [agreementId, chainId, escrow, agreementText, submissionText] = call.get("args") as [
      Hex,
      bigint,
      Address,
      string,
      string,
    ];
    const agreement = parseAgreement(agreementText);
    const subject = {
      agreementId,
      agreementHash: documentHash(utf8Encode(agreementText)),
      submissionHash: documentHash(utf8Encode(submissionText)),
      chainId: Number(chainId),
      escrow,
    };
    const key = adjudicationKey(subject);
    if (this.#records.some((entry) => entry.sender === sender && entry.key === key)) return;
    const sequence = this.#records.length + 1;
    const result = plan === "FAIL" ? "FAIL" : "PASS";
    const record = canonicalize({
      schema: "assay/adjudication/1",
      adjudicationKey: key,
      ...subject,
      relayer: sender,
      sequence,
      outcome: result,
      requirements: agreement.requirements.map(({ id, check }) => ({
        id,
        result,
        decidedBy: check === undefined ? "model" : "check",
        ...(check === undefined ? {} : { check: check.type }),
      })),
      evidence: [],
    });
    this.#records.push({ sequence, sender, key, record });
  }

  #view({
    data,
    status,
    transaction_hash_variant,
  }: {
    data: Hex;
    status: string;
    transaction_hash_variant: string;
  }): string {
    if (status !== "finalized" || transaction_hash_variant !== "latest-final")
      throw new Error("only finalized state is read");
    const [calldata] = decodeRlp(data) as [Hex, Hex];
    const call = abi.calldata.decode(getBytes(calldata)) as Map<string, unknown>;
    const args = call.get("args") as [string, string];
    const ofWorkflow = this.workflows.view(String(call.get("method")), args);
    if (ofWorkflow !== undefined)
      return Buffer.from(abi.calldata.encode(ofWorkflow as never)).toString("hex");
    const found =
      call.get("method") === "get_records"
        ? this.#records
            .filter((entry) => entry.key === args[0])
            .map(({ sender, sequence }) => ({ sender, sequence, outcome: "PASS" }))
        : recordView(
            this.#records.find((entry) => entry.sender === toAddress(args[0]) && entry.key === args[1]),
          );
    return Buffer.from(abi.calldata.encode(found)).toString("hex");
  }
}

function storesRecord(plan: Plan): boolean {
  return plan === "PASS" || plan === "FAIL" || plan === "LEADER_ONLY";
}

function recordView(record: SimRecord | undefined) {
  if (record === undefined) return { version: 0 };
  return {
    version: 1,
    sequence: record.sequence,
    sender: record.sender,
    key: record.key,
    record: record.record,
    adjudicationHash: documentHash(utf8Encode(record.record)),
    notes: "",
  };
}

function endOf(plan: Plan): { result: [number, string]; execution: [number, string] } {
  switch (plan) {
    case "UNDETERMINED":
      return { result: [7, "MAJORITY_DISAGREE"], execution: [1, "FINISHED_WITH_RETURN"] };
    case "LEADER_TIMEOUT":
      return { result: [3, "TIMEOUT"], execution: [0, "NOT_VOTED"] };
    case "ERROR":
      return { result: [6, "MAJORITY_AGREE"], execution: [2, "FINISHED_WITH_ERROR"] };
    default:
      return { result: [6, "MAJORITY_AGREE"], execution: [1, "FINISHED_WITH_RETURN"] };
  }
}

function word(address: Address): Hex {
  return `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;
}
