import { Interface, type EventFragment } from "ethers";
import { jobKeyOf, toHash, type Hex } from "@assay/protocol";
import type { RawLog } from "../rpc/index.ts";
import type { LogRow, Store } from "../store/index.ts";
import type { Jurisdiction } from "./agreement.ts";
import { decodeStaticEvent } from "./static-abi.ts";

/** Events by which an evaluator ends a job. */
export const EVALUATION_EVENTS: readonly string[] = ["JobCompleted", "JobRejected"];

/**
 * The events of an ERC-8183 job that matter here. The standard names them; which members are indexed is the reference
 * implementation's choice, and three ways to announce a job are in use.
 */
const jobEvents = new Interface([
  "event JobCreated(uint256 indexed jobId, address indexed client, address indexed provider, address evaluator, uint256 expiredAt)",
  "event JobCreated(uint256 indexed jobId, address indexed client, address indexed provider, address evaluator, uint256 expiredAt, address hook)",
  "event JobCreated(uint256 indexed jobId, address indexed client, address indexed provider, address evaluator, uint48 expiredAt, address hook)",
  "event JobFunded(uint256 indexed jobId, address indexed client, uint256 amount)",
  "event JobSubmitted(uint256 indexed jobId, address indexed provider, bytes32 deliverable)",
  "event JobCompleted(uint256 indexed jobId, address indexed evaluator, bytes32 reason)",
  "event JobRejected(uint256 indexed jobId, address indexed rejector, bytes32 reason)",
  "event JobExpired(uint256 indexed jobId)",
]);

const EVENTS = new Map<string, EventFragment>();
jobEvents.forEachEvent((event) => EVENTS.set(event.topicHash, event));

/**
 * A log about one job, decoded; null for the contract's other logs, and for one that is laid out in another way: what
 * can't be read is left alone, and stops nothing else. `data.commerce` is the contract.
 */
export function decodeJobLog(log: RawLog, { chainId }: Pick<Jurisdiction, "chainId">): LogRow | null {
  const event = EVENTS.get(log.topics[0] ?? "");
  if (event === undefined) return null;
  const data = decoded(event, log);
  if (data === null) return null;
  return {
    blockNumber: log.blockNumber,
    blockHash: log.blockHash,
    logIndex: log.logIndex,
    transactionHash: log.transactionHash,
    agreementId: jobKeyOf(chainId, log.address, BigInt(data["jobId"] ?? "")),
    name: event.name,
    data: { commerce: log.address, ...data },
  };
}

function decoded(event: EventFragment, log: RawLog): Record<string, string> | null {
  try {
    return decodeStaticEvent(event, log);
  } catch {
    return null;
  }
}

/** Whether a log is an ERC-8183 contract's. */
export function isJobLog({ name }: LogRow): boolean {
  return name.startsWith("Job");
}

/** The deliverable of a `JobSubmitted`. */
export function deliverableOf(log: LogRow): Hex {
  return toHash(log.data["deliverable"] ?? "");
}

/** The jobs that name our evaluator. A contract may hold any number of others, of which nothing is kept. */
export class OwnJobs {
  readonly #store: Pick<Store, "logsOf">;
  readonly #jurisdiction: Jurisdiction;
  /** How the jobs of this stretch of blocks, which the store does not hold yet, were announced. */
  readonly #created = new Map<Hex, LogRow>();

  constructor(store: Pick<Store, "logsOf">, jurisdiction: Jurisdiction) {
    this.#store = store;
    this.#jurisdiction = jurisdiction;
  }

  /** Whether a log is about one of them. Logs must come in chain order. */
  async concern(log: LogRow): Promise<boolean> {
    if (log.name !== "JobCreated") return (await this.announcement(log.agreementId)) !== null;
    if (log.data["evaluator"] !== this.#jurisdiction.jobs?.evaluator) return false;
    this.#created.set(log.agreementId, log);
    return true;
  }

  /** The `JobCreated` of one of them; null for every other job. */
  async announcement(agreementId: Hex): Promise<LogRow | null> {
    const fresh = this.#created.get(agreementId);
    if (fresh !== undefined) return fresh;
    const stored = await this.#store.logsOf(agreementId);
    return stored.find(({ name }) => name === "JobCreated") ?? null;
  }
}
