import type { AdjudicationPolicy } from "../../documents/agreement.ts";
import type { VerdictRecord } from "../../documents/verdict-record.ts";
import { type CaseFile, reasonFor } from "../case-file.ts";
import type { JudgeEvidence } from "../evidence.ts";
import { fail, notChecked, pass, shown } from "../finding.ts";
import type { Finding } from "../report.ts";
import {
  AGREED,
  carried,
  type Condition,
  expectedCalldata,
  hadEnoughValidators,
  IS_FINAL,
  NOT_LEADER_ONLY,
  RETURNED,
  wentTo,
} from "./judge-conditions.ts";

type Entry = NonNullable<JudgeEvidence["records"]>[number];

/** The canonical record is the lowest-numbered one of a named relayer whose own transaction counts. */
export function canonicalRecord(file: CaseFile, record: VerdictRecord, judge: JudgeEvidence): Finding {
  const policy = file.agreement?.document?.adjudication;
  if (policy === undefined || judge.records === null)
    return notChecked(reasonFor(file, "judgeRecord", "the list of records, or the agreement, is not known"));
  const named = judge.records.filter(({ sender }) => policy.relayers.includes(sender));
  const actual = named.map(({ sequence, sender }) => `${sequence} by ${sender}`).join(", ") || "none";
  if (record.relayer === undefined)
    return named.length === 0
      ? pass("no named relayer has a record", { actual })
      : notChecked(
          `a record exists now; public data don't tell whether it did when ${record.outcome} was certified`,
        );
  const own = named.find(({ sender }) => sender === record.relayer);
  if (own === undefined) return fail("the relayer of the verdict has no record", { actual });
  const values = { expected: String(own.sequence), actual };
  const earlier = named.filter(({ sequence }) => sequence < own.sequence);
  if (earlier.length === 0) return pass("the lowest-numbered record of the named relayers", values);

  const readings = earlier.map((entry) => read(file, policy, entry));
  const counting = readings.find(({ counts }) => counts === true);
  if (counting !== undefined) return fail(counting.note, values);
  const undecided = readings.find(({ counts }) => counts === null);
  if (undecided !== undefined) return notChecked(undecided.note);
  return pass(readings.map(({ note }) => note).join("; "), values);
}

/** Whether a lower-numbered record counts; null when what was read does not tell. */
interface Reading {
  readonly counts: boolean | null;
  readonly note: string;
}

function read(
  file: CaseFile,
  policy: AdjudicationPolicy,
  { sender, sequence, transactions }: Entry,
): Reading {
  const record = `record ${sequence} of ${sender}`;
  const undecided = (why: string): Reading => ({
    counts: null,
    note: `${record} is numbered lower; ${why}`,
  });
  const calldata = expectedCalldata(file);
  if (transactions === undefined || calldata === null)
    return undecided(reasonFor(file, "judgeTransactions", "its transaction was not looked for"));
  const conditions: [string, Condition][] = [
    ["calldata", carried(calldata)],
    ["recipient", wentTo(policy)],
    ["status", IS_FINAL],
    ["result", AGREED],
    ["execution", RETURNED],
    ["leader only", NOT_LEADER_ONLY],
    ["validators", hadEnoughValidators(policy)],
  ];
  const notes: string[] = [];
  for (const transaction of transactions.filter((one) => one.sender === sender)) {
    const unmet = conditions.filter(([, condition]) => !condition.holds(transaction));
    if (unmet.length === 0)
      return { counts: true, note: `${record} comes first: transaction ${transaction.id} counts` };
    const known = unmet.find(([, condition]) => condition.actual(transaction) !== null);
    if (known === undefined)
      return undecided(
        `the network does not tell ${unmet.map(([name]) => name).join(", ")} of transaction ${transaction.id}`,
      );
    const [name, condition] = known;
    notes.push(`transaction ${transaction.id} has ${name} ${shown(condition.actual(transaction))}`);
  }
  if (notes.length === 0) return undecided("the transaction that stored it was not found");
  return { counts: false, note: `${record} does not count: ${notes.join("; ")}` };
}
