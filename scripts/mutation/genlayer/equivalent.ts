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
  ...inPlace(
    "PatternParser.character_class",
    "if not single or low[0][0] > high[0][0]:",
    [
      "low[0][1] > high[0][0]",
      "low[0][-1] > high[0][0]",
      "low[0][0] > high[0][1]",
      "low[0][0] > high[-1][0]",
    ].map((test) => `if not single or ${test}:`),
    "what is not a single character was refused by the first condition",
  ),
  ...inPlace(
    "PatternParser.character_class",
    "low = [(low[0][0], high[0][0])]",
    ["(low[0][1], high[0][0])", "(low[0][0], high[0][1])", "(low[0][0], high[0][-1])"].map(
      (range) => `low = [${range}]`,
    ),
    "both ends are single characters here",
  ),
  ...inPlace(
    "Automaton.found_in",
    'return any(self.states[index][0] == "match" for index in self.reach(*key, _BORDER))',
    ['return any(self.states[index][-1] == "match" for index in self.reach(*key, _BORDER))'],
    "the state that matches has one member, and no other ends with a text",
  ),
  ...inPlace(
    "recover",
    "if v not in (27, 28) or not 0 < r < _N or not 0 < s <= _N // 2:",
    ["if v not in (27, 28) or not -1 < r < _N or not 0 < s <= _N // 2:"],
    "no point of the curve has x = 0: 7 is no square, which is found out below",
  ),
  ...inPlace(
    "build_prompt",
    "body = [framed_part(*part, room, key) for part, room in zip(parts, shares, strict=True)]",
    ["body = [framed_part(*part, room, key) for part, room in zip(parts, shares, strict=False)]"],
    "there is one share for each part",
  ),
  ...inPlace(
    "AgreementVerifier.adjudicate",
    'for (identifier, check), status in zip(on_the_web, facts["statuses"], strict=True):',
    ['for (identifier, check), status in zip(on_the_web, facts["statuses"], strict=False):'],
    "facts have one status for each URL that they were asked for",
  ),
  ...inPlace("AgreementVerifier.__init__", "self.count = u64(0)", ["pass"], "storage begins with zeros"),
];

/** Whether this is the mutant that was written down. */
export const isOf = (item: Equivalent, { scope, before, after }: PythonMutant): boolean =>
  item.scope === scope && item.before === before.trim() && item.after === after.trim();
