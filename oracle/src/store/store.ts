import type { Address, Hex } from "@assay/protocol";
import type { StateName } from "../core/index.ts";
import type {
  AgreementQuery,
  AgreementRow,
  AttestationRow,
  BlockRow,
  Commit,
  Committed,
  Cursor,
  DatedLog,
  DocumentKind,
  LogRow,
  OutboxRow,
  Page,
  PartyLife,
  Purpose,
  Rebuilt,
  RememberedAnswer,
  SignedVerdict,
  SubmissionKey,
  SubmissionRow,
  TransitionRow,
  VerdictRow,
} from "./rows.ts";

/**
 * Everything the service remembers. The chains are the truth; this is cursor, journal and outbox.
 *
 * Methods are asynchronous and coarse, so that a networked database can stand behind them: `commit` is the only way to
 * change what leads to money, and it is atomic. Any method may reject with `StoreError`; such a failure is fatal, the
 * process must stop before it acknowledges anything.
 */
export interface Store {
  /**
   * Writes all of it or nothing.
   *
   * @throws StaleVersionError when a submission that it changes or postpones changed since it was read: read again and
   *   recompute.
   * @throws NonceTakenError when an intent names a nonce that another one holds.
   * @throws SignedOtherwiseError when another outcome was signed for the submission.
   * @throws HaltedError when it holds something signed, and signing is halted.
   */
  commit(commit: Commit): Promise<Committed>;

  submission(key: SubmissionKey): Promise<SubmissionRow | null>;
  submissionsOf(agreementId: Hex): Promise<readonly SubmissionRow[]>;
  /**
   * Takes up rows whose time has come, the longest waiting first; rows that never failed before rows that did. They are
   * this worker's until it releases them, or until its lease ends because it died: nobody else is given them meanwhile.
   * A lease only keeps workers out of each other's way; what makes a second one harmless are versions and sign-once.
   */
  claim(now: number, limit: number): Promise<readonly SubmissionRow[]>;
  /** Makes the leases of everything that this worker holds last longer. Returns in how many milliseconds to do so again. */
  renew(): Promise<number>;
  release(keys: readonly SubmissionKey[]): Promise<void>;
  /** Lets a submission go until later, without a change of state. `error` counts as a failed try. */
  postpone(row: SubmissionRow, nextAt: number, error: string | null): Promise<void>;
  /** Make due what waited for this block to become final, and what has its deadline behind it. Returns how many. */
  wakeFinal(block: { readonly number: number; readonly timestamp: number }, now: number): Promise<number>;
  /** Make due the submissions that wait for this document. Returns how many. */
  wakeDocument(hash: Hex, now: number): Promise<number>;
  countByState(): Promise<ReadonlyMap<StateName, number>>;
  /** When the submission of each state that has not moved for longest last moved; wall clock, milliseconds. */
  oldestByState(): Promise<ReadonlyMap<StateName, number>>;
  transitions(key: SubmissionKey): Promise<readonly TransitionRow[]>;

  agreement(agreementId: Hex): Promise<AgreementRow | null>;
  /** Newest first. */
  agreements(query: AgreementQuery): Promise<Page<AgreementRow>>;
  /** Every account that is a buyer or a seller, in the order of the addresses' spelling. */
  parties(page: { readonly limit: number; readonly cursor: string | null }): Promise<Page<Address>>;
  /** Everything that the escrow logged about a party's agreements. */
  lives(party: Address): Promise<readonly PartyLife[]>;

  /** Whether it is this worker that reads the chain: the first one that asks, as long as it lives. */
  readsChain(): Promise<boolean>;
  cursor(): Promise<Cursor | null>;
  block(number: number): Promise<BlockRow | null>;
  /** The logs of one agreement in chain order. */
  logsOf(agreementId: Hex): Promise<readonly DatedLog[]>;
  /** The logs of the blocks from `from` to `to`, both included, in chain order. */
  logsBetween(from: number, to: number): Promise<readonly LogRow[]>;

  /** Runs work that takes a nonce of a signer, while no other worker does. @throws SignerBusyError after a long wait. */
  withSigner<T>(chain: string, signer: Address, work: () => Promise<T>): Promise<T>;
  /** The intent that a submission has under way for a purpose. */
  openOutbox(key: SubmissionKey, purpose: Purpose): Promise<OutboxRow | null>;
  outboxOf(key: SubmissionKey): Promise<readonly OutboxRow[]>;
  /** GenLayer transactions that the intents of a submission became, oldest first. */
  judgeTransactionsOf(key: SubmissionKey): Promise<readonly Hex[]>;
  /** Nonces of one signer's intents that no receipt has answered yet, ascending. */
  openNonces(chain: string, signer: Address): Promise<readonly number[]>;

  /** The highest nonce of a signer that is in flight or used, as far as the journal knows; null when there is none. */
  highestNonce(chain: string, signer: Address): Promise<number | null>;

  signed(escrow: Address, key: SubmissionKey): Promise<SignedVerdict | null>;
  attestations(key: SubmissionKey): Promise<readonly AttestationRow[]>;
  verdict(verdictHash: Hex): Promise<VerdictRow | null>;

  /** @returns false when the store already had the document. */
  putDocument(
    document: { readonly hash: Hex; readonly kind: DocumentKind; readonly bytes: Uint8Array },
    at: number,
  ): Promise<boolean>;
  document(hash: Hex): Promise<{ readonly kind: DocumentKind; readonly bytes: Uint8Array } | null>;
  /** Bytes of all documents together. */
  documentBytes(): Promise<number>;

  /** What this key was answered, unless that is too long ago. */
  rememberedAnswer(key: string, now: number): Promise<RememberedAnswer | null>;
  /**
   * Remembers an answer, and forgets what expired and what is beyond the newest `most`.
   *
   * @returns what the key stands for from now on: an earlier answer, if there is one.
   */
  rememberAnswer(answer: RememberedAnswer, now: number, most: number): Promise<RememberedAnswer>;

  meta(key: string): Promise<string | null>;
  /** A write: proves that the database takes one. */
  setMeta(key: string, value: string | null): Promise<void>;

  /**
   * Forgets what the chain can tell again from a block on, so that the next start reads it. Never what was signed.
   *
   * @throws RebuildRangeError when something before that block is not finished.
   */
  rebuild(fromBlock: number): Promise<Rebuilt>;
  /**
   * Copies everything into a file while it is in use.
   *
   * @throws StoreError when this kind of database has its own tools for that.
   */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}
