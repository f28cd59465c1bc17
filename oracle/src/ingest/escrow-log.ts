import { toHash, type Hex } from "@assay/protocol";
import { escrowInterface, type RawLog } from "../rpc/index.ts";
import type { LogRow } from "../store/index.ts";

/** Events by which an adjudicator pays. */
export const VERDICT_EVENTS: readonly string[] = ["Released", "Refunded", "Concluded"];

/** Events by which the parties or the clock close an agreement, with what that means. */
export const CLOSING_EVENTS: Readonly<Record<string, string>> = {
  Cancelled: "the buyer cancelled the agreement",
  Conceded: "a party conceded",
  Settled: "the parties settled by themselves",
  Expired: "the agreement expired",
};

const KNOWN_EVENTS = ["Funded", "Accepted", "Submitted", ...VERDICT_EVENTS, ...Object.keys(CLOSING_EVENTS)];

/** A log about one agreement, decoded; null for the escrow's other logs. */
export function decodeEscrowLog(log: RawLog): LogRow | null {
  const parsed = escrowInterface.parseLog({ topics: [...log.topics], data: log.data });
  if (parsed === null || !KNOWN_EVENTS.includes(parsed.name)) return null;
  return {
    blockNumber: log.blockNumber,
    blockHash: log.blockHash,
    logIndex: log.logIndex,
    transactionHash: log.transactionHash,
    agreementId: toHash(String(parsed.args.getValue("agreementId"))),
    name: parsed.name,
    data: fieldsOf(parsed.fragment.inputs, parsed.args.toArray() as unknown[]),
  };
}

interface Field {
  readonly name: string;
  readonly baseType: string;
  readonly components: readonly Field[] | null;
}

/** Every member as text, members of a struct as `struct.member`. */
function fieldsOf(fields: readonly Field[], values: readonly unknown[], prefix = ""): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [index, field] of fields.entries()) {
    const value = values[index];
    const name = prefix + field.name;
    if (field.components !== null && Array.isArray(value))
      Object.assign(result, fieldsOf(field.components, value as unknown[], `${name}.`));
    else result[name] = String(value);
  }
  return result;
}

/** A hash from a decoded log. */
export function hashField(log: LogRow, name: string): Hex {
  return toHash(log.data[name] ?? "");
}
