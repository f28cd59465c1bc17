import {
  type Address,
  type Hex,
  ZERO_HASH,
  attestationHash,
  canonicalize,
  committedRoot,
  executionTerminalTypedData,
  fold,
  missionNonce,
  nonceCommitment,
  sequenceHash,
  stepNonce,
} from "@assay/protocol";
import type { Wallet } from "ethers";
import { type BoundAgreement, readBinding } from "./binding.ts";
import { newId, newNonce } from "./ids.ts";
import type { Job } from "./job.ts";
import { type Mission, statusOf } from "./mission.ts";
import { ProblemError } from "./problem.ts";
import type { Answer, Offer, Store, StoredRecord } from "./store.ts";

/** Moments between which the process may die; tests listen in. */
export type Boundary =
  | "mission-started"
  | "request-read"
  | "upstream-answered"
  | "step-recorded"
  | "answer-sent"
  | "terminal-signed";

/** What {@link Missions} needs. */
export interface MissionsOptions {
  readonly store: Store;
  readonly wallet: Wallet;
  readonly jobs: readonly Job[];
  readonly missionSeconds: number;
  readonly offerSeconds: number;
  /** Unix seconds. */
  readonly now: () => number;
  readonly at: (boundary: Boundary) => void;
}

/** Begins missions, records their steps, and signs their ends. */
export class Missions {
  readonly #options: MissionsOptions;
  /** The recorder's account. */
  readonly recorder: Address;

  constructor(options: MissionsOptions) {
    this.#options = options;
    this.recorder = options.wallet.address as Address;
  }

  /** Commits to the recorder's nonce before the agent says its own. */
  async offer(jobId: string, agentId: string): Promise<{ offer: Offer; commitment: Hex }> {
    this.#job(jobId);
    const { now, offerSeconds, store } = this.#options;
    const offer: Offer = {
      id: newId("offer"),
      agentId,
      jobId,
      recorderNonce: newNonce(),
      expiresAt: now() + offerSeconds,
      missionId: null,
    };
    await store.addOffer(offer);
    return { offer, commitment: nonceCommitment(offer.recorderNonce) };
  }

  /**
   * Begins a job's mission: its root is committed to before the first step. The same offer always gives the same
   * mission, so asking again is safe.
   *
   * @param agentNonce zero when the agent leaves the choice to the recorder.
   */
  async start(
    jobId: string,
    agentId: string,
    offerId: string | undefined,
    agentNonce: Hex = ZERO_HASH,
  ): Promise<Mission> {
    const job = this.#job(jobId);
    const offer = this.#offerOf(offerId ?? (await this.offer(jobId, agentId)).offer.id, jobId, agentId);
    if (offer.missionId !== null) return this.#startedWith(offer.missionId, agentNonce);
    if (offer.expiresAt < this.#options.now()) {
      throw new ProblemError("gone", `offer ${offer.id} has expired`, "Ask for another offer.");
    }
    const { recorderNonce } = offer;
    const mission = this.#missionOf(agentId, missionNonce(recorderNonce, agentNonce), job.steps, {
      jobId,
      recorderNonce,
      agentNonce,
      binding: null,
    });
    if (!(await this.#options.store.addMission(mission, offer.id))) {
      const taken = this.#options.store.offer(offer.id);
      return this.#startedWith(taken?.missionId ?? "", agentNonce);
    }
    this.#options.at("mission-started");
    return mission;
  }

  /** Begins the mission that an agreement asks for, or finds it: its nonce is the agreement's. */
  async startFor(body: unknown, agentId: string): Promise<Mission> {
    const { binding, execution } = readBinding(body, agentId, this.recorder);
    const { store } = this.#options;
    const known = store.missionOf(binding);
    if (known !== undefined) return this.#own(known, agentId);
    const mission = this.#missionOf(agentId, execution.nonce, execution.steps, {
      jobId: null,
      recorderNonce: null,
      agentNonce: null,
      binding,
    });
    if (!(await store.addMission(mission))) {
      const other = store.missionOf(binding);
      if (other !== undefined) return this.#own(other, agentId);
    }
    this.#options.at("mission-started");
    return mission;
  }

  /** Binds a mission that began without one to an agreement with its nonce and steps, once. */
  async bind(missionId: string, body: unknown, agentId: string): Promise<Mission> {
    const mission = this.#own(this.mission(missionId), agentId);
    const bound = readBinding(body, agentId, this.recorder);
    const { binding } = bound;
    if (mission.binding !== null) {
      if (canonicalize(mission.binding) === canonicalize(binding)) return this.signed(mission);
      throw conflict(`mission ${missionId} is bound to agreement ${mission.binding.agreementId}`);
    }
    requireSameWalk(mission, bound);
    if (!(await this.#options.store.bind(missionId, binding))) {
      throw conflict(`agreement ${binding.agreementId} has a mission already`);
    }
    return this.signed(this.mission(missionId));
  }

  /** @throws ProblemError `not_found`. */
  mission(id: string): Mission {
    const mission = this.#options.store.mission(id);
    if (mission === undefined) {
      throw new ProblemError(
        "not_found",
        `there is no mission ${id.slice(0, 80)}`,
        "Start one from the board.",
      );
    }
    return mission;
  }

  /**
   * Records the step whose turn it is. When this returns it is on disk.
   *
   * @returns the record, and the mission after it.
   */
  async record(
    mission: Mission,
    requestHash: Hex,
    responseHash: Hex,
    answer: Answer,
  ): Promise<{ record: StoredRecord; mission: Mission }> {
    const index = mission.position;
    const step = mission.steps[index];
    if (step === undefined) throw new Error(`mission ${mission.id} is complete`);
    const attestation = attestationHash(step, { requestHash, responseHash }, stepNonce(mission.nonce, index));
    const chain = fold(mission.chain, attestation);
    const record = { index, requestHash, responseHash, attestation, chain, recordedAt: this.#options.now() };
    await this.#options.store.record(mission.id, mission.chain, record, answer);
    this.#options.at("step-recorded");
    const moved = { ...mission, position: index + 1, chain };
    return { record, mission: moved };
  }

  /** The mission, with its terminal signed when it is complete and bound. */
  async signed(mission: Mission): Promise<Mission> {
    const { binding, signature } = mission;
    if (signature !== null || binding === null || this.statusOf(mission) !== "completed") return mission;
    const { store, wallet, at } = this.#options;
    const { domain, types, message } = executionTerminalTypedData({
      ...binding,
      committedRoot: mission.committedRoot,
      terminal: mission.chain,
    });
    const made = await wallet.signTypedData(domain, types, message);
    await store.sign(mission.id, made);
    at("terminal-signed");
    return { ...mission, signature: made };
  }

  statusOf(mission: Mission): ReturnType<typeof statusOf> {
    return statusOf(mission, this.#options.now());
  }

  #job(id: string): Job {
    const job = this.#options.jobs.find((item) => item.id === id);
    if (job === undefined) {
      throw new ProblemError("not_found", `there is no job ${id.slice(0, 80)}`, "Take one from the board.");
    }
    return job;
  }

  #offerOf(id: string, jobId: string, agentId: string): Offer {
    const offer = this.#options.store.offer(id);
    if (offer?.jobId === jobId && offer.agentId === agentId) return offer;
    throw new ProblemError(
      "not_found",
      `there is no offer ${id.slice(0, 80)} of this job for you`,
      "Ask for one.",
    );
  }

  #startedWith(missionId: string, agentNonce: Hex): Mission {
    const mission = this.mission(missionId);
    if (mission.agentNonce === agentNonce) return mission;
    throw conflict(`the offer was taken with agent_nonce ${mission.agentNonce}`);
  }

  #own(mission: Mission, agentId: string): Mission {
    if (mission.agentId === agentId) return mission;
    throw new ProblemError(
      "forbidden",
      `mission ${mission.id} is another agent's`,
      "Use the key that began it.",
    );
  }

  #missionOf(
    agentId: string,
    nonce: Hex,
    steps: Mission["steps"],
    origin: Pick<Mission, "jobId" | "recorderNonce" | "agentNonce" | "binding">,
  ): Mission {
    const root = committedRoot(nonce, sequenceHash(steps));
    const startedAt = this.#options.now();
    return {
      id: newId("mission"),
      agentId,
      nonce,
      steps,
      committedRoot: root,
      chain: root,
      position: 0,
      startedAt,
      expiresAt: startedAt + this.#options.missionSeconds,
      signature: null,
      ...origin,
    };
  }
}

function requireSameWalk(mission: Mission, { execution }: BoundAgreement): void {
  const root = committedRoot(execution.nonce, sequenceHash(execution.steps));
  if (root === mission.committedRoot) return;
  throw conflict(`the agreement commits to ${root}, the mission to ${mission.committedRoot}`);
}

function conflict(detail: string): ProblemError {
  return new ProblemError(
    "conflict",
    detail,
    "Compare the two; begin another mission if they have to differ.",
  );
}
