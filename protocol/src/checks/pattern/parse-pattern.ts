/** Inclusive ranges of code points. */
export type Ranges = readonly (readonly [low: number, high: number])[];

/** A place between two characters: line start, line end, word boundary, no word boundary. */
export type Assertion = "^" | "$" | "b" | "B";

/** A pattern as a tree. */
export type PatternNode =
  | { readonly kind: "set"; readonly ranges: Ranges }
  | { readonly kind: "assert"; readonly assertion: Assertion }
  | { readonly kind: "all"; readonly nodes: readonly PatternNode[] }
  | { readonly kind: "any"; readonly nodes: readonly PatternNode[] }
  /** `most` is undefined without a bound. */
  | { readonly kind: "repeat"; readonly node: PatternNode; readonly least: number; readonly most?: number };

/** A pattern that is not in the safe subset. */
export class PatternFault extends Error {
  override readonly name = "PatternFault";
}

export const MAX_REPEAT = 100;
const MAX_GROUPS = 32;
const MAX_CODE_POINT = 0x10ffff;

const DIGITS: Ranges = [[48, 57]];
const WORD: Ranges = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
const BLANK: Ranges = [
  [9, 13],
  [32, 32],
];
const SETS: Readonly<Record<string, Ranges>> = { __proto__: null, d: DIGITS, w: WORD, s: BLANK } as never;
const CONTROLS: Readonly<Record<string, number>> = {
  __proto__: null,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
} as never;
const PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
const COUNTED = /^\{([0-9]{1,3})(?:(,)([0-9]{1,3})?)?\}/;

/**
 * Reads a pattern of the safe subset: literals, `.`, classes, `\d \w \s` and their complements (ASCII), groups,
 * alternatives, repetition, `^ $ \b \B`. `^` and `$` stand at line borders; nothing ignores case.
 *
 * @throws PatternFault for back-references, look-around, names, flags, nested repetition without end, and for what is
 * no pattern.
 */
export function parsePattern(pattern: string): PatternNode {
  return new Parser(pattern).whole();
}

/** The code points that none of the ranges has. */
function complement(ranges: Ranges): Ranges {
  const result: [number, number][] = [];
  let at = 0;
  for (const [low, high] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (low > at) result.push([at, low - 1]);
    at = Math.max(at, high + 1);
  }
  if (at <= MAX_CODE_POINT) result.push([at, MAX_CODE_POINT]);
  return result;
}

function repeatsWithoutEnd(node: PatternNode): boolean {
  switch (node.kind) {
    case "repeat":
      return node.most === undefined || repeatsWithoutEnd(node.node);
    case "all":
    case "any":
      return node.nodes.some(repeatsWithoutEnd);
    default:
      return false;
  }
}

class Parser {
  readonly #characters: readonly string[];
  #at = 0;
  #groups = 0;

  constructor(pattern: string) {
    this.#characters = Array.from(pattern);
  }

  whole(): PatternNode {
    const tree = this.#alternatives();
    if (this.#peek() !== "") throw new PatternFault("has a ) without its (");
    return tree;
  }

  #peek(ahead = 0): string {
    return this.#characters[this.#at + ahead] ?? "";
  }

  #take(): string {
    const character = this.#peek();
    if (character === "") throw new PatternFault("ends too early");
    this.#at += 1;
    return character;
  }

  #alternatives(): PatternNode {
    const first = this.#sequence();
    const nodes = [first];
    while (this.#peek() === "|") {
      this.#at += 1;
      nodes.push(this.#sequence());
    }
    return nodes.length === 1 ? first : { kind: "any", nodes };
  }

  #sequence(): PatternNode {
    const nodes: PatternNode[] = [];
    while (!["", "|", ")"].includes(this.#peek())) {
      nodes.push(this.#repeated(this.#atom()));
    }
    return { kind: "all", nodes };
  }

  #repeated(node: PatternNode): PatternNode {
    const bounds = this.#bounds();
    if (bounds === undefined) return node;
    if (this.#peek() === "?") this.#at += 1;
    const [least, most] = bounds;
    if (node.kind === "assert") throw new PatternFault("repeats an assertion");
    if (least > MAX_REPEAT || (most !== undefined && (most < least || most > MAX_REPEAT))) {
      throw new PatternFault(`repeats beyond ${MAX_REPEAT} or in the wrong order`);
    }
    if (most !== undefined) return { kind: "repeat", node, least, most };
    if (repeatsWithoutEnd(node)) throw new PatternFault("nests repetition without end");
    return { kind: "repeat", node, least };
  }

  #bounds(): [least: number, most: number | undefined] | undefined {
    switch (this.#peek()) {
      case "*":
        this.#at += 1;
        return [0, undefined];
      case "+":
        this.#at += 1;
        return [1, undefined];
      case "?":
        this.#at += 1;
        return [0, 1];
      default: {
        const counted = COUNTED.exec(this.#characters.slice(this.#at, this.#at + 9).join(""));
        if (counted === null) return undefined;
        this.#at += counted[0].length;
        const least = Number(counted[1]);
        const open = counted[2] === undefined ? least : undefined;
        return [least, counted[3] === undefined ? open : Number(counted[3])];
      }
    }
  }

  #atom(): PatternNode {
    const character = this.#take();
    switch (character) {
      case "(":
        return this.#group();
      case "[":
        return { kind: "set", ranges: this.#class() };
      case ".":
        return { kind: "set", ranges: complement([[10, 10]]) };
      case "^":
      case "$":
        return { kind: "assert", assertion: character };
      case "\\": {
        const next = this.#peek();
        if (next !== "b" && next !== "B") return { kind: "set", ranges: this.#escape() };
        this.#at += 1;
        return { kind: "assert", assertion: next };
      }
      case "*":
      case "+":
      case "?":
      case "{":
        throw new PatternFault("repeats nothing, or has an unescaped {");
      default:
        return { kind: "set", ranges: only(character) };
    }
  }

  #group(): PatternNode {
    this.#groups += 1;
    if (this.#groups > MAX_GROUPS) throw new PatternFault(`has more than ${MAX_GROUPS} groups`);
    if (this.#peek() === "?") {
      this.#at += 1;
      if (this.#take() !== ":") throw new PatternFault("uses look-around, names or flags");
    }
    const tree = this.#alternatives();
    if (this.#peek() !== ")") throw new PatternFault("has a ( without its )");
    this.#at += 1;
    return tree;
  }

  /** What stands after a backslash. */
  #escape(): Ranges {
    const character = this.#take();
    const set = SETS[character];
    if (set !== undefined) return set;
    const opposite = /^[DWS]$/.test(character) ? SETS[character.toLowerCase()] : undefined;
    if (opposite !== undefined) return complement(opposite);
    const control = CONTROLS[character];
    if (control !== undefined) return [[control, control]];
    if (PUNCTUATION.includes(character)) return only(character);
    throw new PatternFault("has an unknown escape or a back-reference");
  }

  #class(): Ranges {
    const isNegated = this.#peek() === "^";
    if (isNegated) this.#at += 1;
    const ranges: (readonly [number, number])[] = [];
    while (this.#peek() !== "]" || ranges.length === 0) {
      const low = this.#classItem();
      if (this.#peek() === "-" && this.#peek(1) !== "]" && this.#peek(1) !== "") {
        this.#at += 1;
        ranges.push(rangeOf(low, this.#classItem()));
      } else {
        ranges.push(...low);
      }
    }
    this.#at += 1;
    return isNegated ? complement(ranges) : ranges;
  }

  #classItem(): Ranges {
    const character = this.#take();
    if (character === "\\") return this.#escape();
    if (character === "]") throw new PatternFault("has an empty class");
    return only(character);
  }
}

function rangeOf(low: Ranges, high: Ranges): readonly [number, number] {
  const [first, last] = [single(low), single(high)];
  if (first === undefined || last === undefined || first > last) {
    throw new PatternFault("has a wrong range in a class");
  }
  return [first, last];
}

function single(ranges: Ranges): number | undefined {
  const range = ranges[0];
  return ranges.length === 1 && range !== undefined && range[0] === range[1] ? range[0] : undefined;
}

function only(character: string): Ranges {
  const code = character.codePointAt(0) ?? 0;
  return [[code, code]];
}
