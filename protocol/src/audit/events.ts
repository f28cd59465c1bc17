import type { Interface, Result } from "ethers";
import { agreementEscrowAbi } from "../abi/agreement-escrow.ts";
import { interfaceOf } from "../primitives/interface-of.ts";
import { verdictQuorumAbi } from "../abi/verdict-quorum.ts";
import { type Address, toAddress } from "../primitives/address.ts";
import { type Hex, toHash } from "../primitives/hex.ts";
import type { Terms } from "../terms/terms.ts";
import { type TermsStruct, termsFromEvent } from "../terms/terms-struct.ts";
import type { BlockEvidence, Evidence, LogEvidence, TransactionEvidence } from "./evidence.ts";

/** Events that end an agreement. */
export const ENDINGS = [
  "Released",
  "Refunded",
  "Concluded",
  "Cancelled",
  "Conceded",
  "Settled",
  "Expired",
] as const;

/** Name of an event that ends an agreement. */
export type EndingName = (typeof ENDINGS)[number];

/** Where on the chain something was logged. */
export interface Place {
  readonly transaction: TransactionEvidence;
  readonly block: BlockEvidence;
}

/** How an agreement ended. Members are null where the event has none. */
export interface Ending extends Place {
  readonly name: EndingName;
  readonly submissionHash: Hex | null;
  readonly verdictHash: Hex | null;
  readonly sellerAmount: bigint | null;
  readonly conceder: Address | null;
}

/** A payout that the token refused. */
export interface Credit {
  readonly creditor: Address;
  readonly amount: bigint;
}

/** What the quorum logged when it took a certificate. */
export interface CertifiedEvent extends Place {
  readonly outcome: number;
  readonly submissionHash: Hex;
  readonly verdictHash: Hex;
  readonly judge: Address;
  readonly judgeTx: Hex;
  readonly signers: readonly Address[];
}

/** The history of one agreement, decoded from raw logs. */
export interface History {
  readonly funded: (Place & { readonly terms: Terms }) | null;
  readonly submitted: (Place & { readonly submissionHash: Hex }) | null;
  readonly ending: Ending | null;
  readonly credits: readonly Credit[];
  readonly certified: CertifiedEvent | null;
}

/** Reads what the escrow, and the adjudicator that its terms name, logged about the agreement. */
export function historyOf(evidence: Evidence): History {
  const { agreementId, evm } = evidence;
  let funded: History["funded"] = null;
  let submitted: History["submitted"] = null;
  let ending: Ending | null = null;
  const credits: Credit[] = [];
  for (const place of placesOf(evidence)) {
    for (const log of place.transaction.logs) {
      if (log.address !== evm.escrow || log.topics[1] !== agreementId) continue;
      const event = decode(interfaceOf(agreementEscrowAbi), log);
      if (event === null) continue;
      const { name, args } = event;
      if (name === "Funded") funded = { ...place, terms: termsFromEvent(args["terms"] as TermsStruct) };
      else if (name === "Submitted")
        submitted = { ...place, submissionHash: toHash(args["submissionHash"] as string) };
      else if (name === "Credited")
        credits.push({
          creditor: toAddress(args["creditor"] as string),
          amount: args["amount"] as bigint,
        });
      else if (isEnding(name)) ending = { ...place, name, ...endingMembers(event) };
    }
  }
  return {
    funded,
    submitted,
    ending,
    credits,
    certified: certifiedIn(evidence, ending, funded?.terms.adjudicator),
  };
}

/** Transactions in the chain's order, with their blocks. */
function placesOf({ evm }: Evidence): Place[] {
  const blocks = new Map(evm.blocks.map((block) => [block.hash, block]));
  return evm.transactions
    .flatMap((transaction) => {
      const block = blocks.get(transaction.block);
      return block === undefined ? [] : [{ transaction, block }];
    })
    .sort(
      (one, other) =>
        one.block.number - other.block.number || one.transaction.index - other.transaction.index,
    );
}

/** Anybody's contract may log a look-alike; only the adjudicator that the terms name counts. */
function certifiedIn(
  { agreementId, evm }: Evidence,
  ending: Ending | null,
  adjudicator: Address | undefined,
): CertifiedEvent | null {
  if (ending === null) return null;
  const { transaction, block } = ending;
  for (const log of transaction.logs) {
    if (log.address !== adjudicator || log.topics[2] !== agreementId) continue;
    const event = decode(interfaceOf(verdictQuorumAbi), log);
    if (event?.name !== "Certified" || toAddress(event.args["escrow"] as string) !== evm.escrow) continue;
    const { args } = event;
    return {
      transaction,
      block,
      outcome: Number(args["outcome"]),
      submissionHash: toHash(args["submissionHash"] as string),
      verdictHash: toHash(args["verdictHash"] as string),
      judge: toAddress(args["judge"] as string),
      judgeTx: toHash(args["judgeTx"] as string),
      signers: [...(args["signers"] as Result)].map((signer) => toAddress(signer as string)),
    };
  }
  return null;
}

interface DecodedEvent {
  readonly name: string;
  readonly args: Result;
}

/** Null for logs of other events, and for bytes that are no encoding of theirs. */
function decode(abi: Interface, log: LogEvidence): DecodedEvent | null {
  try {
    const parsed = abi.parseLog(log);
    if (parsed === null) return null;
    // Ethers ignores dirty bits around narrow integers and whatever follows; the contracts write neither.
    const { topics, data } = abi.encodeEventLog(parsed.fragment, parsed.args);
    const isExact = data === log.data && topics.every((topic, index) => topic === log.topics[index]);
    return isExact ? { name: parsed.name, args: parsed.args } : null;
  } catch {
    return null;
  }
}

function isEnding(name: string): name is EndingName {
  return (ENDINGS as readonly string[]).includes(name);
}

function endingMembers({ args }: DecodedEvent): Omit<Ending, keyof Place | "name"> {
  const members = args.toObject() as Record<string, unknown>;
  const hash = (value: unknown): Hex | null => (typeof value === "string" ? toHash(value) : null);
  const { sellerAmount, conceder } = members;
  return {
    submissionHash: hash(members["submissionHash"]),
    verdictHash: hash(members["verdictHash"]),
    sellerAmount: typeof sellerAmount === "bigint" ? sellerAmount : null,
    conceder: typeof conceder === "string" ? toAddress(conceder) : null,
  };
}
