import type { Address, Hex } from "@assay/protocol";
import type { StateName } from "../../core/index.ts";
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
} from "../rows.ts";
import type { Store } from "../store.ts";
import * as answers from "./answers.ts";
import * as chain from "./chain.ts";
import { commitScript } from "./commit.ts";
import type { Database } from "./database.ts";
import * as documents from "./documents.ts";
import * as meta from "./meta.ts";
import * as outbox from "./outbox.ts";
import * as parties from "./parties.ts";
import { rebuildScript } from "./rebuild.ts";
import * as submissions from "./submissions.ts";
import * as verdicts from "./verdicts.ts";

/** Name of the post of the one worker that reads the chain. */
const READER = "reader";

/** The store, on any database that runs its scripts. */
export class SqlStore implements Store {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  commit(commit: Commit): Promise<Committed> {
    const { leases } = this.#database;
    return this.#database.write(function* () {
      const committed = yield* commitScript(commit);
      yield* leases.releaseScript(commit.released ?? []);
      return committed;
    });
  }

  submission(key: SubmissionKey): Promise<SubmissionRow | null> {
    return this.#database.read(() => submissions.readSubmission(key));
  }

  submissionsOf(agreementId: Hex): Promise<readonly SubmissionRow[]> {
    return this.#database.read(() => submissions.readSubmissionsOf(agreementId));
  }

  claim(now: number, limit: number): Promise<readonly SubmissionRow[]> {
    return this.#database.leases.claim(now, limit);
  }

  renew(): Promise<number> {
    return this.#database.leases.renew();
  }

  release(keys: readonly SubmissionKey[]): Promise<void> {
    return this.#database.note(() => this.#database.leases.releaseScript(keys));
  }

  postpone(row: SubmissionRow, nextAt: number, error: string | null): Promise<void> {
    const { leases } = this.#database;
    return this.#database.note(function* () {
      yield* submissions.postponeSubmission(row, nextAt, error);
      yield* leases.releaseScript([row.state]);
    });
  }

  wakeFinal(block: { readonly number: number; readonly timestamp: number }, now: number): Promise<number> {
    return this.#database.note(() => submissions.wakeFinal(block, now));
  }

  wakeDocument(hash: Hex, now: number): Promise<number> {
    return this.#database.note(() => submissions.wakeDocument(hash, now));
  }

  countByState(): Promise<ReadonlyMap<StateName, number>> {
    return this.#database.read(() => submissions.countByState());
  }

  oldestByState(): Promise<ReadonlyMap<StateName, number>> {
    return this.#database.read(() => submissions.oldestByState());
  }

  transitions(key: SubmissionKey): Promise<readonly TransitionRow[]> {
    return this.#database.read(() => submissions.readTransitions(key));
  }

  agreement(agreementId: Hex): Promise<AgreementRow | null> {
    return this.#database.read(() => chain.readAgreement(agreementId));
  }

  agreements(query: AgreementQuery): Promise<Page<AgreementRow>> {
    return this.#database.read(() => parties.readAgreements(query));
  }

  parties(page: { readonly limit: number; readonly cursor: string | null }): Promise<Page<Address>> {
    return this.#database.read(() => parties.readParties(page));
  }

  lives(party: Address): Promise<readonly PartyLife[]> {
    return this.#database.read(() => parties.readLives(party));
  }

  readsChain(): Promise<boolean> {
    return this.#database.locks.keep(READER);
  }

  cursor(): Promise<Cursor | null> {
    return this.#database.read(() => chain.readCursor());
  }

  block(number: number): Promise<BlockRow | null> {
    return this.#database.read(() => chain.readBlock(number));
  }

  logsOf(agreementId: Hex): Promise<readonly DatedLog[]> {
    return this.#database.read(() => chain.readLogsOf(agreementId));
  }

  logsBetween(from: number, to: number): Promise<readonly LogRow[]> {
    return this.#database.read(() => chain.readLogsBetween(from, to));
  }

  withSigner<T>(chainName: string, signer: Address, work: () => Promise<T>): Promise<T> {
    return this.#database.locks.hold(`signer ${chainName} ${signer}`, work);
  }

  openOutbox(key: SubmissionKey, purpose: Purpose): Promise<OutboxRow | null> {
    return this.#database.read(() => outbox.readOpenOutbox(key, purpose));
  }

  outboxOf(key: SubmissionKey): Promise<readonly OutboxRow[]> {
    return this.#database.read(() => outbox.readOutboxOf(key));
  }

  judgeTransactionsOf(key: SubmissionKey): Promise<readonly Hex[]> {
    return this.#database.read(() => outbox.readJudgeTransactionsOf(key));
  }

  openNonces(chainName: string, signer: Address): Promise<readonly number[]> {
    return this.#database.read(() => outbox.readOpenNonces(chainName, signer));
  }

  highestNonce(chainName: string, signer: Address): Promise<number | null> {
    return this.#database.read(() => outbox.readHighestNonce(chainName, signer));
  }

  signed(escrow: Address, key: SubmissionKey): Promise<SignedVerdict | null> {
    return this.#database.read(() => verdicts.readSigned(escrow, key));
  }

  attestations(key: SubmissionKey): Promise<readonly AttestationRow[]> {
    return this.#database.read(() => verdicts.readAttestations(key));
  }

  verdict(verdictHash: Hex): Promise<VerdictRow | null> {
    return this.#database.read(() => verdicts.readVerdict(verdictHash));
  }

  putDocument(
    document: { readonly hash: Hex; readonly kind: DocumentKind; readonly bytes: Uint8Array },
    at: number,
  ): Promise<boolean> {
    return this.#database.write(() => documents.insertDocument(document, at));
  }

  document(hash: Hex): Promise<{ readonly kind: DocumentKind; readonly bytes: Uint8Array } | null> {
    return this.#database.read(() => documents.readDocument(hash));
  }

  documentBytes(): Promise<number> {
    return this.#database.read(() => documents.readDocumentBytes());
  }

  rememberedAnswer(key: string, now: number): Promise<RememberedAnswer | null> {
    return this.#database.read(() => answers.readAnswer(key, now));
  }

  rememberAnswer(answer: RememberedAnswer, now: number, most: number): Promise<RememberedAnswer> {
    return this.#database.write(() => answers.insertAnswer(answer, now, most));
  }

  meta(key: string): Promise<string | null> {
    return this.#database.read(() => meta.readMeta(key));
  }

  setMeta(key: string, value: string | null): Promise<void> {
    return this.#database.write(() => meta.writeMeta(key, value));
  }

  rebuild(fromBlock: number): Promise<Rebuilt> {
    return this.#database.write(() => rebuildScript(fromBlock));
  }

  backup(file: string): Promise<void> {
    return this.#database.backup(file);
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}
