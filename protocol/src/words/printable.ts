/**
 * What could change a terminal, or the order in which text is read: control characters, line separators, lone surrogates,
 * and marks that are invisible or turn the direction of writing.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Text of a stranger on one line, with everything that a terminal would act on written as an escape. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escape);
}

/** Likewise, for text of several lines: its line ends and tabs stay. */
export function printableLines(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    character === "\n" || character === "\t" ? character : escape(character),
  );
}

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x1_00_00 ? `\\u${code.toString(16).padStart(4, "0")}` : `\\u{${code.toString(16)}}`;
}

/** One line, cut to a number of characters. */
export function shortened(text: string, length: number): string {
  const line = printable(text);
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}
