import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Hex, Step } from "@assay/protocol";
import type { Binding, Mission } from "./mission.ts";

const SCHEMA = `
CREATE TABLE IF NOT EXISTS agents (
  id TEXT PRIMARY KEY, key_hash TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS offers (
  id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, job_id TEXT NOT NULL, recorder_nonce TEXT NOT NULL,
  expires_at INTEGER NOT NULL, mission_id TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS missions (
  id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, job_id TEXT, nonce TEXT NOT NULL, recorder_nonce TEXT,
  agent_nonce TEXT, steps TEXT NOT NULL, committed_root TEXT NOT NULL, chain TEXT NOT NULL,
  position INTEGER NOT NULL, started_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
  chain_id INTEGER, escrow TEXT, agreement_id TEXT, reward TEXT, adjudicator TEXT, signature TEXT,
  UNIQUE (chain_id, escrow, agreement_id)
) STRICT;
CREATE TABLE IF NOT EXISTS records (
  mission_id TEXT NOT NULL, step_index INTEGER NOT NULL, request_hash TEXT NOT NULL, response_hash TEXT NOT NULL,
  attestation TEXT NOT NULL, chain TEXT NOT NULL, recorded_at INTEGER NOT NULL,
  PRIMARY KEY (mission_id, step_index)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answers (
  mission_id TEXT PRIMARY KEY, status INTEGER NOT NULL, headers TEXT NOT NULL, body BLOB NOT NULL
) STRICT;
PRAGMA user_version = 1;
`;
const VERSION = 1;

/** What is kept of a recorded step. */
export interface StoredRecord {
  readonly index: number;
  readonly requestHash: Hex;
  readonly responseHash: Hex;
  readonly attestation: Hex;
  readonly chain: Hex;
  /** Unix seconds. */
  readonly recordedAt: number;
}

/** An answer as it was passed on. */
export interface Answer {
  readonly status: number;
  /** Names and values in turn, as they came. */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
}

/** A recorder's own choice, committed to before the agent's. */
export interface Offer {
  readonly id: string;
  readonly agentId: string;
  readonly jobId: string;
  readonly recorderNonce: Hex;
  readonly expiresAt: number;
  /** The mission that was started with it. */
  readonly missionId: string | null;
}

interface Pending {
  run(): void;
  settle(): void;
  fail(error: unknown): void;
}

/**
 * Everything that outlives the process, in one SQLite file that no second process may open. Writes of one turn of the
 * event loop share a transaction and its sync to disk; none is acknowledged before that.
 */
export class Store {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** Steps never change, and parsing them would be most of a look-up. */
  readonly #steps = new Map<string, readonly Step[]>();
  #pending: Pending[] = [];

  /** @param path of the file, or `:memory:`. */
  constructor(path: string) {
    this.#database = new DatabaseSync(path, { timeout: 1000 });
    this.#database.exec(
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN EXCLUSIVE; COMMIT;",
    );
    const { user_version: version } = this.#get("PRAGMA user_version") as { user_version: number };
    if (version > VERSION) throw new Error(`${path} was written by a later version of the recorder`);
    this.#database.exec(SCHEMA);
  }

  close(): void {
    this.#flush();
    this.#database.close();
  }

  /** Whether the file can still be read. */
  isAlive(): boolean {
    return this.#get("SELECT 1 AS one") !== undefined;
  }

  addAgent(id: string, keyHash: string, now: number): Promise<void> {
    return this.#write(() => {
      this.#run("INSERT INTO agents VALUES (?, ?, ?)", id, keyHash, now);
    });
  }

  agentOf(keyHash: string): string | undefined {
    return (this.#get("SELECT id FROM agents WHERE key_hash = ?", keyHash) as { id: string } | undefined)?.id;
  }

  addOffer({ id, agentId, jobId, recorderNonce, expiresAt }: Offer): Promise<void> {
    return this.#write(() => {
      this.#run(
        "INSERT INTO offers VALUES (?, ?, ?, ?, ?, NULL)",
        id,
        agentId,
        jobId,
        recorderNonce,
        expiresAt,
      );
    });
  }

  offer(id: string): Offer | undefined {
    return this.#get(
      `SELECT id, agent_id AS agentId, job_id AS jobId, recorder_nonce AS recorderNonce, expires_at AS expiresAt,
         mission_id AS missionId FROM offers WHERE id = ?`,
      id,
    ) as unknown as Offer | undefined;
  }

  /**
   * Keeps a mission that begins, and takes its offer.
   *
   * @returns false when the offer is taken or the agreement has a mission already; nothing is kept then.
   */
  addMission(mission: Mission, offerId?: string): Promise<boolean> {
    return this.#write(() => {
      const { binding } = mission;
      if (binding !== null && this.missionOf(binding) !== undefined) return false;
      if (offerId !== undefined) {
        const taken = this.#run(
          "UPDATE offers SET mission_id = ? WHERE id = ? AND mission_id IS NULL",
          mission.id,
          offerId,
        );
        if (taken === 0) return false;
      }
      this.#run(
        "INSERT INTO missions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, NULL)",
        mission.id,
        mission.agentId,
        mission.jobId,
        mission.nonce,
        mission.recorderNonce,
        mission.agentNonce,
        JSON.stringify(mission.steps),
        mission.committedRoot,
        mission.chain,
        mission.startedAt,
        mission.expiresAt,
        binding?.chainId ?? null,
        binding?.escrow ?? null,
        binding?.agreementId ?? null,
        binding?.reward ?? null,
        binding?.adjudicator ?? null,
      );
      return true;
    });
  }

  mission(id: string): Mission | undefined {
    const row = this.#get("SELECT * FROM missions WHERE id = ?", id) as unknown as MissionRow | undefined;
    return row === undefined ? undefined : this.#missionOf(row);
  }

  /** The mission that is walked for an agreement. */
  missionOf({
    chainId,
    escrow,
    agreementId,
  }: Pick<Binding, "chainId" | "escrow" | "agreementId">): Mission | undefined {
    const row = this.#get(
      "SELECT * FROM missions WHERE chain_id = ? AND escrow = ? AND agreement_id = ?",
      chainId,
      escrow,
      agreementId,
    ) as unknown as MissionRow | undefined;
    return row === undefined ? undefined : this.#missionOf(row);
  }

  /**
   * Binds a mission to an agreement, once.
   *
   * @returns false when either has another already.
   */
  bind(missionId: string, binding: Binding): Promise<boolean> {
    return this.#write(() => {
      if (this.missionOf(binding) !== undefined) return false;
      const changed = this.#run(
        `UPDATE missions SET chain_id = ?, escrow = ?, agreement_id = ?, reward = ?, adjudicator = ?
         WHERE id = ? AND agreement_id IS NULL`,
        binding.chainId,
        binding.escrow,
        binding.agreementId,
        binding.reward,
        binding.adjudicator,
        missionId,
      );
      return changed === 1;
    });
  }

  /**
   * Records the step whose turn it is, with the answer that goes with it.
   *
   * @param before the chain that the record extends.
   * @throws Error when it is another step's turn; nothing is kept then.
   */
  record(missionId: string, before: Hex, record: StoredRecord, answer: Answer): Promise<void> {
    const { index, requestHash, responseHash, attestation, chain, recordedAt } = record;
    return this.#write(() => {
      const moved = this.#run(
        "UPDATE missions SET position = ?, chain = ? WHERE id = ? AND position = ? AND chain = ?",
        index + 1,
        chain,
        missionId,
        index,
        before,
      );
      if (moved !== 1) throw new Error(`step ${index} of ${missionId} is not the one to record`);
      this.#run(
        "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)",
        missionId,
        index,
        requestHash,
        responseHash,
        attestation,
        chain,
        recordedAt,
      );
      this.#run(
        "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)",
        missionId,
        answer.status,
        JSON.stringify(answer.headers),
        answer.body,
      );
    });
  }

  records(missionId: string): StoredRecord[] {
    return this.#all(
      `SELECT step_index AS "index", request_hash AS requestHash, response_hash AS responseHash, attestation, chain,
         recorded_at AS recordedAt FROM records WHERE mission_id = ? ORDER BY step_index`,
      missionId,
    ) as unknown as StoredRecord[];
  }

  recordOf(missionId: string, index: number): StoredRecord | undefined {
    return this.#get(
      `SELECT step_index AS "index", request_hash AS requestHash, response_hash AS responseHash, attestation, chain,
         recorded_at AS recordedAt FROM records WHERE mission_id = ? AND step_index = ?`,
      missionId,
      index,
    ) as unknown as StoredRecord | undefined;
  }

  /** The answer of the last recorded step. */
  lastAnswer(missionId: string): Answer | undefined {
    const row = this.#get("SELECT status, headers, body FROM answers WHERE mission_id = ?", missionId) as
      { status: number; headers: string; body: Uint8Array } | undefined;
    return row === undefined ? undefined : { ...row, headers: JSON.parse(row.headers) as string[] };
  }

  /** Keeps the signature of a terminal, and lets go of the last answer. */
  sign(missionId: string, signature: string): Promise<void> {
    return this.#write(() => {
      this.#run("UPDATE missions SET signature = ? WHERE id = ?", signature, missionId);
    });
  }

  /** Forgets offers that nobody took in time, and the answers of missions that ended long ago. */
  prune(now: number, keepAnswersSeconds: number): Promise<void> {
    return this.#write(() => {
      this.#run("DELETE FROM offers WHERE mission_id IS NULL AND expires_at < ?", now);
      this.#run(
        "DELETE FROM answers WHERE mission_id IN (SELECT id FROM missions WHERE expires_at < ?)",
        now - keepAnswersSeconds,
      );
    });
  }

  #missionOf(row: MissionRow): Mission {
    let steps = this.#steps.get(row.id);
    if (steps === undefined) {
      steps = JSON.parse(row.steps) as Step[];
      if (this.#steps.size >= MOST_STEPS_KEPT) this.#steps.clear();
      this.#steps.set(row.id, steps);
    }
    return {
      id: row.id,
      agentId: row.agent_id,
      jobId: row.job_id,
      nonce: row.nonce,
      recorderNonce: row.recorder_nonce,
      agentNonce: row.agent_nonce,
      steps,
      committedRoot: row.committed_root,
      chain: row.chain,
      position: row.position,
      startedAt: row.started_at,
      expiresAt: row.expires_at,
      binding: bindingOf(row),
      signature: row.signature,
    };
  }

  #write<T>(action: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      let outcome: () => void = () => undefined;
      this.#pending.push({
        run: () => {
          this.#database.exec("SAVEPOINT one");
          try {
            const value = action();
            outcome = () => resolve(value);
          } catch (error) {
            this.#database.exec("ROLLBACK TO one");
            outcome = () => reject(asError(error));
          }
          this.#database.exec("RELEASE one");
        },
        settle: () => outcome(),
        fail: reject,
      });
      if (this.#pending.length === 1) setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
    const batch = this.#pending;
    this.#pending = [];
    if (batch.length === 0) return;
    try {
      this.#database.exec("BEGIN IMMEDIATE");
      for (const write of batch) write.run();
      this.#database.exec("COMMIT");
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      for (const write of batch) write.fail(error);
      return;
    }
    for (const write of batch) write.settle();
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #run(sql: string, ...values: Value[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  #get(sql: string, ...values: Value[]): Record<string, unknown> | undefined {
    return this.#statement(sql).get(...values);
  }

  #all(sql: string, ...values: Value[]): Record<string, unknown>[] {
    return this.#statement(sql).all(...values);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

const MOST_STEPS_KEPT = 10_000;

type Value = string | number | Uint8Array | null;

function bindingOf({ chain_id, escrow, agreement_id, reward, adjudicator }: MissionRow): Binding | null {
  return chain_id === null ||
    escrow === null ||
    agreement_id === null ||
    reward === null ||
    adjudicator === null
    ? null
    : { chainId: chain_id, escrow, agreementId: agreement_id, reward, adjudicator };
}

interface MissionRow {
  readonly id: string;
  readonly agent_id: string;
  readonly job_id: string | null;
  readonly nonce: Hex;
  readonly recorder_nonce: Hex | null;
  readonly agent_nonce: Hex | null;
  readonly steps: string;
  readonly committed_root: Hex;
  readonly chain: Hex;
  readonly position: number;
  readonly started_at: number;
  readonly expires_at: number;
  readonly chain_id: number | null;
  readonly escrow: Hex | null;
  readonly agreement_id: Hex | null;
  readonly reward: string | null;
  readonly adjudicator: Hex | null;
  readonly signature: string | null;
}
