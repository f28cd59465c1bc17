import { type Assertion, PatternFault, type PatternNode, type Ranges } from "./parse-pattern.ts";

/** States that an automaton may have, and steps that may be worked out before a match is given up. */
const MAX_STATES = 250;
const MAX_STEPS = 4096;

/** What stands on one side of a place in a text. */
type Side = "border" | "line" | "word" | "other";

type State =
  | { readonly kind: "match" }
  | { readonly kind: "set"; readonly ranges: Ranges; readonly next: number }
  | { readonly kind: "assert"; readonly assertion: Assertion; readonly next: number }
  | { readonly kind: "split"; readonly nexts: readonly number[] };

/** The states before a character, and what stood before it. */
interface Place {
  readonly entries: readonly number[];
  readonly before: Side;
  /** What each character leads to, as far as it is known. */
  readonly steps: Map<string, Place | "match">;
}

/** Searches texts for one pattern, in one pass and bounded time. */
export interface Matcher {
  /** Whether the pattern matches somewhere in `text`; undefined when that takes too many steps to tell. */
  isFoundIn(text: string): boolean | undefined;
}

/**
 * @throws PatternFault when the pattern takes too many states.
 */
export function createMatcher(tree: PatternNode): Matcher {
  const states: State[] = [{ kind: "match" }];
  const start = build(tree, 0, states);
  return { isFoundIn: (text) => search(states, start, text) };
}

function addState(state: State, states: State[]): number {
  if (states.length >= MAX_STATES) throw new PatternFault("is too complex");
  return states.push(state) - 1;
}

/** Adds what matches `node` and goes on with state `then`; returns its first state. */
function build(node: PatternNode, then: number, states: State[]): number {
  switch (node.kind) {
    case "set":
      return addState({ kind: "set", ranges: node.ranges, next: then }, states);
    case "assert":
      return addState({ kind: "assert", assertion: node.assertion, next: then }, states);
    case "all":
      return node.nodes.reduceRight((next, child) => build(child, next, states), then);
    case "any":
      return addState(
        { kind: "split", nexts: node.nodes.map((child) => build(child, then, states)) },
        states,
      );
    case "repeat": {
      let next = then;
      if (node.most === undefined) {
        next = addState({ kind: "split", nexts: [] }, states);
        states[next] = { kind: "split", nexts: [build(node.node, next, states), then] };
      } else {
        for (let time = node.least; time < node.most; time++) {
          next = addState({ kind: "split", nexts: [build(node.node, next, states), then] }, states);
        }
      }
      for (let time = 0; time < node.least; time++) next = build(node.node, next, states);
      return next;
    }
  }
}

function search(states: readonly State[], start: number, text: string): boolean | undefined {
  const places = new Map<string, Place>();
  const placeOf = (entries: readonly number[], before: Side): Place => {
    const key = `${before} ${entries.join()}`;
    const known = places.get(key);
    if (known !== undefined) return known;
    const place: Place = { entries, before, steps: new Map() };
    places.set(key, place);
    return place;
  };
  const step = (place: Place, character: string): Place | "match" => {
    const after = sideOf(character);
    const code = character.codePointAt(0) ?? 0;
    const following = new Set([start]);
    for (const index of reach(states, place.entries, place.before, after)) {
      const state = states[index];
      if (state?.kind === "match") return "match";
      if (state?.kind === "set" && state.ranges.some(([low, high]) => low <= code && code <= high)) {
        following.add(state.next);
      }
    }
    return placeOf(
      [...following].sort((a, b) => a - b),
      after,
    );
  };

  let place = placeOf([start], "border");
  let steps = 0;
  for (const character of text) {
    let next = place.steps.get(character);
    if (next === undefined) {
      steps += 1;
      if (steps > MAX_STEPS) return undefined;
      next = step(place, character);
      place.steps.set(character, next);
    }
    if (next === "match") return true;
    place = next;
  }
  return reach(states, place.entries, place.before, "border").some(
    (index) => states[index]?.kind === "match",
  );
}

/** The states that wait for a character or match, reached from `entries` at a place between two sides. */
function reach(states: readonly State[], entries: readonly number[], before: Side, after: Side): number[] {
  const seen = new Set<number>();
  const waiting: number[] = [];
  const pending = [...entries];
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    const state = states[index];
    if (seen.has(index) || state === undefined) continue;
    seen.add(index);
    if (state.kind === "split") pending.push(...state.nexts);
    else if (state.kind !== "assert") waiting.push(index);
    else if (holds(state.assertion, before, after)) pending.push(state.next);
  }
  return waiting;
}

function sideOf(character: string): Side {
  if (character === "\n") return "line";
  return /^[A-Za-z0-9_]$/.test(character) ? "word" : "other";
}

function holds(assertion: Assertion, before: Side, after: Side): boolean {
  switch (assertion) {
    case "^":
      return before === "border" || before === "line";
    case "$":
      return after === "border" || after === "line";
    case "b":
      return (before === "word") !== (after === "word");
    case "B":
      return (before === "word") === (after === "word");
  }
}
