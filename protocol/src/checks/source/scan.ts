/** How far definitions and literals that have no end of their own are followed, in characters. */
export const WINDOW = 500;

const SPACE = new Set(" \t\r\n\f\v");

/** The first match of a `g` pattern at or after `at`. */
export function searchFrom(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Whether a `y` pattern matches at `at`: where the match ends. */
export function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Without the ASCII white space at its end. */
export function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && SPACE.has(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Where the first character at or after `at` stands that is no ASCII white space. */
export function skipSpace(text: string, at: number): number {
  let index = at;
  while (index < text.length && SPACE.has(text.charAt(index))) index += 1;
  return index;
}
