import { effectsOf, isOpen, transition, type Effect, type SubmissionState } from "../core/index.ts";
import { errorText } from "../observe/logger.ts";
import {
  HaltedError,
  NonceTakenError,
  SignedOtherwiseError,
  SignerBusyError,
  StaleVersionError,
  StoreError,
  type SubmissionKey,
  type SubmissionRow,
} from "../store/index.ts";
import { BoundaryError, type BoundaryHook } from "./boundary.ts";
import { laneOf, type Lane } from "./lanes.ts";
import { createPace } from "./pace.ts";
import { createQueues } from "./queues.ts";
import type { Services } from "./services.ts";
import { NotYetError, type Handler, type Step } from "./step.ts";

/** Submissions worked on at the same time. */
const CONCURRENCY = 64;
/** Room for so many before the next are taken up: looking for what is due costs the same for one as for many. */
const CLAIM_LEAST = 16;
/** Submissions that may be at work in one lane: the others keep the room that what needs no lane works in. */
const MAX_IN_LANE = 8;
/** Submissions that may stand in line for one lane and take no room; who finds it full looks again later. */
const MAX_IN_LINE = 1_024;
/** Steps that one submission may take before others have their turn. */
const MAX_STEPS = 24;
/** Longest pause after failures, in milliseconds. */
const MAX_BACKOFF = 60_000;
/** Milliseconds between two counts of the submissions in each state. */
const COUNT_EVERY = 10_000;
/** Failures in a row of a kind that waiting does not explain, before a person has to look. */
const MAX_UNEXPLAINED = 10;

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
  const queues = createQueues(MAX_IN_LANE, MAX_IN_LINE);
  const stopped = () => draining() || failures.length > 0;

  const pace = createPace({
    config,
    simulated: services.judge.network.simulated,
    now: () => clock.now(),
  });
  let counted = 0;

  /** One effect of one submission. Returns the row to go on with, or null when it has to wait. */
  async function work(row: SubmissionRow): Promise<SubmissionRow | null> {
    const [effect, handler] = taskOf(row.state);
    if (effect === null) {
      await store.postpone(row, clock.now() + pace.pause("finality", "page", row), null);
      return null;
    }
    const lane = laneOf(services, effect, row.state);
    try {
      return lane === null
        ? await apply(row, effect, await handler(row))
        : await workInLane(lane, row, effect, handler);
    } catch (error) {
      return failed(row, error);
    }
  }

  /** Only what takes a nonce is written in the lane. Null when the lane has no room: the submission stands in line. */
  async function workInLane(
    lane: Lane,
    row: SubmissionRow,
    effect: Effect | "closeWindow",
    handler: Handler,
  ): Promise<SubmissionRow | null> {
    const entry = queues.enter(lane.chain, keyOf(row.state));
    if (entry === "full") return apply(row, effect, { wait: "lane" });
    if (entry === "inLine") return null;
    let step;
    try {
      step = await store.withSigner(lane.chain, lane.signer, async () => {
        const found = await handler(row);
        return "wait" in found ? found : { next: await apply(row, effect, found) };
      });
    } finally {
      queues.leave(lane.chain);
      advance(lane);
    }
    return "next" in step ? step.next : apply(row, effect, step);
  }

  function taskOf(state: SubmissionState): readonly [Effect | "closeWindow" | null, Handler] {
    const final = services.view()?.final.timestamp ?? 0;
    const settling = state.name === "SETTLED_SEEN" || state.name === "SETTLE_INCLUDED";
    if (final > state.adjudicateBy && !settling && (isOpen(state.name) || state.name === "QUARANTINED"))
      return ["closeWindow", closeWindow];
    const [effect] = effectsOf(state);
    return effect === undefined || effect === "page" ? [null, closeWindow] : [effect, handlers[effect]];
  }

  async function apply(
    row: SubmissionRow,
    effect: Effect | "closeWindow",
    step: Step,
  ): Promise<SubmissionRow | null> {
    if ("wait" in step) {
      if (step.note !== undefined) logger.debug({ ...about(row.state), note: step.note }, "Waiting");
      if (step.change !== undefined) {
        await boundary(`${effect}.done`);
        await store.commit({ at: clock.now(), ...step.change });
        await boundary(`${effect}.committed`);
      }
      await store.postpone(row, clock.now() + pace.pause(step.wait, effect, row), null);
      return null;
    }
    await boundary(`${effect}.done`);
    const after = step.events.reduce((state, event) => transition(state, event).state, row.state);
    if (after === row.state) {
      await store.postpone(row, clock.now() + pace.pause("poll", effect, row), null);
      return null;
    }
    const [written] = await store.commit({
      at: clock.now(),
      ...step.change,
      submissions: [
        {
          before: row,
          after,
          events: step.events.map((event) => event.type),
          nextAt: isOpen(after.name) ? clock.now() : null,
        },
        ...(step.others ?? []),
      ],
    });
    await boundary(`${effect}.committed`);
    return isOpen(after.name) ? (written ?? null) : null;
  }

  async function failed(row: SubmissionRow, error: unknown): Promise<null> {
    if (error instanceof BoundaryError || error instanceof StoreError) throw error;
    // Somebody changed the row meanwhile; it is due again by itself.
    if (error instanceof StaleVersionError) return null;
    if (error instanceof SignedOtherwiseError) {
      await apply(row, "attest", { events: [{ type: "Disagreement", reason: error.message }] });
      return null;
    }
    const explained = isExplained(error);
    if (!explained && row.attempts + 1 >= MAX_UNEXPLAINED) {
      const reason = `gave up after ${row.attempts + 1} failures: ${errorText(error)}`;
      await apply(row, "page", { events: [{ type: "Quarantined", reason }] });
      return null;
    }
    const line = { ...about(row.state), attempts: row.attempts + 1, error };
    if (explained) logger.debug(line, "Will try again");
    else logger.warn(line, "Failed, will try again");
    const pause = Math.min(MAX_BACKOFF, config.pollMilliseconds * 2 ** Math.min(row.attempts, 16));
    await store.postpone(row, clock.now() + pause, errorText(error));
    return null;
  }

  /** As many steps of one submission as it can take now. Who stands in line stays this worker's. */
  async function drive(row: SubmissionRow): Promise<void> {
    let current: SubmissionRow | null = row;
    for (let steps = 0; current !== null && steps < MAX_STEPS && !stopped(); steps++)
      current = await work(current);
    const key = keyOf(row.state);
    if (!queues.isInLine(key)) await store.release([key]);
  }

  /** Lets the next in line go on, if there is a place. What changed about it meanwhile counts; it may need no lane now. */
  function advance(lane: Lane): void {
    const key = queues.next(lane.chain);
    if (key === null) return;
    begin(async () => {
      const row = await store.submission(key);
      if (row === null) await store.release([key]);
      else await drive(row);
      advance(lane);
    });
  }

  function begin(work: () => Promise<void>): void {
    const task = work()
      .catch((error: unknown) => void failures.push(error))
      .finally(() => active.delete(task));
    active.add(task);
  }

  return {
    async step() {
      if (failures.length > 0) throw failures[0];
      if (clock.now() - counted > COUNT_EVERY) {
        counted = clock.now();
        pace.count(await store.countByState());
      }
      while (CONCURRENCY - active.size < CLAIM_LEAST) await Promise.race(active);
      const rows = await store.claim(clock.now(), CONCURRENCY - active.size);
      for (const row of rows) begin(() => drive(row));
      return rows.length;
    },
    async idle() {
      while (active.size > 0) await Promise.all(active);
      await store.release(queues.empty());
    },
  };
}

function keyOf(state: SubmissionState): SubmissionKey {
  return { agreementId: state.agreementId, submissionHash: state.submissionHash };
}

function about(state: SubmissionState) {
  return { agreement: state.agreementId, submission: state.submissionHash, state: state.name };
}

/** Failures that the world explains: an endpoint is down, an answer is not there yet. Trying again is all there is. */
function isExplained(error: unknown): boolean {
  return (
    error instanceof NotYetError ||
    error instanceof NonceTakenError ||
    error instanceof SignerBusyError ||
    error instanceof HaltedError ||
    (error instanceof Error &&
      ["RpcUnavailableError", "RpcResponseError", "JudgeUnavailableError"].includes(error.name))
  );
}
