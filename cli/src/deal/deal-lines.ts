import {
  amountInWords,
  findGenLayerNetwork,
  timeInWords,
  isGated,
  isJoint,
  type Agreement,
  type Execution,
  type Hex,
  type Terms,
  printable,
  checkInWords,
  durationInWords,
} from "@assay/protocol";
import { table } from "../output/table.ts";
import type { Session } from "../session.ts";
import type { QuorumMembers } from "./deal-file.ts";
import { jointLines } from "./joint-lines.ts";

/** A deal for people: who, how much, until when, who judges, and every requirement with what decides it. */
export function dealLines(
  { wording }: Pick<Session, "wording">,
  deal: { readonly agreementId: Hex; readonly terms: Terms; readonly quorum: QuorumMembers | null },
  agreement: Agreement,
  now: number,
): string[] {
  const { terms, quorum } = deal;
  const { adjudication } = agreement;
  const until = (time: number): string =>
    `${timeInWords(time)} (${time >= now ? `in ${durationInWords(time - now)}` : `${durationInWords(now - time)} ago`})`;
  const isWalk = isGated(terms, agreement);
  const isSimulated = findGenLayerNetwork(adjudication.network)?.simulated === true;
  return [
    printable(agreement.title),
    ...table(
      [
        ["agreement", deal.agreementId],
        ["document", terms.agreementHash],
        ...(agreement.category === undefined ? [] : [["category", agreement.category]]),
        ["buyer", terms.buyer],
        ["seller", terms.seller],
        ["reward", amountInWords(terms.reward, wording)],
        ["deliver by", until(terms.deliverBy)],
        ["judge by", until(terms.adjudicateBy)],
        ["no verdict", `${terms.noVerdictSellerBps / 100}% of the reward goes to the seller`],
        ...(isWalk
          ? [["paid by", `gate ${terms.adjudicator}, when the steps were walked; no judge is asked`]]
          : [
              [
                "judge",
                `${adjudication.contract} on ${printable(adjudication.network)}${isSimulated ? " (a simulation)" : ""}, code SHA-256 ${adjudication.codeHash}`,
              ],
              [
                "rounds",
                `${adjudication.rounds} without a decision make it UNDETERMINED; ${adjudication.minValidators} validators or more each`,
              ],
              ...(quorum === null
                ? [["operators", `those of configuration ${terms.adjudicatorConfig}`]]
                : [["operators", `${quorum.threshold} of ${quorum.members.join(", ")}`]]),
            ]),
      ],
      2,
    ),
    "Task",
    ...agreement.task.split(/\r?\n/).map((line) => `  ${printable(line)}`),
    ...(isJoint(agreement)
      ? jointLines({ wording }, deal.agreementId, agreement)
      : ["Requirements: all have to pass"]),
    ...agreement.requirements.flatMap(({ id, text, check }) => [
      `  ${id}  ${printable(text)}`,
      `    ${checkInWords(check)}`,
    ]),
    ...(agreement.evidenceRequired.length === 0
      ? []
      : ["Evidence asked for", ...agreement.evidenceRequired.map((text) => `  ${printable(text)}`)]),
    ...(agreement.reporters === undefined
      ? []
      : ["Reporters", ...agreement.reporters.map(({ id, address }) => `  ${id}  ${address}`)]),
    ...(agreement.execution === undefined ? [] : executionLines(agreement.execution)),
  ];
}

function executionLines({ recorder, steps }: Execution): string[] {
  return [
    `Steps, in this order, as recorded by ${recorder}`,
    ...steps.map(
      ({ index, method, pathTemplate, auth }) =>
        `  ${index}  ${method} ${printable(pathTemplate)}${auth ? "  (with credentials)" : ""}`,
    ),
  ];
}
