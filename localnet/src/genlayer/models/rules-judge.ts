import { blankLiterals, languageOf } from "@assay/protocol";
import { blankComments } from "./comments.ts";
import { fencedLines } from "./fences.ts";

/** A fenced part of the agreement verifier's prompt. */
export interface PromptPart {
  readonly kind: string;
  readonly name: string;
  /** What is shown of it; a line `[CUT]` stands where its middle is missing. */
  readonly text: string;
}

/** What the rules judge takes from a prompt: the requirements from its trusted text, the parts from their fences. */
export interface ReadPrompt {
  readonly requirements: readonly { readonly id: string; readonly text: string }[];
  readonly parts: readonly PromptPart[];
}

/** The answer that a model would give. */
export interface JudgeAnswer {
  readonly requirements: Readonly<Record<string, { met: boolean; quote: string; note: string }>>;
  readonly score: number;
}

const LABEL = "rules judge, no language model";
const REQUIREMENTS_LINE = "REQUIREMENTS TO JUDGE: ";
const MIN_QUOTE_CHARACTERS = 8;
const MAX_QUOTE_CHARACTERS = 400;
const MIN_WORD_CHARACTERS = 4;
const STEM_CHARACTERS = 5;
const COMMON_WORDS = new Set(
  "about also been both does each every from have into least more must nobody only over says should some such than that their them then there these they this those what when where which with your".split(
    " ",
  ),
);

/** @returns what the rules judge needs of `prompt`; undefined when it is not one of the agreement verifier's */
export function readPrompt(prompt: string): ReadPrompt | undefined {
  const lines = prompt.split("\n");
  // Untrusted text is JSON on one line inside a fence, so the first such line is the trusted one.
  const requirements = lines.find((line) => line.startsWith(REQUIREMENTS_LINE));
  if (requirements === undefined) {
    return undefined;
  }
  return {
    requirements: JSON.parse(requirements.slice(REQUIREMENTS_LINE.length)) as ReadPrompt["requirements"],
    parts: fencedLines(lines).map(readPart),
  };
}

function readPart(line: string): PromptPart {
  const { kind, name, text, textAfterCut } = JSON.parse(line) as PromptPart & { textAfterCut?: string };
  return { kind, name, text: textAfterCut === undefined ? text : `${text}\n[CUT]\n${textAfterCut}` };
}

/**
 * The rule, for each requirement:
 * 1. If its text has fragments in `backticks`, it is met when each of them occurs in a file, outside comments, at least
 *    half of it outside string literals, and with white space left out of the comparison.
 * 2. Otherwise it is met when at least half of its significant words occur in the files (outside comments) or in the
 *    evidence. A word is significant when it has four letters or more and is not a common one; it occurs when a word
 *    there begins with its first five letters, in any case.
 * 3. A requirement without fragments and without significant words is not met.
 *
 * Only what the prompt shows is judged: what was cut from a part is missing.
 */
export function judgeByRules({ requirements, parts }: ReadPrompt): JudgeAnswer {
  const texts = parts
    .filter((part) => part.kind === "file" || part.kind === "evidence" || part.kind === "link")
    .map((part) => searchable(part));
  const files = texts.filter((text) => text.kind === "file");
  const entries = requirements.map(({ id, text }) => {
    const fragments = [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
    return [id, fragments.length > 0 ? byFragments(fragments, files) : byWords(text, texts)] as const;
  });
  const met = entries.filter(([, entry]) => entry.met).length;
  return {
    requirements: Object.fromEntries(entries),
    score: entries.length === 0 ? 0 : Math.floor((100 * met) / entries.length),
  };
}

type Entry = JudgeAnswer["requirements"][string];

interface Searchable {
  readonly kind: string;
  readonly original: string;
  /** The original with comments blanked, of the same length. */
  readonly code: string;
  /** What of it counts in a quote: in source code, literals do not either. */
  readonly counts: string;
}

function searchable({ kind, name, text }: PromptPart): Searchable {
  const code = kind === "file" ? blankComments(text, name) : text;
  const language = kind === "file" ? languageOf(name) : undefined;
  // Beyond U+FFFF a character has two places, which blanking would make one.
  const counts =
    language === undefined
      ? code
      : blankLiterals(text.replace(/[\u{10000}-\u{10FFFF}]/gu, "\u{FFFD}\u{FFFD}"), language);
  return { kind, original: text, code, counts };
}

function byFragments(fragments: readonly string[], files: readonly Searchable[]): Entry {
  let quote = "";
  for (const fragment of fragments) {
    const found = files.map((file) => findFragment(file, fragment)).find((text) => text !== undefined);
    if (found === undefined) {
      return {
        met: false,
        quote: "",
        note: `${LABEL}: no file has ${JSON.stringify(fragment)} outside comments`,
      };
    }
    quote ||= found;
  }
  return { met: true, quote, note: `${LABEL}: every fragment in backticks occurs in a file` };
}

function findFragment(file: Searchable, fragment: string): string | undefined {
  const { code } = file;
  const wanted = fragment.replace(/\s+/g, "");
  const offsets: number[] = [];
  let compact = "";
  for (let at = 0; at < code.length; at++) {
    if (!/\s/.test(code.charAt(at))) {
      offsets.push(at);
      compact += code.charAt(at);
    }
  }
  for (
    let found = compact.indexOf(wanted);
    found >= 0 && wanted !== "";
    found = compact.indexOf(wanted, found + 1)
  ) {
    const [start, end] = [offsets[found] ?? 0, (offsets[found + wanted.length - 1] ?? 0) + 1];
    // A string literal that merely says it does not count.
    if (2 * sizeOf(file.counts.slice(start, end)) >= wanted.length) {
      return quoteAround(file, start, end);
    }
  }
  return undefined;
}

function byWords(text: string, texts: readonly Searchable[]): Entry {
  const quotedKind = ["file", "link", "evidence"].find((wanted) => texts.some(({ kind }) => kind === wanted));
  const words = [...new Set(wordsOf(text).filter((word) => !COMMON_WORDS.has(word)))];
  const there = new Map<string, { text: Searchable; at: number }>();
  for (const candidate of texts) {
    for (const match of candidate.code.matchAll(/\p{L}+/gu)) {
      const stem = match[0].toLowerCase().slice(0, STEM_CHARACTERS);
      if (!there.has(stem)) {
        there.set(stem, { text: candidate, at: match.index });
      }
    }
  }
  const found = words.flatMap((word) => there.get(word.slice(0, STEM_CHARACTERS)) ?? []);
  // The verifier takes quotes of files; of links and evidence only where there is nothing before them.
  const first = found.find(({ text: { kind } }) => kind === quotedKind);
  const tally = `${found.length} of ${words.length} significant words occur in files and evidence`;
  return first !== undefined && 2 * found.length >= words.length
    ? {
        met: true,
        quote: quoteAround(first.text, first.at, first.at + 1),
        note: `${LABEL}: ${tally}`,
      }
    : { met: false, quote: "", note: `${LABEL}: only ${tally}` };
}

function wordsOf(text: string): string[] {
  return [...text.matchAll(/\p{L}+/gu)]
    .map((match) => match[0].toLowerCase())
    .filter((word) => word.length >= MIN_WORD_CHARACTERS);
}

/** The lines that hold `start` to `end`, with their neighbours until enough of them counts. */
function quoteAround({ original, counts }: Searchable, start: number, end: number): string {
  let from = start;
  let to = end;
  do {
    from = from > 0 ? original.lastIndexOf("\n", from - 2) + 1 : 0;
    const lineEnd = original.indexOf("\n", to);
    to = lineEnd < 0 ? original.length : lineEnd;
    const counted = sizeOf(counts.slice(from, to));
    if (counted >= MIN_QUOTE_CHARACTERS && 2 * counted >= sizeOf(original.slice(from, to))) {
      break;
    }
    to = Math.min(to + 1, original.length);
  } while (from > 0 || to < original.length);
  // A very long line: what was found, and what follows it.
  const quote =
    to - from > MAX_QUOTE_CHARACTERS
      ? original.slice(start, start + MAX_QUOTE_CHARACTERS)
      : original.slice(from, to);
  return collapse(quote.toWellFormed());
}

/** How many characters are no white space. */
function sizeOf(text: string): number {
  return text.replace(/\s+/g, "").length;
}

function collapse(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
