import { amountInWords, timeInWords, type Wording, printable } from "@assay/protocol";
import { table } from "../output/table.ts";
import { nextSteps } from "./next-steps.ts";
import type { DatedEvent, OperatorProgress, Snapshot } from "./snapshot.ts";

/** A snapshot for people. */
export function statusLines(snapshot: Snapshot, wording: Wording): string[] {
  const { agreementId, status, terms, submissionHash, events, operators } = snapshot;
  return [
    `Agreement ${agreementId}: ${status}`,
    ...table(
      [
        ["buyer", terms.buyer],
        ["seller", terms.seller],
        ["reward", amountInWords(terms.reward, wording)],
        ["deliver by", timeInWords(terms.deliverBy)],
        ["judge by", timeInWords(terms.adjudicateBy)],
        ...(submissionHash === null ? [] : [["submission", submissionHash]]),
      ],
      2,
    ),
    "On chain",
    ...table(
      events.map((event) => [
        timeInWords(event.timestamp),
        eventInWords(event, wording),
        event.transactionHash,
      ]),
      2,
    ),
    ...(operators.length === 0 ? [] : ["Operators say"]),
    ...operators.flatMap(operatorLines),
    ...requirementLines(operators),
    ...nextSteps(snapshot),
  ];
}

/** One event, such as `Settled, 10 USDC to the seller (not final yet)`. */
export function eventInWords({ name, data, final }: DatedEvent, wording: Wording): string {
  const parts = [name];
  const { sellerAmount, creditor, amount, conceder } = data;
  if (sellerAmount !== undefined) parts.push(`${amountInWords(BigInt(sellerAmount), wording)} to the seller`);
  if (conceder !== undefined) parts.push(`by ${conceder}`);
  if (creditor !== undefined && amount !== undefined)
    parts.push(`${amountInWords(BigInt(amount), wording)} wait as a credit of ${creditor}`);
  return `${parts.join(", ")}${final ? "" : " (not final yet)"}`;
}

function operatorLines({ origin, state, stages, outcome, problem }: OperatorProgress): string[] {
  const reached = stages.findLast(({ at }) => at !== null)?.stage;
  const facts = [
    state === null ? "nothing yet" : printable(state),
    ...(reached === undefined ? [] : [`reached: ${printable(reached)}`]),
    ...(outcome === null ? [] : [`verdict: ${printable(outcome)}`]),
  ];
  return [`  ${origin}  ${facts.join(", ")}`, ...(problem === null ? [] : [`    ${printable(problem)}`])];
}

/** The judge's results, once for all operators that tell the same. */
function requirementLines(operators: readonly OperatorProgress[]): string[] {
  const told = operators
    .map(({ requirements }) =>
      table(
        requirements.map(({ id, result, decidedBy }) => [
          printable(id),
          printable(result),
          `decided by ${printable(decidedBy)}`,
        ]),
        2,
      ),
    )
    .filter((lines) => lines.length > 0);
  const distinct = [...new Map(told.map((lines) => [lines.join("\n"), lines])).values()];
  return distinct.flatMap((lines) => ["Requirements", ...lines]);
}
