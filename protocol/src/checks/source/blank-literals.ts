import type { Language } from "./language.ts";
import { searchFrom, trimEnd, WINDOW } from "./scan.ts";

const NEXT: Readonly<Record<Language, RegExp>> = {
  python: /#|"""|'''|"|'/g,
  typescript: /\/\/|\/\*|["'`{}/]/g,
  solidity: /\/\/|\/\*|["']/g,
  rust: /\/\/|\/\*|(?<![A-Za-z0-9_])(?:br|cr|r)#*"|["']/g,
  go: /\/\/|\/\*|["'`]/g,
};

// What ends a literal: an escape is skipped as a whole, so that an escaped quote does not end it.
const LINE_LITERAL_END: Readonly<Record<string, RegExp>> = {
  "'": /\\(?:\r\n|[\s\S])|'|[\r\n]/g,
  '"': /\\(?:\r\n|[\s\S])|"|[\r\n]/g,
};
const LITERAL_END: Readonly<Record<string, RegExp>> = {
  "'": /\\[\s\S]|'/g,
  '"': /\\[\s\S]|"/g,
  "'''": /\\[\s\S]|'''/g,
  '"""': /\\[\s\S]|"""/g,
};
const TEMPLATE_END = /\\[\s\S]|`|\$\{/g;
const REGEX_REST = /^(?:[^\\/[\r\n]|\\[^\r\n]|\[(?:[^\]\\\r\n]|\\[^\r\n])*\])+\//;
const RUST_CHARACTER = /'(?:\\(?:u\{[0-9a-fA-F_]*\}|x[0-9a-fA-F]{2}|[^\r\n])|[^'\\\r\n])'/y;
const COMMENT_MARK = /\/\*|\*\//g;
const LINE_END = /[\r\n]/g;
// After these a slash begins a regular expression; after anything else it divides.
const REGEX_AFTER =
  /(?:^|[(,=:[!&|?{};+\-*%~^>]|(?<![A-Za-z0-9_$.])(?:return|typeof|case|do|else|in|of|void|delete|throw|new|instanceof|yield|await))$/;

/**
 * `text` with comments and literals blanked, every line end at its place. Unterminated ones reach to the end of their
 * line or of the text. `text` has no characters beyond U+FFFF.
 */
export function blankLiterals(text: string, language: Language): string {
  const out: string[] = [];
  let done = 0;
  let at = 0;
  let noRegexBefore = 0;
  // What stands before a slash decides whether it divides: the last code, or a quote for a literal.
  let before = "";
  // TypeScript only: for every open `${`, how many braces are open inside it.
  const braces: number[] = [];
  for (;;) {
    const found = searchFrom(NEXT[language], text, at);
    if (found === null) break;
    const mark = found[0];
    const start = found.index;
    at = start + mark.length;
    let end: number;
    let opened = false;
    if (mark === "{" || mark === "}") {
      const depth = braces.pop();
      if (depth === undefined) continue;
      if (mark === "{" || depth > 0) {
        braces.push(mark === "{" ? depth + 1 : depth - 1);
        continue;
      }
      [end, opened] = templateEnd(text, at);
    } else if (mark === "`" && language === "typescript") {
      [end, opened] = templateEnd(text, at);
    } else if (mark === "/") {
      const near = trimEnd(text.slice(Math.max(done, start - WINDOW), start));
      if (start < noRegexBefore || !REGEX_AFTER.test(near === "" ? before : near.slice(-16))) continue;
      const rest = REGEX_REST.exec(text.slice(at, at + WINDOW));
      if (rest === null) {
        // One try for each line keeps the time in proportion to the text.
        noRegexBefore = lineEnd(text, at);
        continue;
      }
      end = at + rest[0].length;
    } else {
      const literal = literalEnd(text, start, mark, language);
      if (literal === undefined) continue;
      end = literal;
    }
    if (opened) braces.push(0);
    const code = text.slice(done, start);
    before = trimEnd(code).slice(-16) || before;
    if (mark !== "//" && mark !== "/*" && mark !== "#") before = opened ? "{" : '"';
    out.push(code, text.slice(start, end).replace(/[^\r\n]/g, " "));
    done = at = end;
  }
  out.push(text.slice(done));
  return out.join("");
}

/** Where a template's text ends, and whether by `${`. */
function templateEnd(text: string, from: number): [end: number, opened: boolean] {
  let at = from;
  for (;;) {
    const found = searchFrom(TEMPLATE_END, text, at);
    if (found === null) return [text.length, false];
    at = found.index + found[0].length;
    if (found[0] === "`") return [at, false];
    if (found[0] === "${") return [at, true];
  }
}

function lineEnd(text: string, at: number): number {
  return searchFrom(LINE_END, text, at)?.index ?? text.length;
}

/** Where the comment or literal that begins with `mark` ends; undefined when it is none. */
function literalEnd(text: string, start: number, mark: string, language: Language): number | undefined {
  const from = start + mark.length;
  if (mark === "#" || mark === "//") return lineEnd(text, from);
  if (mark === "/*") return commentEnd(text, from, language === "rust");
  if (mark === "`") return endOf(text, "`", from);
  if (/^[rbc]/.test(mark)) return endOf(text, `"${mark.replace(/^[^#"]*/, "").slice(0, -1)}`, from);
  if (language === "rust" && mark === "'") {
    RUST_CHARACTER.lastIndex = start;
    return RUST_CHARACTER.test(text) ? RUST_CHARACTER.lastIndex : undefined;
  }
  const spansLines = mark.length === 3 || language === "rust";
  const ends = (spansLines ? LITERAL_END : LINE_LITERAL_END)[mark];
  let at = from;
  for (;;) {
    const found = ends === undefined ? null : searchFrom(ends, text, at);
    if (found === null) return text.length;
    at = found.index + found[0].length;
    if (!found[0].startsWith("\\")) return found[0] === "\r" || found[0] === "\n" ? found.index : at;
  }
}

function endOf(text: string, close: string, from: number): number {
  const found = text.indexOf(close, from);
  return found < 0 ? text.length : found + close.length;
}

function commentEnd(text: string, from: number, nests: boolean): number {
  let at = from;
  let depth = 1;
  for (;;) {
    const found = searchFrom(COMMENT_MARK, text, at);
    if (found === null) return text.length;
    at = found.index + found[0].length;
    if (found[0] === "*/") {
      depth -= 1;
      if (depth === 0) return at;
    } else if (nests) {
      depth += 1;
    }
  }
}
