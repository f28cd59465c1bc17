import { blankLiterals } from "./blank-literals.ts";
import type { Language } from "./language.ts";
import { matchEnd, searchFrom, skipSpace, trimEnd, WINDOW } from "./scan.ts";

const SPACE = String.raw`[ \t\r\n\f\v]*`;
const SPACES = String.raw`[ \t\r\n\f\v]+`;
const START = "(?<![A-Za-z0-9_$])";
const END = "(?![A-Za-z0-9_$])";
const CLOSING: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);
const BRACKET = /[()[\]{}]/g;
const BODY = /[()[\]{};]/g;
const MAX_MARKS = 64;
// What may stand before a method's or property's name.
const MEMBER_BEFORE = new RegExp(
  `(?:(?:^|[{};,*.])|${START}(?:async|get|set|static|public|private|protected|override|readonly|export` +
    "|default|declare|accessor|const|let|var))$",
);
const ARROW_AFTER = new RegExp(`${SPACE}(?::[^;{}=]{0,500})?=>`, "y");
const FUNCTION_VALUE = new RegExp(
  String.raw`(${SPACE}(?:async${END}${SPACE})?)(function${END}|\(|<|[A-Za-z_$])`,
  "y",
);
const PARAMETER = new RegExp(`[A-Za-z0-9_$]+${SPACE}=>`, "y");
const ASSIGNED = new RegExp(`${SPACE}(?::[^;{}]{0,500}?)?=(?![=>])`, "y");
const FUNCTION_PROPERTY = new RegExp(`${SPACE}:${SPACE}(?:async${END}${SPACE})?function${END}`, "y");
const METHOD_BODY = new RegExp(
  String.raw`${SPACE}(?::[^;={}]{0,500}(?:\{[^{}]{0,500}\}[^;={}]{0,500}){0,3}?)?\{`,
  "y",
);

/** Where the bracket ends that opens at an index. */
type Closing = ReadonlyMap<number, number>;

/** Whether `source` defines a function of that name: with a body, outside comments and literals. */
export function definesFunction(source: string, name: string, language: Language): boolean {
  if (!source.includes(name)) return false;
  // Distances are counted in characters, whatever plane they are of.
  const code = blankLiterals(source.replace(/[\u{10000}-\u{10FFFF}]/gu, "\u{FFFD}"), language);
  const escaped = name.replaceAll("$", String.raw`\$`);
  switch (language) {
    case "python":
      return new RegExp(
        String.raw`(?:^|(?<=\n))[ \t\f]*(?:async[ \t\f]+)?def[ \t\f]+${escaped}${END}[ \t\f]*[(\[]`,
      ).test(code);
    case "go":
      return new RegExp(
        String.raw`${START}func[ \t]+(?:\([^()]*\)[ \t]*)?${escaped}${END}${SPACE}[(\[]`,
      ).test(code);
    case "typescript":
      return definesInTypeScript(code, escaped);
    case "rust":
      return definesWithBody(code, `${START}fn${SPACES}${escaped}${END}${SPACE}(?=[(<])`);
    case "solidity":
      return definesWithBody(code, String.raw`${START}function${SPACES}${escaped}${END}${SPACE}(?=\()`);
  }
}

function definesWithBody(code: string, pattern: string): boolean {
  const closing = closingBrackets(code);
  return ends(code, pattern).some(({ end }) => hasBody(code, end, closing));
}

function ends(code: string, pattern: string): { start: number; end: number }[] {
  return Array.from(code.matchAll(new RegExp(pattern, "g")), (found) => ({
    start: found.index,
    end: found.index + found[0].length,
  }));
}

/** Brackets that do not pair up are left out. */
function closingBrackets(code: string): Closing {
  const closing = new Map<number, number>();
  const openAt: number[] = [];
  const openMark = (): string => code.charAt(openAt.at(-1) ?? -1);
  const close = (end: number): void => {
    const start = openAt.pop();
    if (start !== undefined) closing.set(start, end);
  };
  for (const found of code.matchAll(BRACKET)) {
    const mark = found[0];
    const end = found.index + 1;
    if (CLOSING.has(mark)) {
      openAt.push(found.index);
    } else if (CLOSING.get(openMark()) === mark) {
      close(end);
    } else if (mark === "}") {
      // A brace outranks what was left open inside it.
      while (openAt.length > 0 && openMark() !== "{") openAt.pop();
      close(end);
    }
  }
  return closing;
}

/** Whether a brace comes before the semicolon that would end a mere declaration. */
function hasBody(code: string, from: number, closing: Closing): boolean {
  let at = from;
  for (let mark = 0; mark < MAX_MARKS; mark++) {
    const found = searchFrom(BODY, code, at);
    if (found === null || ")]};".includes(found[0])) return false;
    if (found[0] === "{") return true;
    const end = closing.get(found.index);
    if (end === undefined) return false;
    at = end;
  }
  return false;
}

function definesInTypeScript(code: string, escaped: string): boolean {
  const closing = closingBrackets(code);
  const declaration = String.raw`${START}function(?:${SPACE}\*${SPACE}|${SPACES})${escaped}${END}`;
  if (ends(code, declaration).some(({ end }) => isMethod(code, end, closing))) return true;
  return ends(code, `${START}#?${escaped}${END}`).some(({ start, end }) => {
    const before = trimEnd(code.slice(Math.max(0, start - WINDOW), start)).slice(-16);
    if (!MEMBER_BEFORE.test(before)) return false;
    const assigned = matchEnd(ASSIGNED, code, end);
    if (assigned !== undefined && isFunctionValue(code, assigned, closing)) return true;
    if (before.endsWith(".")) return false;
    return matchEnd(FUNCTION_PROPERTY, code, end) !== undefined || isMethod(code, end, closing);
  });
}

/** Whether parameters and a body stand at `at`. */
function isMethod(code: string, at: number, closing: Closing): boolean {
  const after = skipParameters(code, at, closing);
  return after !== undefined && matchEnd(METHOD_BODY, code, after) !== undefined;
}

/** Whether the expression at `at` is a function expression or an arrow function. */
function isFunctionValue(code: string, at: number, closing: Closing): boolean {
  FUNCTION_VALUE.lastIndex = at;
  const found = FUNCTION_VALUE.exec(code);
  if (found === null) return false;
  const start = at + (found[1] ?? "").length;
  switch (found[2]) {
    case "function":
      return true;
    case "(":
    case "<": {
      const after = skipParameters(code, start, closing);
      return after !== undefined && matchEnd(ARROW_AFTER, code, after) !== undefined;
    }
    default:
      return matchEnd(PARAMETER, code, start) !== undefined;
  }
}

/** Past optional generics and a parameter list. */
function skipParameters(code: string, at: number, closing: Closing): number | undefined {
  const generics = skipGenerics(code, skipSpace(code, at));
  if (generics === undefined) return undefined;
  const list = skipSpace(code, generics);
  return code.charAt(list) === "(" ? closing.get(list) : undefined;
}

/** Past `<…>` when it stands at `at`; an arrow inside does not close it. Undefined when it has no end. */
function skipGenerics(code: string, at: number): number | undefined {
  if (code.charAt(at) !== "<") return at;
  let depth = 0;
  for (let index = at; index < Math.min(code.length, at + WINDOW); index++) {
    if (code.charAt(index) === "<") {
      depth += 1;
    } else if (code.charAt(index) === ">" && code.charAt(index - 1) !== "=") {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return undefined;
}
