import { createMatcher, type Matcher } from "./automaton.ts";
import { parsePattern, PatternFault } from "./parse-pattern.ts";

/** Bytes of UTF-8 that a pattern may have. */
export const MAX_PATTERN_BYTES = 256;

/**
 * @throws PatternFault when the pattern is not in the safe subset.
 */
export function compilePattern(pattern: string): Matcher {
  return createMatcher(parsePattern(pattern));
}

/** What keeps `pattern` from being a check; undefined when nothing does. */
export function patternFault(pattern: string): string | undefined {
  try {
    return compilePattern(pattern).isFoundIn("") === true
      ? "matches the empty text, so it could never fail"
      : undefined;
  } catch (error) {
    if (!(error instanceof PatternFault)) throw error;
    return error.message;
  }
}
