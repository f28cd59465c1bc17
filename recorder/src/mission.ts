import { type Address, type Hex, type Step, matchesTemplate } from "@assay/protocol";

/** The agreement that a mission is walked for. */
export interface Binding {
  readonly chainId: number;
  readonly escrow: Address;
  readonly agreementId: Hex;
  /** What the terms promise, in the token's base units, in decimal. */
  readonly reward: string;
  /** Who decides about it: a gate, or a quorum of operators. */
  readonly adjudicator: Address;
}

/** A committed walk, and how far it is. */
export interface Mission {
  readonly id: string;
  readonly agentId: string;
  /** The job that it was taken from; null for a mission that an agreement asks for. */
  readonly jobId: string | null;
  readonly nonce: Hex;
  /** What the nonce was mixed from; null when an agreement fixed it. */
  readonly recorderNonce: Hex | null;
  readonly agentNonce: Hex | null;
  readonly steps: readonly Step[];
  readonly committedRoot: Hex;
  readonly chain: Hex;
  /** How many steps are recorded; the next one's index. */
  readonly position: number;
  /** Unix seconds. */
  readonly startedAt: number;
  readonly expiresAt: number;
  readonly binding: Binding | null;
  /** The recorder's signature of the terminal, once the mission is complete and bound. */
  readonly signature: string | null;
}

/** Where a mission is. */
export type MissionStatus = "in_progress" | "completed" | "expired";

/** @param now Unix seconds. */
export function statusOf(mission: Mission, now: number): MissionStatus {
  if (mission.position === mission.steps.length) return "completed";
  return now > mission.expiresAt ? "expired" : "in_progress";
}

/** Why an answer was not stamped. */
export type Unstamped =
  /** The mission's header came without a key of this recorder, or with an unknown one. */
  | "unauthenticated"
  /** No such mission, or another agent's. */
  | "unknown_mission"
  | "completed"
  | "expired"
  /** The call is of another step than the one whose turn it is. */
  | "out_of_order"
  /** The call is of no step. */
  | "no_match"
  | "request_too_large"
  | "answer_too_large"
  /** The answer is an endless stream of events. */
  | "streaming"
  /** The answer is no success. */
  | "status";

/** Whether a request is a call of the step. */
function isCallOf(step: Step | undefined, method: string, target: string): boolean {
  return step?.method === method && matchesTemplate(step.pathTemplate, target);
}

/** What a request is to a mission. */
export interface Part {
  /** It is a call of the step whose turn it is. */
  readonly isCurrent: boolean;
  /** It is a call of the step that was recorded last, so perhaps a repetition. */
  readonly mayRepeat: boolean;
}

/** @param now Unix seconds. */
export function partOf(mission: Mission, method: string, target: string, now: number): Part {
  const { steps, position } = mission;
  const isOpen = statusOf(mission, now) === "in_progress";
  return {
    isCurrent: isOpen && isCallOf(steps[position], method, target),
    mayRepeat: isCallOf(steps[position - 1], method, target),
  };
}

/** Why a request is neither the current step nor a repetition of the last. */
export function reasonAgainst(mission: Mission, method: string, target: string, now: number): Unstamped {
  const status = statusOf(mission, now);
  if (status !== "in_progress") return status;
  return mission.steps.some((step) => isCallOf(step, method, target)) ? "out_of_order" : "no_match";
}
