import { toHash, type Hex } from "@assay/protocol";
import { escrowInterface, type RawLog } from "../rpc/index.ts";
import type { LogRow } from "../store/index.ts";
import { decodeStaticEvent } from "./static-abi.ts";

/** Events by which an adjudicator pays. */
export const VERDICT_EVENTS: readonly string[] = ["Released", "Refunded", "Concluded"];

/** Events by which the parties or the clock close an agreement, with what that means. */
export const CLOSING_EVENTS: Readonly<Record<string, string>> = {
  Cancelled: "the buyer cancelled the agreement",
  Conceded: "a party conceded",
  Settled: "the parties settled by themselves",
  Expired: "the agreement expired",
  JobExpired: "the job expired, and its client was refunded",
};

const KNOWN_EVENTS = ["Funded", "Accepted", "Submitted", ...VERDICT_EVENTS, ...Object.keys(CLOSING_EVENTS)];

/** Events by their first topic. */
const EVENTS = new Map(
  KNOWN_EVENTS.flatMap((name) => {
    const event = escrowInterface.getEvent(name);
    return event === null ? [] : [[event.topicHash, event] as const];
  }),
);

/**
 * A log about one agreement, decoded; null for the escrow's other logs.
 *
 * @throws Error when it is not encoded as the escrow does it.
 */
export function decodeEscrowLog(log: RawLog): LogRow | null {
  const event = EVENTS.get(log.topics[0] ?? "");
  if (event === undefined) return null;
  const data = decodeStaticEvent(event, log);
  return {
    blockNumber: log.blockNumber,
    blockHash: log.blockHash,
    logIndex: log.logIndex,
    transactionHash: log.transactionHash,
    agreementId: toHash(data["agreementId"] ?? ""),
    name: event.name,
    data,
  };
}

/** A hash from a decoded log. */
export function hashField(log: LogRow, name: string): Hex {
  return toHash(log.data[name] ?? "");
}
