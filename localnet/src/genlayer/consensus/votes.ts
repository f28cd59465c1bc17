import type { Result, Vote } from "./names.ts";

/** What a vote depends on in one node's run of a transaction. */
export interface RunOutcome {
  readonly kind: "return" | "user-error" | "vm-error" | "timeout" | "internal-error";
  /** The return value or error text, as any injective string form. */
  readonly data: string;
  /** Hash of the storage that the run left; null when it was rolled back. */
  readonly stateHash: string | null;
}

/** A validator's own run: its outcome, and its rulings on the leader's nondeterministic outputs. */
export interface ValidatorOutcome extends RunOutcome {
  readonly validatorVotes: readonly boolean[];
}

/**
 * The vote that a validator's own run comes to.
 *
 * A ruling against one of the leader's outputs is a disagreement; without one, any difference must come from the
 * deterministic code, which two honest nodes can never differ in.
 */
export function voteOn(leader: RunOutcome, own: ValidatorOutcome): Vote {
  if (own.kind === "timeout") return "timeout";
  if (own.kind === "internal-error") return "idle";
  if (own.validatorVotes.includes(false)) return "disagree";
  const same = own.kind === leader.kind && own.data === leader.data && own.stateHash === leader.stateHash;
  return same ? "agree" : "deterministic_violation";
}

/** Counts votes: strictly more than half decides. Whatever is neither agreement nor timeout is disagreement. */
export function tally(votes: readonly Vote[]): Result {
  const isMajority = (count: number): boolean => count * 2 > votes.length;
  const agreeing = votes.filter((vote) => vote === "agree").length;
  const timedOut = votes.filter((vote) => vote === "timeout").length;
  if (isMajority(agreeing)) return "MAJORITY_AGREE";
  if (isMajority(timedOut)) return "TIMEOUT";
  if (isMajority(votes.length - agreeing - timedOut)) return "MAJORITY_DISAGREE";
  return "NO_MAJORITY";
}
