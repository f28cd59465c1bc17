import {
  keyOf,
  type Commit,
  type NewOutbox,
  type OutboxRow,
  type Purpose,
  type Store,
  type SubmissionKey,
} from "../store/index.ts";

/**
 * The intents of one submission as whoever works on it knows them: read once, and then kept up with what that work does,
 * which is written a little later. Only one worker has a submission at a time.
 */
export class Journal {
  readonly #store: Pick<Store, "openOutbox">;
  readonly #key: SubmissionKey;
  readonly #known = new Map<Purpose, Promise<OutboxRow | null>>();

  constructor(store: Pick<Store, "openOutbox">, key: SubmissionKey) {
    this.#store = store;
    this.#key = keyOf(key);
  }

  /** The newest intent for a purpose that is not closed; null when there is none. */
  open(purpose: Purpose): Promise<OutboxRow | null> {
    const known = this.#known.get(purpose) ?? this.#store.openOutbox(this.#key, purpose);
    this.#known.set(purpose, known);
    return known;
  }

  /** Takes over an intent that was just written. */
  begun(
    { purpose, chain, signer, key, transaction }: NewOutbox,
    written: Pick<OutboxRow, "id" | "attempt">,
    at: number,
  ): void {
    const { transactionHash, raw, fee, nonce } = transaction;
    const attempt = { transactionHash, raw, fee, signedAt: at, sentAt: null, sentAtBlock: null };
    const row = { ...written, key, purpose, chain, signer, nonce, judgeTx: null, attempts: [attempt] };
    this.#known.set(purpose, Promise.resolve({ ...row, status: "open" }));
  }

  /**
   * Takes over what is about to be written.
   *
   * @param at wall clock of that, in milliseconds.
   */
  async take(change: Pick<Commit, "outboxStatus" | "sent" | "bumps">, at: number): Promise<void> {
    for (const [purpose, known] of this.#known) {
      const row = await known;
      const after = row === null ? null : changed(row, change, at);
      // An older intent may be the open one now.
      if (after?.status === "closed") this.#known.delete(purpose);
      else this.#known.set(purpose, Promise.resolve(after));
    }
  }
}

function changed(
  row: OutboxRow,
  { outboxStatus = [], sent = [], bumps = [] }: Pick<Commit, "outboxStatus" | "sent" | "bumps">,
  at: number,
): OutboxRow {
  const last = outboxStatus.findLast(({ outboxId }) => outboxId === row.id);
  const offered = bumps.filter(({ outboxId }) => outboxId === row.id);
  const attempts = row.attempts.map((attempt) => {
    const left = sent.find(({ transactionHash }) => transactionHash === attempt.transactionHash);
    return left === undefined ? attempt : { ...attempt, sentAt: at, sentAtBlock: left.block };
  });
  return {
    ...row,
    status: last?.status ?? row.status,
    judgeTx: last?.judgeTx ?? row.judgeTx,
    attempts: [
      ...attempts,
      ...offered.map(({ transaction: { transactionHash, raw, fee } }) => ({
        ...{ transactionHash, raw, fee },
        ...{ signedAt: at, sentAt: null, sentAtBlock: null },
      })),
    ],
  };
}
