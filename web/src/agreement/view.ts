import { UnavailableError, type OperatorView } from "@assay/evidence";
import {
  agreementEscrowAbi,
  agreementIdOf,
  interfaceOf,
  openCase,
  type Address,
  type CaseFile,
  type Evidence,
  type Hex,
  type StatusName,
  type Terms,
} from "@assay/protocol";

/** One thing that the escrow logged about an agreement. */
export interface ChainEvent {
  /** The event's name in the contract. */
  readonly name: string;
  readonly transaction: Hex;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  /** Unix time of the block. */
  readonly at: number;
  /** Null when the node does not tell which block is final. */
  readonly isFinal: boolean | null;
  /** Who conceded, or has a credit. */
  readonly account: Address | null;
  /** The seller's part of a split, or what is waiting as a credit; base units. */
  readonly amount: bigint | null;
}

/** What one operator says, or why it says nothing. Its own word: nothing of it is proven. */
export type OperatorReading =
  | { readonly origin: string; readonly view: OperatorView | null }
  | { readonly origin: string; readonly problem: string };

/** Everything that the page knows of one agreement: the chain's own account, the documents, and what operators say. */
export interface AgreementView {
  readonly agreementId: Hex;
  readonly status: StatusName;
  readonly terms: Terms;
  /** Terms, documents and endings, decoded; `file.evidence.gaps` says what could not be had. */
  readonly file: CaseFile;
  /** In the chain's order. */
  readonly events: readonly ChainEvent[];
  readonly operators: readonly OperatorReading[];
  /** Events that this page has seen before, and that the chain does not have any more. */
  readonly vanished: readonly ChainEvent[];
  /** Unix time of the chain's newest block: the clock that deadlines go by. */
  readonly now: number;
}

/** Where an event moves an agreement, whatever was before it. */
const MOVES: Readonly<Record<string, StatusName>> = {
  Funded: "Funded",
  Accepted: "Accepted",
  Submitted: "Submitted",
  Released: "Released",
  Refunded: "Refunded",
  Concluded: "Split",
  Cancelled: "Refunded",
  Settled: "Split",
};

/**
 * Puts together what was read.
 *
 * @param seen events that were seen before.
 * @throws UnavailableError when the terms among it are missing, or not those of the agreement.
 */
export function viewOf(
  evidence: Evidence,
  operators: readonly OperatorReading[],
  now: number,
  seen: readonly ChainEvent[] = [],
): AgreementView {
  const file = openCase(evidence);
  const { terms } = file;
  const { chainId, escrow } = evidence.evm;
  if (terms === null || agreementIdOf(terms, chainId, escrow) !== evidence.agreementId)
    throw new UnavailableError(
      `the node shows terms that are not those of agreement ${evidence.agreementId}`,
      "The node is faulty or lies; nothing is shown of what it says.",
    );
  const events = eventsIn(evidence);
  return {
    agreementId: evidence.agreementId,
    status: events.reduce<StatusName>((status, event) => statusAfter(status, event, terms), "None"),
    terms,
    file,
    events,
    vanished: vanishedFrom(seen, events),
    operators,
    now,
  };
}

function statusAfter(before: StatusName, { name, account }: ChainEvent, terms: Terms): StatusName {
  if (name === "Conceded") return account === terms.buyer ? "Released" : "Refunded";
  // Without a submission the buyer has it back; without a verdict it is divided.
  if (name === "Expired") return before === "Submitted" ? "Split" : "Refunded";
  return MOVES[name] ?? before;
}

/** Events that were seen before and that are gone. */
function vanishedFrom(seen: readonly ChainEvent[], events: readonly ChainEvent[]): readonly ChainEvent[] {
  const nameOf = ({ name, transaction, account }: ChainEvent): string =>
    `${name} ${transaction} ${account ?? ""}`;
  const here = new Set(events.map(nameOf));
  return seen.filter((event) => !here.has(nameOf(event)));
}

/** The escrow's events about the agreement. */
export function eventsIn({ agreementId, evm }: Evidence): ChainEvent[] {
  const blocks = new Map(evm.blocks.map((block) => [block.hash, block]));
  return evm.transactions
    .flatMap((transaction) => {
      const block = blocks.get(transaction.block);
      return block === undefined ? [] : [{ transaction, block }];
    })
    .sort(
      (one, other) =>
        one.block.number - other.block.number || one.transaction.index - other.transaction.index,
    )
    .flatMap(({ transaction, block }) =>
      transaction.logs.flatMap((log): ChainEvent[] => {
        if (log.address !== evm.escrow || log.topics[1] !== agreementId) return [];
        const event = interfaceOf(agreementEscrowAbi).parseLog({ topics: [...log.topics], data: log.data });
        if (event === null) return [];
        const args = event.args.toObject() as Record<string, unknown>;
        return [
          {
            name: event.name,
            transaction: transaction.hash,
            blockNumber: block.number,
            blockHash: block.hash,
            at: block.timestamp,
            isFinal: evm.finalizedBlock === null ? null : block.number <= evm.finalizedBlock,
            account: (args["conceder"] ?? args["creditor"] ?? null) as Address | null,
            amount: (args["sellerAmount"] ?? args["amount"] ?? null) as bigint | null,
          },
        ];
      }),
    );
}
