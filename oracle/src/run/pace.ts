import type { OperatorConfig } from "../config/index.ts";
import type { Effect, StateName } from "../core/index.ts";
import { LONGEST_PAUSE_MILLISECONDS } from "../store/index.ts";
import type { Waiting } from "./step.ts";

/** A public GenLayer node allows two contract reads a second: poll no faster than this, in milliseconds. */
const PUBLIC_JUDGE_POLL = 5_000;
/** Looks at judge transactions in a second, however many are under way. */
const JUDGE_LOOKS_PER_SECOND = { simulated: 500, public: 10 };
/** Such a submission is looked at when it has waited this part longer than at the last look. */
const PATIENCE = 8;
/** Safety net for what the ingest wakes, in milliseconds. */
const FINALITY_POLL = 60_000;
/** Looks in one poll at submissions that wait for room in a lane. */
const TURNS_PER_POLL = 32;

/** Effects that wait for documents and for other members' signatures. */
const PATIENT: readonly (Effect | "closeWindow")[] = ["collectDocuments", "collectAttestations"];

type Wait = Waiting["wait"];

/** How long submissions pause between two looks: so that few are quick, and many don't drown the service. */
export interface Pace {
  /**
   * Milliseconds until the next look at a submission.
   *
   * @param stood milliseconds since its state last changed.
   */
  pause(wait: Wait, effect: Effect | "closeWindow", stood: number): number;
  /** Tells how many submissions are in each state, for what depends on their number. */
  count(states: ReadonlyMap<StateName, number>): void;
}

export function createPace(options: {
  readonly config: Pick<OperatorConfig, "pollMilliseconds">;
  /** Whether the judge's network is simulated: then nobody limits how often it is asked. */
  readonly simulated: boolean;
  /** Wall clock, milliseconds. */
  readonly now: () => number;
}): Pace {
  const { config, simulated, now } = options;
  const poll = config.pollMilliseconds;
  const judgePoll = simulated ? poll : Math.max(poll, PUBLIC_JUDGE_POLL);
  const looks = simulated ? JUDGE_LOOKS_PER_SECOND.simulated : JUDGE_LOOKS_PER_SECOND.public;
  let judging = 0;
  /** When the next waiter of each lane has its turn. */
  const turns = new Map<string, number>();

  /** One after the other, in the order in which they came to wait. */
  function turnOf(lane: string): number {
    const turn = Math.max(now(), turns.get(lane) ?? 0) + poll / TURNS_PER_POLL;
    turns.set(lane, turn);
    return Math.ceil(turn - now());
  }

  /** What waits for somebody else may do so for weeks; whoever brings it at last wakes it. */
  function patience(effect: Effect | "closeWindow", stood: number): number {
    return PATIENT.includes(effect) ? stood / PATIENCE : 0;
  }

  function asked(wait: Exclude<Wait, "lane">, effect: Effect | "closeWindow", stood: number): number {
    switch (wait) {
      case "judgePoll":
        return Math.max(judgePoll, (judging * 1_000) / looks);
      case "poll":
        return Math.max(poll, patience(effect, stood));
      case "finality":
        return FINALITY_POLL;
    }
  }

  return {
    pause(wait, effect, stood) {
      // However many wait, and however long: what is due later than the longest pause would count as due.
      return wait === "lane"
        ? Math.min(LONGEST_PAUSE_MILLISECONDS, turnOf(effect))
        : sooner(Math.min(LONGEST_PAUSE_MILLISECONDS, asked(wait, effect, stood)));
    },
    count(states) {
      judging = (states.get("JUDGING") ?? 0) + (states.get("PROVISIONAL") ?? 0);
    },
  };
}

/** A little sooner than asked, so that many submissions do not come due in one instant. */
function sooner(milliseconds: number): number {
  return Math.round(milliseconds * (1 - Math.random() / 4));
}
