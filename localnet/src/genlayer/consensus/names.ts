/** Transaction statuses; `ACTIVATED` and `LEADER_REVEALING` are names that Studio knows and genlayer-js 1.2.0 does not. */
export const STATUS_NUMBERS = {
  UNINITIALIZED: 0,
  PENDING: 1,
  ACTIVATED: 1,
  PROPOSING: 2,
  COMMITTING: 3,
  REVEALING: 4,
  ACCEPTED: 5,
  UNDETERMINED: 6,
  FINALIZED: 7,
  CANCELED: 8,
  APPEAL_REVEALING: 9,
  APPEAL_COMMITTING: 10,
  READY_TO_FINALIZE: 11,
  VALIDATORS_TIMEOUT: 12,
  LEADER_TIMEOUT: 13,
  LEADER_REVEALING: 14,
} as const;
export type Status = keyof typeof STATUS_NUMBERS;

/** What a round's votes came to. */
export const RESULT_NUMBERS = {
  IDLE: 0,
  AGREE: 1,
  DISAGREE: 2,
  TIMEOUT: 3,
  DETERMINISTIC_VIOLATION: 4,
  NO_MAJORITY: 5,
  MAJORITY_AGREE: 6,
  MAJORITY_DISAGREE: 7,
} as const;
export type Result = keyof typeof RESULT_NUMBERS;

/** How the leader's run ended. It says nothing about whether the validators agreed. */
export const EXECUTION_NUMBERS = { NOT_VOTED: 0, FINISHED_WITH_RETURN: 1, FINISHED_WITH_ERROR: 2 } as const;
export type Execution = keyof typeof EXECUTION_NUMBERS;

/** One validator's vote, in Studio's spelling. `idle` (the node itself failed) counts as a disagreement. */
export const VOTE_NUMBERS = {
  not_voted: 0,
  agree: 1,
  disagree: 2,
  timeout: 3,
  deterministic_violation: 4,
  idle: 0,
} as const;
export type Vote = keyof typeof VOTE_NUMBERS;

/** Whether `value` is a status name. */
export function isStatus(value: unknown): value is Status {
  return typeof value === "string" && Object.hasOwn(STATUS_NUMBERS, value);
}

/** Whether `value` is a vote. */
export function isVote(value: unknown): value is Vote {
  return typeof value === "string" && Object.hasOwn(VOTE_NUMBERS, value);
}
