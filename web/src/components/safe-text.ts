/** Lines and characters of a long text that are shown before anybody asks for more. */
const MOST_LINES = 200;
const MOST_CHARACTERS = 20_000;

/** The beginning of a text, and how much is left out. */
export interface Excerpt {
  readonly text: string;
  /** In words; null when nothing is. */
  readonly left: string | null;
}

/** Cuts a text after so many lines or characters, whichever comes first, without walking through the rest of it. */
export function excerptOf(text: string): Excerpt {
  let end = 0;
  let lines = 0;
  while (end < text.length && lines < MOST_LINES) {
    const next = text.indexOf("\n", end);
    end = next === -1 ? text.length : next + 1;
    lines += 1;
  }
  const isWide = end > MOST_CHARACTERS;
  const cut = isWide ? MOST_CHARACTERS : end;
  if (cut >= text.length) return { text, left: null };
  const left = text.length - cut;
  return { text: text.slice(0, cut), left: `${left.toLocaleString("en-US")} characters` };
}

/** Some lines of a long text. */
export interface Piece {
  readonly text: string;
  readonly lines: number;
}

/**
 * Cuts a text into pieces of whole lines, which a browser lays out one by one as they come into sight. The line end
 * between two pieces belongs to neither.
 */
export function piecesOf(text: string): readonly Piece[] {
  const lines = text.split("\n");
  const pieces: Piece[] = [];
  for (let start = 0; start < lines.length; start += MOST_LINES) {
    const some = lines.slice(start, start + MOST_LINES);
    pieces.push({ text: some.join("\n"), lines: some.length });
  }
  return pieces;
}

/** The URL, if it is one of the web without credentials; null for everything else. */
export function webLink(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  return url.username === "" && url.password === "" ? url.href : null;
}
