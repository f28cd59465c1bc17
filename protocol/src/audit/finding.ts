import type { Finding } from "./report.ts";

type Value = string | number | bigint | boolean | null | undefined;

/** A value as a report shows it. */
export function shown(value: Value): string {
  return value === null || value === undefined ? "unknown" : String(value);
}

/** The step holds. */
export function pass(note: string, values: Pick<Finding, "expected" | "actual"> = {}): Finding {
  return { result: "PASS", ...values, note };
}

/** The step does not hold. */
export function fail(note: string, values: Pick<Finding, "expected" | "actual"> = {}): Finding {
  return { result: "FAIL", ...values, note };
}

/** Nothing is said about the step, because of `reason`. */
export function notChecked(reason: string): Finding {
  return { result: "NOT_CHECKED", note: reason };
}

/** Holds when both values are the same. */
export function compare(expected: Value, actual: Value, note: string): Finding {
  const values = { expected: shown(expected), actual: shown(actual) };
  return values.expected === values.actual ? pass(note, values) : fail(note, values);
}

/** One of several values that a step compares. */
export type Comparison = readonly [name: string, expected: Value, actual: Value];

/** Holds when every pair is equal; else shows the first that is not. */
export function compareAll(comparisons: readonly Comparison[], note: string): Finding {
  const different = comparisons.find(([, expected, actual]) => shown(expected) !== shown(actual));
  if (different === undefined) {
    const names = comparisons.map(([name]) => name).join(", ");
    return pass(note, { expected: names, actual: "equal" });
  }
  const [name, expected, actual] = different;
  return fail(`${note}; ${name} differs`, {
    expected: `${name} ${shown(expected)}`,
    actual: `${name} ${shown(actual)}`,
  });
}
