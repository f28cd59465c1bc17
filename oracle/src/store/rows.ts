import type { Address, Hex, Terms } from "@assay/protocol";
import type { BlockRef, EventType, StateName, SubmissionState } from "../core/index.ts";

/** Under this key `meta` holds why nothing may be signed; absent when all is well. */
export const HALT_KEY = "halted";

/** Under this key `meta` holds the block from which a rebuilt database reads the chain again. */
export const READ_FROM_KEY = "read.from";

/**
 * No pause of a submission is longer than this many milliseconds. A row that is due later was written by a clock that
 * has been set back since, and would wait for as long as that; it counts as due.
 */
export const LONGEST_PAUSE_MILLISECONDS = 900_000;

/** Which agreement, which submission: the key of everything the service does. */
export interface SubmissionKey {
  readonly agreementId: Hex;
  readonly submissionHash: Hex;
}

/** The key in whatever holds one, such as a submission's state. */
export function keyOf({ agreementId, submissionHash }: SubmissionKey): SubmissionKey {
  return { agreementId, submissionHash };
}

/** A submission as stored. `version` counts changes; a write that names an old one is refused. */
export interface SubmissionRow {
  readonly state: SubmissionState;
  readonly version: number;
  /** Failed tries since the last change of state. */
  readonly attempts: number;
  /** Wall clock, in milliseconds, of the next look; null when nothing is owed. */
  readonly nextAt: number | null;
  readonly lastError: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** One step of one submission: a line of its history. */
export interface SubmissionStep {
  readonly after: SubmissionState;
  /** The events that led there, in order. */
  readonly events: readonly EventType[];
}

/** What a submission becomes, to be written together with its history. */
export interface SubmissionChange extends SubmissionStep {
  /** The row that the first step was computed from; null when the submission is new. */
  readonly before: SubmissionRow | null;
  /** Steps on the way that were not written by themselves, oldest first. */
  readonly earlier?: readonly SubmissionStep[];
  readonly nextAt: number | null;
}

/** A job of an ERC-8183 contract. */
export interface JobRef {
  /** The contract that holds it. */
  readonly commerce: Address;
  readonly jobId: bigint;
}

export interface AgreementRow {
  /** Digest of the terms, or the key of the job. */
  readonly agreementId: Hex;
  /** Of a job: what its contract says, in an agreement's words. */
  readonly terms: Terms;
  /** The job that this is; null for an agreement of the escrow. */
  readonly job: JobRef | null;
  /** Why this operator leaves the agreement alone; null when it is ours. */
  readonly ignoredReason: string | null;
}

export interface BlockRow extends BlockRef {
  readonly parent: Hex;
  /** Unix seconds. */
  readonly timestamp: number;
}

export interface LogRow {
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly logIndex: number;
  readonly transactionHash: Hex;
  readonly agreementId: Hex;
  readonly name: string;
  readonly data: Readonly<Record<string, string>>;
}

/** A log with the time of its block, in Unix seconds, and when it was read, in milliseconds. */
export type DatedLog = LogRow & { readonly timestamp: number; readonly seenAt: number };

/** An agreement with everything that the escrow logged about it, in chain order. */
export interface PartyLife {
  readonly agreement: AgreementRow;
  readonly logs: readonly DatedLog[];
}

/** Which agreements a listing shows; all of a venue when it names no party. */
export interface AgreementQuery {
  /** Left out: those of the escrow. */
  readonly venue?: "escrow" | "jobs";
  readonly limit: number;
  /** Where the last page ended; null for the first page. */
  readonly cursor: string | null;
  readonly party?: Address;
  /** Left out: either role. */
  readonly role?: "buyer" | "seller";
}

/** What a request with an idempotency key was answered. */
export interface RememberedAnswer {
  /** Method, path and key. */
  readonly key: string;
  /** SHA-256 of the request's body. */
  readonly requestHash: Hex;
  readonly status: number;
  readonly body: string;
  /** Wall clock, milliseconds. */
  readonly expiresAt: number;
}

/** How far the chain was read, and what of it is final. */
export interface Cursor extends BlockRef {
  readonly final: BlockRef & { readonly timestamp: number };
}

export type Purpose = "relay" | "settle";

/** Signed bytes, with everything needed to send them again and to find them. */
export interface SignedTransaction {
  readonly transactionHash: Hex;
  readonly raw: Hex;
  readonly nonce: number;
  /** Highest price per gas that the bytes allow, in the chain's base unit. */
  readonly fee: bigint;
}

export interface OutboxRow {
  readonly id: number;
  readonly key: SubmissionKey;
  readonly purpose: Purpose;
  readonly attempt: number;
  readonly chain: string;
  readonly signer: Address;
  readonly nonce: number;
  readonly status: "open" | "included" | "closed";
  readonly judgeTx: Hex | null;
  readonly attempts: readonly AttemptRow[];
}

export interface AttemptRow {
  readonly transactionHash: Hex;
  readonly raw: Hex;
  readonly fee: bigint;
  /** Wall clock, milliseconds. */
  readonly signedAt: number;
  readonly sentAt: number | null;
  readonly sentAtBlock: number | null;
}

export interface NewOutbox {
  readonly key: SubmissionKey;
  readonly purpose: Purpose;
  readonly chain: string;
  readonly signer: Address;
  readonly transaction: SignedTransaction;
}

/** This operator's signature, as it may be published. */
export interface SignedVerdict {
  readonly escrow: Address;
  readonly key: SubmissionKey;
  readonly digest: Hex;
  readonly operator: Address;
  /** The certificate's fields, JSON. */
  readonly verdict: string;
  /** The verdict record, canonical JSON. */
  readonly record: string;
  readonly signature: Hex;
}

export interface AttestationRow {
  readonly digest: Hex;
  readonly operator: Address;
  readonly key: SubmissionKey;
  readonly signature: Hex;
}

export interface VerdictRow {
  readonly key: SubmissionKey;
  readonly verdictHash: Hex;
  readonly record: string;
}

export type DocumentKind = "agreement" | "submission";

export interface TransitionRow {
  readonly from: StateName | null;
  readonly to: StateName;
  readonly event: string;
  readonly reason: string | null;
  /** Wall clock, milliseconds. */
  readonly at: number;
}

/** What one step wants written; all of it or nothing. */
export interface Commit {
  /** Wall clock, milliseconds. */
  readonly at: number;
  readonly submissions?: readonly SubmissionChange[];
  readonly agreements?: readonly AgreementRow[];
  readonly blocks?: readonly BlockRow[];
  readonly logs?: readonly LogRow[];
  /** Remove the blocks above this number, and their logs: they left the chain. */
  readonly rewindTo?: number;
  readonly cursor?: Cursor;
  /** Where the cursor was when this was computed: the commit is refused when another worker moved it. */
  readonly cursorBefore?: BlockRef | null;
  readonly outbox?: readonly NewOutbox[];
  /** Another set of signed bytes for an intent that exists, with the same nonce. */
  readonly bumps?: readonly { readonly outboxId: number; readonly transaction: SignedTransaction }[];
  readonly outboxStatus?: readonly {
    readonly outboxId: number;
    readonly status: OutboxRow["status"];
    readonly judgeTx?: Hex;
  }[];
  readonly sent?: readonly { readonly transactionHash: Hex; readonly block: number | null }[];
  readonly signed?: readonly SignedVerdict[];
  readonly attestations?: readonly AttestationRow[];
  readonly verdicts?: readonly VerdictRow[];
  /** Submissions that wait for one of these documents are due once the rest is written. */
  readonly wakes?: readonly Hex[];
  /** When to look again at submissions that do not change: refused, with all the rest, when one did. */
  readonly postponed?: readonly { readonly row: SubmissionRow; readonly nextAt: number }[];
  /** Submissions that this worker lets go of. */
  readonly released?: readonly SubmissionKey[];
}

/** What was written. */
export interface Committed {
  /** The changed submissions as they are now, in the order of the changes. */
  readonly submissions: readonly SubmissionRow[];
  /** The new intents, in their order. */
  readonly intents: readonly Pick<OutboxRow, "id" | "attempt">[];
}

/** What a rebuild forgot, to be read from the chain again. */
export interface Rebuilt {
  readonly fromBlock: number;
  readonly submissions: number;
  readonly logs: number;
}

/** A page of a listing. `cursor` continues where the last page ended. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly cursor: string | null;
}
