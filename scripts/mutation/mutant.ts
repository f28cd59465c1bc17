/** One small change to a source file. */
export interface Mutant {
  file: string;
  /** Where the changed lines begin; one-based. */
  line: number;
  operator: string;
  /** The lines that change, and what stands in their place. */
  before: string;
  after: string;
}

/** The source with one mutant applied. */
export function applyMutant(source: string, { line, before, after }: Mutant): string {
  const lines = source.split("\n");
  lines.splice(line - 1, before.split("\n").length, after);
  return lines.join("\n");
}

/** Identifies a mutant by its place and its change. */
export const keyOf = ({ file, line, operator, after }: Mutant): string =>
  `${file}:${line} ${operator}: ${after.trim()}`;

const signed = (sign: string, text: string): string =>
  text
    .trim()
    .split("\n")
    .map((row) => `    ${sign} ${row.trim()}`)
    .join("\n");

/** The mutant as a place and its difference, for people. */
export const describe = ({ file, line, operator, before, after }: Mutant): string =>
  `${file}:${line} ${operator}\n${signed("-", before)}\n${signed("+", after)}`;

/** Whether a mutant takes back a promise that has a name. */
export const isNamed = ({ operator }: Mutant): boolean => operator.startsWith("named: ");
