import { isOpen, transition, type SubmissionState } from "../core/index.ts";
import {
  keyOf,
  type Commit,
  type SubmissionChange,
  type SubmissionRow,
  type SubmissionStep,
} from "../store/index.ts";
import type { Task } from "./boundary.ts";
import type { Change, Found } from "./step.ts";

/**
 * What was found out about a submission and is not written yet: as many steps as need no other's eyes share one write.
 * A crash forgets them, and the same facts are then found again.
 */
export interface Draft {
  /** The submission as it is stored. */
  readonly row: SubmissionRow;
  readonly steps: readonly SubmissionStep[];
  /** What was done, in order. */
  readonly tasks: readonly Task[];
  readonly change: Change;
  readonly others: readonly SubmissionChange[];
}

export function draftOf(row: SubmissionRow): Draft {
  return { row, steps: [], tasks: [], change: {}, others: [] };
}

/** The submission's state with everything that was found out. */
export function stateOf({ row, steps }: Draft): SubmissionState {
  return steps.at(-1)?.after ?? row.state;
}

/** The draft with one more step; the same one when the state expects none of the events. */
export function extended(draft: Draft, task: Task, { events, change = {}, others = [] }: Found): Draft {
  const before = stateOf(draft);
  const after = events.reduce((state, event) => transition(state, event).state, before);
  if (after === before) return draft;
  return {
    row: draft.row,
    steps: [...draft.steps, { after, events: events.map(({ type }) => type) }],
    tasks: [...draft.tasks, task],
    change: together(draft.change, change),
    others: [...draft.others, ...others],
  };
}

/** The draft with something to write that is no step. */
export function annotated(draft: Draft, task: Task, change: Change): Draft {
  return { ...draft, tasks: [...draft.tasks, task], change: together(draft.change, change) };
}

/** Whether nothing may be done before it is written: others have to see it, or what comes next reads it back. */
export function isDue({ steps, change, others }: Draft): boolean {
  const { agreements, outbox, bumps, signed, attestations, wakes, outboxStatus = [] } = change;
  const last = steps.at(-1)?.after;
  return (
    [agreements, outbox, bumps, signed, attestations, wakes, others].some((list = []) => list.length > 0) ||
    outboxStatus.some(({ status }) => status === "closed") ||
    (last !== undefined && !isOpen(last.name))
  );
}

/** Whether there is nothing to write. */
export function isEmpty({ tasks }: Draft): boolean {
  return tasks.length === 0;
}

/**
 * The draft as a commit.
 *
 * @param nextAt when to look again, wall clock in milliseconds.
 * @param isReleased whether whoever worked on it lets go of it.
 */
export function commitOf(draft: Draft, at: number, nextAt: number, isReleased: boolean): Commit {
  const { row, steps, change, others } = draft;
  const released = isReleased ? { released: [keyOf(row.state)] } : {};
  const last = steps.at(-1);
  if (last === undefined) return { at, ...change, ...released, postponed: [{ row, nextAt }] };
  const own: SubmissionChange = {
    ...last,
    before: row,
    earlier: steps.slice(0, -1),
    nextAt: isOpen(last.after.name) ? nextAt : null,
  };
  return { at, ...change, ...released, submissions: [own, ...others] };
}

/** Commits of several submissions as one, in which all of them are written or none. */
export function joined(commits: readonly Commit[], at: number): Commit {
  return commits.reduce((all, next) => together(all, next), { at });
}

/** Lists end to end; of what is no list, the later one counts. */
function together<T extends Partial<Commit>>(one: T, other: T): T {
  const lists = Object.entries(other).map(([name, value]: [string, unknown]) => {
    const before: unknown = one[name as keyof T];
    const isList = Array.isArray(before) && Array.isArray(value);
    return [name, isList ? [...(before as unknown[]), ...(value as unknown[])] : (value ?? before)];
  });
  return { ...one, ...(Object.fromEntries(lists) as T) };
}
