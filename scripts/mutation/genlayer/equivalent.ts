import type { PythonMutant } from "./python.ts";

/** A mutant that no test can notice, and why. */
export interface Equivalent {
  /** In every contract that has it. */
  scope: string;
  /** The changed lines, without the space around them. */
  before: string;
  after: string;
  reason: string;
}

const inPlace = (scope: string, before: string, afters: string[], reason: string): Equivalent[] =>
  afters.map((after) => ({ scope, before, after, reason }));

/** Every one of them survives all tests; one that a test kills doesn't belong here, and the run says so. */
export const EQUIVALENT: readonly Equivalent[] = [
  ...inPlace(
    "_keccak_tables",
    "offsets, x, y = [0] * 25, 1, 0",
    ["offsets, x, y = [0] * 26, 1, 0"],
    "nothing reads an offset beyond the 25th",
  ),
  ...inPlace("keccak256", "lanes = [0] * 25", ["lanes = [0] * 26"], "nothing reads a lane beyond the 25th"),
  ...inPlace(
    "_keccak_round",
    "moved = [0] * 25",
    ["moved = [1] * 25", "moved = [-1] * 25", "moved = [0] * 26"],
    "each of the 25 places is written before any is read",
  ),
  ...inPlace(
    "_add",
    "return _double(one) if s1 == s2 else (0, 1, 0)",
    ["(1, 1, 0)", "(-1, 1, 0)", "(0, 2, 0)", "(0, 0, 0)"].map(
      (point) => `return _double(one) if s1 == s2 else ${point}`,
    ),
    "a point whose z is 0 is infinity, whatever its x and y",
  ),
  ...inPlace(
    "recover",
    "both, total = _add(g, point), (0, 1, 0)",
    ["(1, 1, 0)", "(-1, 1, 0)", "(0, 2, 0)", "(0, 0, 0)"].map(
      (point) => `both, total = _add(g, point), ${point}`,
    ),
    "a point whose z is 0 is infinity, whatever its x and y",
  ),
  ...inPlace(
    "recover",
    "for bit in range(255, -1, -1):",
    ["for bit in range(256, -1, -1):"],
    "no scalar has a 257th bit, and twice infinity is infinity",
  ),
  ...inPlace(
    "fenced",
    'line = json.dumps({"name": name, "text": text}, ensure_ascii=True, sort_keys=True)',
    ['line = json.dumps({"name": name, "text": text}, ensure_ascii=True, sort_keys=False)'],
    "the two keys stand in order already",
  ),
  ...inPlace(
    "_literal_end",
    "return len(text) if end < 0 else end + 1",
    ["return len(text) if end <= 0 else end + 1"],
    "the search begins behind a mark, so it finds nothing at 0",
  ),
  ...inPlace(
    "_skip_parameters",
    "at = -1 if at < 0 else _skip_space(code, at)",
    ["at = -1 if at <= 0 else _skip_space(code, at)"],
    "a name stands before, so nothing begins at 0",
  ),
];

/** Whether this is the mutant that was written down. */
export const isOf = (item: Equivalent, { scope, before, after }: PythonMutant): boolean =>
  item.scope === scope && item.before === before.trim() && item.after === after.trim();
