import { isDeepStrictEqual } from "node:util";
import type { Case, Observation } from "./case.ts";
import type { OfficialAnswer } from "./official.ts";

/**
 * - `same`, `differs`: ours and the SDK's, on every step;
 * - `known`: they differ exactly as the case says that they do;
 * - `not shown`: the host that ran the SDK lacks what the case needs;
 * - `not compared`: only our side ran;
 * - `failed`: the host of the SDK broke down.
 */
export type Status = "same" | "differs" | "known" | "not shown" | "not compared" | "failed";

/** One step: what was expected of GenVM, what ours gave, what the SDK gave. */
export interface StepReport {
  readonly step: number;
  readonly expected: Observation;
  readonly ours: Observation;
  readonly official?: Observation;
}

/** One case. */
export interface CaseReport {
  readonly id: string;
  readonly status: Status;
  /** Whether our side gave what the case expects, a known difference included. */
  readonly oursAsExpected: boolean;
  /** Whether the SDK gave what the case expects of GenVM. */
  readonly officialAsExpected?: boolean;
  /** Why, where there is something to say. */
  readonly why: readonly string[];
  readonly steps: readonly StepReport[];
}

/** Compares what both sides gave for a case; `answer` is absent when the SDK did not run. */
export function compare(
  item: Case,
  ours: readonly Observation[],
  answer: OfficialAnswer | undefined,
): CaseReport {
  const official = answer !== undefined && "observed" in answer ? answer.observed : undefined;
  const steps = item.steps.map((step, index): StepReport => {
    const theirs = official?.[index];
    return {
      step: index + 1,
      expected: step.expect,
      ours: at(ours, index),
      ...(theirs === undefined ? {} : { official: theirs }),
    };
  });
  const oursAsExpected = item.steps.every((step, index) =>
    alike(step.known?.ours ?? step.expect, at(ours, index)),
  );
  const base = { id: item.id, oursAsExpected, steps };
  if (answer === undefined) return { ...base, status: "not compared", why: known(item) };
  if ("failure" in answer) return { ...base, status: "failed", why: [answer.failure] };
  if ("notShown" in answer)
    return { ...base, status: "not shown", why: [`needs ${answer.notShown.join(", ")}`] };
  const { observed } = answer;
  const officialAsExpected = item.steps.every((step, index) => alike(step.expect, at(observed, index)));
  const same = item.steps.every((_, index) => alike(at(ours, index), at(observed, index)));
  const asKnown = known(item).length > 0 && oursAsExpected && officialAsExpected;
  const status = same ? "same" : asKnown ? "known" : "differs";
  return { ...base, officialAsExpected, status, why: status === "known" ? known(item) : [] };
}

function known(item: Case): string[] {
  return item.steps.flatMap((step) => (step.known === undefined ? [] : [step.known.why]));
}

function at(observed: readonly Observation[], index: number): Observation {
  const found = observed[index];
  if (found === undefined) throw new Error(`step ${index + 1} was not observed`);
  return found;
}

/** Whether two observations are alike: equal, except for a VM error's text, which GenVM does not tell. */
export function alike(one: Observation, other: Observation): boolean {
  return isDeepStrictEqual(bare(one), bare(other));
}

function bare(observation: Observation): unknown {
  const votes = observation.votes ?? [];
  if ("vmError" in observation) return { vmError: true, votes };
  if ("userError" in observation) return { userError: observation.userError, votes };
  return { return: observation.return, votes };
}
