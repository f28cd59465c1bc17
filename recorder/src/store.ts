import type { Hex, Step } from "@assay/protocol";
import { Database, type Sync } from "./database.ts";
import type { Binding, Mission } from "./mission.ts";

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

/** Everything that outlives the process. */
export class Store {
  readonly #database: Database;
  /** What of a mission never changes; reading its steps would be most of a look-up. */
  readonly #fixed = new Map<string, FixedMission>();

  /**
   * @param path of the SQLite file, or `:memory:`.
   * @throws Error as {@link Database} does.
   */
  constructor(path: string, sync?: Sync) {
    this.#database = new Database(path, sync);
  }

  close(): void {
    this.#database.close();
  }

  /** Whether the file can still be read and written. */
  isAlive(): boolean {
    return this.#database.isAlive();
  }

  /** Settles when everything that can be read now is on disk. */
  synced(): Promise<void> {
    return this.#database.synced();
  }

  addAgent(id: string, keyHash: string, now: number): Promise<void> {
    return this.#database.write(() => {
      this.#database.run("INSERT INTO agents VALUES (?, ?, ?)", id, keyHash, now);
    });
  }

  agentOf(keyHash: string): string | undefined {
    return (
      this.#database.get("SELECT id FROM agents WHERE key_hash = ?", keyHash) as { id: string } | undefined
    )?.id;
  }

  addOffer({ id, agentId, jobId, recorderNonce, expiresAt }: Offer): Promise<void> {
    return this.#database.write(() => {
      this.#database.run(
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
    return this.#database.get(
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
    return this.#database.write(() => {
      const { binding } = mission;
      if (binding !== null && this.missionOf(binding) !== undefined) return false;
      if (offerId !== undefined) {
        const taken = this.#database.run(
          "UPDATE offers SET mission_id = ? WHERE id = ? AND mission_id IS NULL",
          mission.id,
          offerId,
        );
        if (taken === 0) return false;
      }
      this.#database.run(
        "INSERT INTO missions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        mission.id,
        mission.agentId,
        mission.jobId,
        mission.nonce,
        mission.recorderNonce,
        mission.agentNonce,
        JSON.stringify(mission.steps),
        mission.committedRoot,
        mission.startedAt,
        mission.expiresAt,
      );
      this.#database.run(
        "INSERT INTO progress VALUES (?, 0, ?, ?, ?, ?, ?, ?, NULL)",
        mission.id,
        mission.chain,
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
    const row = this.#database.get("SELECT * FROM progress WHERE mission_id = ?", id) as unknown as
      Progress | undefined;
    return row === undefined ? undefined : this.#missionOf(row);
  }

  /** The mission that is walked for an agreement. */
  missionOf({
    chainId,
    escrow,
    agreementId,
  }: Pick<Binding, "chainId" | "escrow" | "agreementId">): Mission | undefined {
    const row = this.#database.get(
      "SELECT * FROM progress WHERE chain_id = ? AND escrow = ? AND agreement_id = ?",
      chainId,
      escrow,
      agreementId,
    ) as unknown as Progress | undefined;
    return row === undefined ? undefined : this.#missionOf(row);
  }

  /**
   * Binds a mission to an agreement, once.
   *
   * @returns false when either has another already.
   */
  bind(missionId: string, binding: Binding): Promise<boolean> {
    return this.#database.write(() => {
      if (this.missionOf(binding) !== undefined) return false;
      const changed = this.#database.run(
        `UPDATE progress SET chain_id = ?, escrow = ?, agreement_id = ?, reward = ?, adjudicator = ?
         WHERE mission_id = ? AND agreement_id IS NULL`,
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
    return this.#database.write(() => {
      const moved = this.#database.run(
        "UPDATE progress SET position = ?, chain = ? WHERE mission_id = ? AND position = ? AND chain = ?",
        index + 1,
        chain,
        missionId,
        index,
        before,
      );
      if (moved !== 1) throw new Error(`step ${index} of ${missionId} is not the one to record`);
      this.#database.run(
        "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)",
        missionId,
        index,
        requestHash,
        responseHash,
        attestation,
        chain,
        recordedAt,
      );
      this.#database.run(
        `INSERT INTO answers VALUES (?, ?, ?, ?) ON CONFLICT (mission_id)
         DO UPDATE SET status = excluded.status, headers = excluded.headers, body = excluded.body`,
        missionId,
        answer.status,
        JSON.stringify(answer.headers),
        answer.body,
      );
    });
  }

  records(missionId: string): StoredRecord[] {
    return this.#database.all(
      `SELECT step_index AS "index", request_hash AS requestHash, response_hash AS responseHash, attestation, chain,
         recorded_at AS recordedAt FROM records WHERE mission_id = ? ORDER BY step_index`,
      missionId,
    ) as unknown as StoredRecord[];
  }

  recordOf(missionId: string, index: number): StoredRecord | undefined {
    return this.#database.get(
      `SELECT step_index AS "index", request_hash AS requestHash, response_hash AS responseHash, attestation, chain,
         recorded_at AS recordedAt FROM records WHERE mission_id = ? AND step_index = ?`,
      missionId,
      index,
    ) as unknown as StoredRecord | undefined;
  }

  /** The answer of the last recorded step. */
  lastAnswer(missionId: string): Answer | undefined {
    const row = this.#database.get(
      "SELECT status, headers, body FROM answers WHERE mission_id = ?",
      missionId,
    ) as { status: number; headers: string; body: Uint8Array } | undefined;
    return row === undefined ? undefined : { ...row, headers: JSON.parse(row.headers) as string[] };
  }

  /** Keeps the signature of a terminal. */
  sign(missionId: string, signature: string): Promise<void> {
    return this.#database.write(() => {
      this.#database.run("UPDATE progress SET signature = ? WHERE mission_id = ?", signature, missionId);
    });
  }

  /** Forgets offers that nobody took in time, and the answers of missions that ended long ago. */
  prune(now: number, keepAnswersSeconds: number): Promise<void> {
    return this.#database.write(() => {
      this.#database.run("DELETE FROM offers WHERE mission_id IS NULL AND expires_at < ?", now);
      this.#database.run(
        "DELETE FROM answers WHERE mission_id IN (SELECT id FROM missions WHERE expires_at < ?)",
        now - keepAnswersSeconds,
      );
    });
  }

  #missionOf(row: Progress): Mission {
    const { position, chain, signature } = row;
    return { ...this.#fixedOf(row.mission_id), position, chain, binding: bindingOf(row), signature };
  }

  #fixedOf(id: string): FixedMission {
    const known = this.#fixed.get(id);
    if (known !== undefined) return known;
    const row = this.#database.get(
      `SELECT id, agent_id AS agentId, job_id AS jobId, nonce, recorder_nonce AS recorderNonce,
         agent_nonce AS agentNonce, steps, committed_root AS committedRoot, started_at AS startedAt,
         expires_at AS expiresAt FROM missions WHERE id = ?`,
      id,
    ) as unknown as Omit<FixedMission, "steps"> & { readonly steps: string };
    const fixed = { ...row, steps: JSON.parse(row.steps) as Step[] };
    if (this.#fixed.size >= MOST_KEPT) this.#fixed.clear();
    this.#fixed.set(id, fixed);
    return fixed;
  }
}

/** Missions of which the unchanging part is kept in memory. */
const MOST_KEPT = 5_000;

type FixedMission = Omit<Mission, "position" | "chain" | "binding" | "signature">;

function bindingOf({ chain_id, escrow, agreement_id, reward, adjudicator }: Progress): Binding | null {
  return chain_id === null ||
    escrow === null ||
    agreement_id === null ||
    reward === null ||
    adjudicator === null
    ? null
    : { chainId: chain_id, escrow, agreementId: agreement_id, reward, adjudicator };
}

interface Progress {
  readonly mission_id: string;
  readonly position: number;
  readonly chain: Hex;
  readonly chain_id: number | null;
  readonly escrow: Hex | null;
  readonly agreement_id: Hex | null;
  readonly reward: string | null;
  readonly adjudicator: Hex | null;
  readonly signature: string | null;
}
