import type { EventFragment, Interface, JsonFragment, Result } from "ethers";
import { agreementEscrowAbi } from "../abi/agreement-escrow.ts";
import { interfaceOf } from "../primitives/interface-of.ts";
import { verdictQuorumAbi } from "../abi/verdict-quorum.ts";
import { type Address, isSameAddress, toAddress } from "../primitives/address.ts";
import { type Hex, toHash } from "../primitives/hex.ts";
import { type TermsStruct, termsFromEvent } from "../terms/terms-struct.ts";
import type { Terms } from "../terms/terms.ts";
import { type Outcome, outcomeOfCode } from "../verdict/outcome.ts";
import { ReputationError } from "./error.ts";

/** One type for each name, so that a name tells the type. */
type Named<Name extends string> = Name extends string ? { readonly name: Name } : never;

/** An event of the escrow, or of the quorum about this escrow, that moves an agreement's reputation facts. */
export type LifecycleEvent = {
  readonly agreementId: Hex;
  /** Unix time of the block. */
  readonly timestamp: number;
} & (
  | { readonly name: "Funded"; readonly terms: Terms }
  | Named<"Accepted" | "Submitted" | "Released" | "Refunded" | "Cancelled">
  | (Named<"Concluded" | "Settled" | "Expired"> & { readonly sellerAmount: bigint })
  | { readonly name: "Conceded"; readonly conceder: Address }
  /** Logged by the quorum before the escrow's own event of the same transaction. */
  | { readonly name: "Certified"; readonly outcome: Outcome }
);

/** A log as JSON-RPC gives it, with the time of its block. */
export interface TimedLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  /** Unix time of the block. */
  readonly timestamp: number;
}

/** The two contracts whose events make a reputation. */
export interface LifecycleContracts {
  readonly escrow: Address;
  readonly quorum: Address;
}

/** A contract's events by their first topic: to look one up is cheaper than to hash all signatures for each log. */
interface EventAbi {
  readonly abi: Interface;
  readonly byTopic: ReadonlyMap<string, EventFragment>;
}

const read = new Map<readonly JsonFragment[], EventAbi>();

function eventsOf(definition: readonly JsonFragment[]): EventAbi {
  const known = read.get(definition);
  if (known !== undefined) return known;
  const abi = interfaceOf(definition);
  const byTopic = new Map<string, EventFragment>();
  abi.forEachEvent((event) => byTopic.set(event.topicHash, event));
  read.set(definition, { abi, byTopic });
  return { abi, byTopic };
}

interface Decoded {
  readonly name: string;
  readonly args: Result;
}

/**
 * Reads one log.
 *
 * @returns nothing for a log that reputation does not depend on: of other contracts, of credits and operators, and
 * certificates for other escrows.
 * @throws ReputationError `event_unknown` when one of the two contracts emitted what its ABI does not have.
 */
export function decodeLifecycleEvent(
  log: TimedLog,
  contracts: LifecycleContracts,
): LifecycleEvent | undefined {
  const isFrom = (contract: Address): boolean => isSameAddress(log.address as Address, contract);
  if (isFrom(contracts.escrow)) return fromEscrow(decode(eventsOf(agreementEscrowAbi), log), log.timestamp);
  if (isFrom(contracts.quorum))
    return fromQuorum(decode(eventsOf(verdictQuorumAbi), log), log.timestamp, contracts.escrow);
  return undefined;
}

function decode({ abi, byTopic }: EventAbi, { address, topics, data }: TimedLog): Decoded {
  const event = byTopic.get(topics[0] ?? "");
  try {
    if (event !== undefined) return { name: event.name, args: abi.decodeEventLog(event, data, topics) };
  } catch (cause) {
    throw unknown(`${address} emitted a malformed ${event?.name ?? "event"}`, cause);
  }
  throw unknown(`${address} emitted an event with topic ${topics[0] ?? "none"}, which its ABI does not have`);
}

function unknown(message: string, cause?: unknown): ReputationError {
  return new ReputationError(
    "event_unknown",
    message,
    "Check that the addresses are those of the escrow and the quorum, and that both have this version's ABI.",
    { cause },
  );
}

function fromEscrow({ name, args }: Decoded, timestamp: number): LifecycleEvent | undefined {
  if (name === "Credited" || name === "Withdrawn") return undefined;
  const common = { agreementId: toHash(String(args["agreementId"])), timestamp };
  switch (name) {
    case "Funded":
      return { ...common, name, terms: termsFromEvent(args["terms"] as TermsStruct) };
    case "Accepted":
    case "Submitted":
    case "Released":
    case "Refunded":
    case "Cancelled":
      return { ...common, name };
    case "Concluded":
    case "Settled":
    case "Expired":
      return { ...common, name, sellerAmount: args["sellerAmount"] as bigint };
    case "Conceded":
      return { ...common, name, conceder: toAddress(String(args["conceder"])) };
    default:
      // A new event could end agreements; to overlook it would falsify every figure.
      throw new ReputationError(
        "event_unknown",
        `The escrow's event ${name} has no meaning for reputation yet`,
        "Use a version of this package that was made for this escrow.",
      );
  }
}

function fromQuorum({ name, args }: Decoded, timestamp: number, escrow: Address): LifecycleEvent | undefined {
  if (name !== "Certified" || !isSameAddress(args["escrow"] as Address, escrow)) return undefined;
  const outcome = outcomeOfCode(Number(args["outcome"]));
  if (outcome === undefined) {
    throw unknown(`The quorum certified the outcome ${String(args["outcome"])}, which stands for none`);
  }
  return { name, agreementId: toHash(String(args["agreementId"])), timestamp, outcome };
}
