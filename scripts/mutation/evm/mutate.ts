import type { Mutant } from "../mutant.ts";

interface Operator {
  name: string;
  /** What is looked for in a line; every match is one mutant. */
  pattern: RegExp;
  /** What takes its place. */
  replace: string;
}

const swap = (name: string, from: string, to: string): Operator => ({
  name,
  pattern: new RegExp(from, "g"),
  replace: to,
});

/** Spaces around binary operators tell them from generics, arrows and exponents; Prettier puts them there. */
const OPERATORS: Operator[] = [
  swap("equal to unequal", " == ", " != "),
  swap("unequal to equal", " != ", " == "),
  swap("less to less or equal", " < ", " <= "),
  swap("less or equal to less", " <= ", " < "),
  swap("greater to greater or equal", " > ", " >= "),
  swap("greater or equal to greater", " >= ", " > "),
  swap("and to or", " && ", " || "),
  swap("or to and", " \\|\\| ", " && "),
  swap("plus to minus", " \\+ ", " - "),
  swap("minus to plus", " - ", " + "),
  swap("times to divided by", " \\* ", " / "),
  swap("divided by to times", " / ", " * "),
  swap("remainder to times", " % ", " * "),
  swap("negation dropped", "\\(!", "("),
  swap("buyer to seller", "terms\\.buyer", "terms.seller"),
  swap("seller to buyer", "terms\\.seller", "terms.buyer"),
  swap("released to refunded", "Status\\.Released", "Status.Refunded"),
  swap("refunded to released", "Status\\.Refunded", "Status.Released"),
  swap("split to released", "Status\\.Split", "Status.Released"),
  swap("submitted to accepted", "Status\\.Submitted", "Status.Accepted"),
  swap("accepted to funded", "Status\\.Accepted", "Status.Funded"),
  swap("funded to accepted", "Status\\.Funded", "Status.Accepted"),
  swap("guard dropped", " nonReentrant", ""),
  swap("balance check dropped", " collects\\(terms\\.reward\\)", ""),
  swap("deliverBy to adjudicateBy", "terms\\.deliverBy", "terms.adjudicateBy"),
  swap("adjudicateBy to deliverBy", "terms\\.adjudicateBy", "terms.deliverBy"),
  swap("minutes to hours", " minutes;", " hours;"),
  swap("hours to minutes", " hours;", " minutes;"),
  swap("days to hours", " days;", " hours;"),
  swap("true to false", "return true;", "return false;"),
  swap("false to true", "return false;", "return true;"),
  swap("continue to break", "continue;", "break;"),
  swap("assembly: lt to gt", "\\blt\\(", "gt("),
  swap("assembly: add to sub", "(?<![A-Za-z])add\\((?=file|signers|data)", "sub("),
  swap("assembly: release data shifted", "0x1c\\b", "0x18"),
  swap("assembly: shift by a byte less", "shr\\(96,", "shr(88,"),
  swap("pass to fail", "Outcome\\.PASS", "Outcome.FAIL"),
  swap("undetermined to withheld", "Outcome\\.UNDETERMINED", "Outcome.WITHHELD"),
  swap("release to refund", "IAgreementEscrow\\.release", "IAgreementEscrow.refund"),
];

/** A whole statement, or a whole one-line guard, may be left out. */
const STATEMENT =
  /^\s+(_\w+\(.*\);|emit \w+\(.*\);|delete .*;|[\w.[\]]+ \+?= [^=].*;|if \(.*\) revert .*;|if \(.*\) return .*;|file\.\w+\(.*\);)$/;

const isCode = (line: string): boolean => !/^\s*(\/\/|\*|import |pragma |event |error |using )/.test(line);

/** All mutants of a source text, in order. Only what a contract does is touched: no comments, imports, declarations. */
export function mutantsOf(file: string, source: string): Mutant[] {
  return source.split("\n").flatMap((before, index) => {
    if (!isCode(before)) return [];
    const code = before.replace(/\/\/.*$/, "").trimEnd();
    const changes = OPERATORS.flatMap(({ name, pattern, replace }) =>
      [...code.matchAll(pattern)].map((match) => ({
        operator: name,
        after: before.slice(0, match.index) + replace + before.slice(match.index + match[0].length),
      })),
    );
    if (STATEMENT.test(code)) changes.push({ operator: "statement dropped", after: "" });
    return changes
      .filter(({ after }) => after !== before)
      .map(({ operator, after }) => ({ file, line: index + 1, operator, before, after }));
  });
}
