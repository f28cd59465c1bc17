import { effectsOf, isOpen, type Effect, type Event, type SubmissionState } from "../core/index.ts";
import { errorText } from "../observe/logger.ts";
import { SignedOtherwiseError, StaleVersionError, keyOf, type SubmissionRow } from "../store/index.ts";
import type { BoundaryHook, Task } from "./boundary.ts";
import {
  annotated,
  commitOf,
  draftOf,
  extended,
  isDue,
  isEmpty,
  joined,
  stateOf,
  type Draft,
} from "./draft.ts";
import { isExplained, isFatal } from "./failure.ts";
import { Journal } from "./journal.ts";
import type { Lane } from "./lane.ts";
import { laneOf } from "./lanes.ts";
import { createPace } from "./pace.ts";
import type { Services } from "./services.ts";
import type { Found, Handler, Signing, Waiting } from "./step.ts";
import { createTurns, type Signed, type Turn } from "./turns.ts";

/** Submissions worked on at the same time. */
const CONCURRENCY = 64;
/** Room for so many before the next are taken up: looking for what is due costs the same for one as for many. */
const CLAIM_LEAST = 16;
/** Steps that one submission may take before others have their turn. */
const MAX_STEPS = 24;
/** Longest pause after failures, in milliseconds. */
const MAX_BACKOFF = 60_000;
/** Milliseconds between two counts of the submissions in each state. */
const COUNT_EVERY = 10_000;
/** Failures in a row of a kind that waiting does not explain, before a person has to look. */
const MAX_UNEXPLAINED = 10;

/** A submission in line for a nonce, for the sake of one effect. */
interface LaneTurn extends Turn {
  readonly effect: Task;
  readonly journal: Journal;
}

/** Works on submissions whose time has come. */
export interface Runner {
  /**
   * Takes up what is due, as far as there is room, and waits for room when there is none. Returns how many it took.
   * What it took goes on beside; a failure that ends the worker is told by the next step.
   */
  step(): Promise<number>;
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>;
}

export function createRunner(options: {
  readonly services: Services;
  readonly handlers: Readonly<Record<Exclude<Effect, "page">, Handler>>;
  readonly closeWindow: Handler;
  readonly boundary: BoundaryHook;
  /** Whether to stop taking up work. */
  readonly draining: () => boolean;
}): Runner {
  const { services, handlers, closeWindow, boundary, draining } = options;
  const { store, clock, logger, config } = services;
  const active = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const stopped = () => draining() || failures.length > 0;
  const turns = createTurns<LaneTurn>({ store, begin, stopped, write: writeSigned, failed: failedTurn });

  const pace = createPace({
    config,
    simulated: services.judge.network.simulated,
    now: () => clock.now(),
  });
  let counted = 0;

  /** As many steps of one submission as it can take now. Who stands in line stays this worker's. */
  async function drive(begun: Draft, journal = new Journal(store, begun.row.state)): Promise<void> {
    let draft: Draft | null = begun;
    for (let steps = 0; draft !== null && steps < MAX_STEPS && !stopped(); steps++)
      draft = await work(draft, journal);
    if (draft === null || failures.length > 0) return;
    if (isEmpty(draft)) await store.release([keyOf(draft.row.state)]);
    else await rest(draft, clock.now()).catch((error: unknown) => failed(begun, error));
  }

  /** One effect of one submission. Returns the draft to go on with, or null when it has to wait. */
  async function work(draft: Draft, journal: Journal): Promise<Draft | null> {
    const state = stateOf(draft);
    const [effect, handler] = taskOf(state);
    try {
      if (effect === null) return await waited(draft, "page", { wait: "finality" });
      const lane = laneOf(services, effect, state);
      if (lane !== null) return await standInLine(draft, effect, lane, handler);
      const step = await handler({ ...draft.row, state, journal });
      if ("sign" in step) return await standInLine(draft, effect, step.lane, () => Promise.resolve(step));
      return await taken(draft, effect, step, journal);
    } catch (error) {
      return failed(draft, error);
    }
  }

  function taskOf(state: SubmissionState): readonly [Task | null, Handler] {
    const final = services.view()?.final.timestamp ?? 0;
    const settling = state.name === "SETTLED_SEEN" || state.name === "SETTLE_INCLUDED";
    if (final > state.adjudicateBy && !settling && (isOpen(state.name) || state.name === "QUARANTINED"))
      return ["closeWindow", closeWindow];
    const [effect] = effectsOf(state);
    return effect === undefined || effect === "page" ? [null, closeWindow] : [effect, handlers[effect]];
  }

  /** What a handler found, as a draft to go on with. */
  async function taken(
    draft: Draft,
    effect: Task,
    step: Found | Waiting,
    journal: Journal,
  ): Promise<Draft | null> {
    if ("wait" in step) return waited(draft, effect, step);
    await boundary(`${effect}.done`);
    const next = extended(draft, effect, step);
    if (next === draft) return waited(draft, effect, { wait: "poll" });
    await journal.take(step.change ?? {}, clock.now());
    if (!isDue(next)) return next;
    const isOver = !isOpen(stateOf(next).name);
    const row = await written(next, clock.now(), isOver);
    return isOver ? null : draftOf(row);
  }

  async function waited(draft: Draft, effect: Task, { wait, note, change }: Waiting): Promise<null> {
    if (note !== undefined) logger.debug({ ...about(stateOf(draft)), note }, "Waiting");
    if (change !== undefined) await boundary(`${effect}.done`);
    const now = clock.now();
    const movedAt = draft.steps.length > 0 ? now : draft.row.updatedAt;
    const pause = pace.pause(wait, effect, now - movedAt);
    return rest(change === undefined ? draft : annotated(draft, effect, change), now + pause);
  }

  /** Lets a submission go until a time. */
  async function rest(draft: Draft, nextAt: number): Promise<null> {
    if (isEmpty(draft)) await store.postpone(draft.row, nextAt, null);
    else await written(draft, nextAt, true);
    return null;
  }

  /** Writes a draft. Returns the submission as it is then. @throws what `Store.commit` throws. */
  async function written(draft: Draft, nextAt: number, isReleased: boolean): Promise<SubmissionRow> {
    const {
      submissions: [row],
    } = await store.commit(commitOf(draft, clock.now(), nextAt, isReleased));
    for (const task of draft.tasks) await boundary(`${task}.committed`);
    // A place in a lane may be free now.
    if (draft.change.outboxStatus !== undefined || !isOpen(stateOf(draft).name)) turns.look();
    return row ?? draft.row;
  }

  async function failed(draft: Draft, error: unknown): Promise<null> {
    if (isFatal(error)) throw error;
    try {
      // Somebody changed the row meanwhile; it is due again by itself.
      if (error instanceof StaleVersionError) await store.release([keyOf(draft.row.state)]);
      else if (error instanceof SignedOtherwiseError)
        await conclude(draft, "attest", { type: "Disagreement", reason: error.message });
      else await tryAgain(isEmpty(draft) ? draft.row : await written(draft, clock.now(), false), error);
    } catch (another) {
      if (!(another instanceof StaleVersionError)) throw another;
      await store.release([keyOf(draft.row.state)]);
    }
    return null;
  }

  async function failedTurn({ row }: LaneTurn, error: unknown): Promise<void> {
    await failed(draftOf(row), error);
  }

  async function tryAgain(row: SubmissionRow, error: unknown): Promise<void> {
    const attempts = row.attempts + 1;
    const explained = isExplained(error);
    if (!explained && attempts >= MAX_UNEXPLAINED) {
      const reason = `gave up after ${attempts} failures: ${errorText(error)}`;
      return conclude(draftOf(row), "page", { type: "Quarantined", reason });
    }
    const line = { ...about(row.state), attempts, error };
    if (explained) logger.debug(line, "Will try again");
    else logger.warn(line, "Failed, will try again");
    const pause = Math.min(MAX_BACKOFF, config.pollMilliseconds * 2 ** Math.min(row.attempts, 16));
    await store.postpone(row, clock.now() + pause, errorText(error));
  }

  /** Ends the work on a submission with an event; where its state expects none, it is looked at again later. */
  async function conclude(draft: Draft, task: Task, event: Event): Promise<void> {
    await boundary(`${task}.done`);
    await rest(extended(draft, task, { events: [event] }), clock.now() + pace.pause("poll", task, 0));
  }

  /** Only what takes a nonce is written in the lane: the submission stands in line with nothing unwritten. */
  async function standInLine(draft: Draft, effect: Task, lane: Lane, handler: Handler): Promise<null> {
    const row = isEmpty(draft) ? draft.row : await written(draft, clock.now(), false);
    const journal = new Journal(store, row.state);
    const prepare = () => prepared(row, effect, handler, journal);
    const entered = turns.enter(lane, { row, effect, journal, prepare });
    if (!entered) return waited(draftOf(row), effect, { wait: "lane" });
    turns.look();
    return null;
  }

  /** What is to be signed for a submission whose turn has come; null when it goes on without. */
  async function prepared(
    row: SubmissionRow,
    effect: Task,
    handler: Handler,
    journal: Journal,
  ): Promise<Signing | null> {
    const draft = draftOf(row);
    try {
      const step = await handler({ ...row, journal });
      if ("sign" in step) return step;
      begin(async () => {
        const next = await taken(draft, effect, step, journal).catch((error: unknown) =>
          failed(draft, error),
        );
        if (next !== null) await drive(next, journal);
      });
    } catch (error) {
      await failed(draft, error);
    }
    return null;
  }

  /** Journals what was signed in one lane, all of it or nothing. Returns how each goes on. */
  async function writeSigned(all: readonly Signed<LaneTurn>[]): Promise<readonly (() => Promise<void>)[]> {
    const now = clock.now();
    for (const { turn } of all) await boundary(`${turn.effect}.done`);
    const drafts = all.map((one) => journalled(one));
    const commits = drafts.map((draft) => {
      const isOver = draft.steps.length === 0;
      return commitOf(draft, now, isOver ? now + pace.pause("poll", "page", 0) : now, isOver);
    });
    const { submissions, intents } = await store.commit(joined(commits, now));
    for (const { turn } of all) await boundary(`${turn.effect}.committed`);
    const rows = submissions.values();
    return all.map(({ turn: { journal } }, index) => {
      const [draft, intent] = [drafts[index], intents[index]];
      for (const outbox of draft?.change.outbox ?? []) if (intent) journal.begun(outbox, intent, now);
      const row = draft?.steps.length === 0 ? undefined : rows.next().value;
      return () => (row === undefined ? Promise.resolve() : drive(draftOf(row), journal));
    });
  }

  return {
    async step() {
      if (failures.length > 0) throw failures[0];
      if (clock.now() - counted > COUNT_EVERY) {
        counted = clock.now();
        pace.count(await store.countByState());
      }
      turns.look();
      while (CONCURRENCY - active.size < CLAIM_LEAST) await Promise.race(active);
      const rows = await store.claim(clock.now(), CONCURRENCY - active.size);
      for (const row of rows) begin(() => drive(draftOf(row)));
      return rows.length;
    },
    async idle() {
      while (active.size > 0) await Promise.all(active);
      await store.release(turns.empty());
    },
  };

  function begin(work: () => Promise<void>): void {
    const task = work()
      .catch((error: unknown) => void failures.push(error))
      .finally(() => active.delete(task));
    active.add(task);
  }
}

/** The draft of a submission for which something was signed. */
function journalled({
  turn: { row, effect },
  signing: { lane, signed },
  transaction,
}: Signed<LaneTurn>): Draft {
  const { purpose, chain, signer } = lane;
  const change = { outbox: [{ key: keyOf(row.state), purpose, chain, signer, transaction }] };
  const step = signed(transaction.transactionHash);
  return "wait" in step
    ? annotated(draftOf(row), effect, change)
    : extended(draftOf(row), effect, { events: step.events, change });
}

function about(state: SubmissionState) {
  return { agreement: state.agreementId, submission: state.submissionHash, state: state.name };
}
