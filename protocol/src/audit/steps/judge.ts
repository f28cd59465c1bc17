import { decodeBase64, getBytes } from "ethers";
import { type CaseFile, reasonFor } from "../case-file.ts";
import type { JudgeEvidence, JudgeTransactionEvidence } from "../evidence.ts";
import { compare, compareAll, fail, notChecked, pass, shown } from "../finding.ts";
import { adjudicateCalldata } from "../judge-calldata.ts";
import type { Agreement } from "../../documents/agreement.ts";
import { DocumentError } from "../../documents/error.ts";
import type { VerdictRecord } from "../../documents/verdict-record.ts";
import { isSameAddress } from "../../primitives/address.ts";
import type { Hex } from "../../primitives/hex.ts";
import { sha256 } from "../../primitives/sha256.ts";
import { utf8Encode } from "../../primitives/utf8.ts";
import type { Finding } from "../report.ts";
import { buildVerdictRecord } from "../../verdict/build-verdict-record.ts";
import { verdictHash } from "../../verdict/verdict-hash.ts";
import { withRecord } from "./record.ts";
import type { StepDefinition } from "./step.ts";

/** Consensus results that mean: the validators agree with the leader. */
const AGREEING = ["AGREE", "MAJORITY_AGREE"];
const RETURNED = "FINISHED_WITH_RETURN";

/** GenLayer finalized what the verdict record says, under the agreement's own conditions. */
export const JUDGE_STEPS: readonly StepDefinition[] = [
  {
    id: "adjudicationHash",
    title: "The judge's stored record hashes to the adjudication hash",
    basis: "computed",
    examine: (file) =>
      withStored(file, (record, stored) => {
        const hash = sha256(utf8Encode(stored.record));
        const finding = compare(
          record.adjudicationHash,
          hash,
          "SHA-256 of the stored record's canonical bytes",
        );
        if (finding.result === "FAIL") return finding;
        if (file.adjudication?.fault != null)
          return fail(`the stored record is not valid: ${file.adjudication.fault}`, finding);
        return stored.adjudicationHash === hash
          ? finding
          : compare(stored.adjudicationHash, hash, "the hash that the judge stored beside its record");
      }),
  },
  {
    id: "judgeRecord",
    title: "The verdict record is the one that follows from the judge's stored record",
    basis: "computed",
    examine: (file) =>
      withStored(file, (record, stored) => {
        const adjudication = file.adjudication?.document;
        const agreement = file.agreement?.document;
        if (adjudication == null)
          return fail(`the stored record is not valid: ${file.adjudication?.fault ?? ""}`);
        const outer = compareAll(
          [
            ["version", 1, stored.version],
            ["key", record.adjudicationKey, stored.key],
            ["sequence", adjudication.sequence, stored.sequence],
            ["sender", adjudication.relayer.toLowerCase(), stored.sender.toLowerCase()],
          ],
          "what the judge stored beside its record",
        );
        if (outer.result === "FAIL") return outer;
        if (agreement == null)
          return notChecked(reasonFor(file, "agreement", "there is no valid agreement document"));
        try {
          const rebuilt = buildVerdictRecord({
            agreement,
            agreementId: file.evidence.agreementId,
            submissionHash: record.submissionHash,
            chainId: file.evidence.evm.chainId,
            escrow: file.evidence.evm.escrow,
            finding: { kind: "adjudicated", adjudication, transaction: record.transactions[0] ?? "0x" },
          });
          return compare(
            verdictHash(record),
            verdictHash(rebuilt),
            "verdict hash of the record rebuilt from it",
          );
        } catch (error) {
          if (!(error instanceof DocumentError)) throw error;
          return fail(`the stored record does not fit the agreement: ${error.message}`);
        }
      }),
  },
  {
    id: "canonicalRecord",
    title: "No other record comes before this one",
    basis: "reported",
    examine: (file) =>
      withRecord(file, (record) => withJudge(file, (judge) => canonical(file, record, judge))),
  },
  {
    id: "judgeNetwork",
    title: "The judge's network is the one agreed on",
    basis: "reported",
    examine: (file) =>
      withAgreement(file, ({ adjudication }) =>
        withJudge(file, (judge) =>
          compareAll(
            [
              ["chainId", adjudication.chainId, judge.chainId],
              ["consensusMain", adjudication.consensusMain, judge.consensusMain],
            ],
            `the endpoint against ${adjudication.network}`,
          ),
        ),
      ),
  },
  conditionStep("judgeStatus", "The judge transaction is final", () => ({
    expected: "FINALIZED",
    holds: ({ status }) => status === "FINALIZED",
    actual: ({ status }) => status,
  })),
  {
    id: "judgeResult",
    title: "The validators agreed",
    basis: "reported",
    examine: (file) => agreed(file, "result"),
  },
  {
    id: "judgeExecution",
    title: "The judge ran without an error",
    basis: "reported",
    examine: (file) => agreed(file, "execution"),
  },
  conditionStep("judgeSender", "A relayer of the agreement sent it", ({ adjudication }, record) => ({
    expected: adjudication.relayers.join(" or "),
    holds: ({ sender }) =>
      sender !== null &&
      adjudication.relayers.includes(sender) &&
      (record.relayer === undefined || isSameAddress(record.relayer, sender)),
    actual: ({ sender }) => sender,
  })),
  conditionStep("judgeRecipient", "It went to the agreement's judge", ({ adjudication }) => ({
    expected: adjudication.contract,
    holds: ({ recipient }) => recipient === adjudication.contract,
    actual: ({ recipient }) => recipient,
  })),
  conditionStep("judgeLeaderOnly", "It did not run on its leader alone", () => ({
    expected: "false",
    holds: ({ leaderOnly }) => leaderOnly === false,
    actual: ({ leaderOnly }) => leaderOnly,
  })),
  conditionStep("judgeValidators", "Enough validators took part", ({ adjudication: { minValidators } }) => ({
    expected: `at least ${minValidators}`,
    holds: ({ initialValidators, participants }) =>
      (initialValidators ?? 0) >= minValidators && (participants ?? 0) >= minValidators,
    actual: ({ initialValidators, participants }) =>
      `${shown(initialValidators)} asked for, ${shown(participants)} took part`,
  })),
  {
    id: "judgeCalldata",
    title: "It carried exactly these documents",
    basis: "computed",
    examine: (file) =>
      withAgreement(file, () => {
        const { agreement, submission, evidence } = file;
        if (agreement === null || submission === null)
          return notChecked(reasonFor(file, "submission", "the submission document was not found"));
        const calldata = adjudicateCalldata({
          agreementId: evidence.agreementId,
          chainId: evidence.evm.chainId,
          escrow: evidence.evm.escrow,
          agreement: agreement.text,
          submission: submission.text,
        });
        return eachTransaction(file, {
          expected: `SHA-256 ${sha256(getBytes(calldata))}`,
          holds: (transaction) => transaction.calldata === calldata,
          actual: (transaction) =>
            transaction.calldata === null ? null : `SHA-256 ${sha256(getBytes(transaction.calldata))}`,
        });
      }),
  },
  {
    id: "codeHash",
    title: "The judge's code is the code agreed on",
    basis: "computed",
    examine: (file) =>
      withAgreement(file, ({ adjudication }) =>
        withJudge(file, ({ code }) =>
          code === null
            ? notChecked(reasonFor(file, "judgeCode", "the deployed code could not be read"))
            : compare(adjudication.codeHash, sha256(decodeBase64(code)), "SHA-256 of the deployed code"),
        ),
      ),
  },
];

/** A condition on judge transactions. */
interface Condition {
  readonly expected: string;
  holds(transaction: JudgeTransactionEvidence): boolean;
  actual(transaction: JudgeTransactionEvidence): string | boolean | null;
}

/** A step that every judge transaction of the record must meet. */
function conditionStep(
  id: string,
  title: string,
  make: (agreement: Agreement, record: VerdictRecord) => Condition,
): StepDefinition {
  return {
    id,
    title,
    basis: "reported",
    examine: (file) =>
      withAgreement(file, (agreement) =>
        withRecord(file, (record) => eachTransaction(file, make(agreement, record))),
      ),
  };
}

function eachTransaction(file: CaseFile, condition: Condition): Finding {
  return withRecord(file, ({ outcome }) => {
    const ids = file.judgeTransactionIds;
    if (ids.length === 0) return notChecked(`${outcome} names no judge transaction`);
    const unknown = ids.filter((id) => !file.judgeTransactions.some((transaction) => transaction.id === id));
    if (file.evidence.judge === null || unknown.length > 0)
      return notChecked(
        reasonFor(file, "judgeTransactions", reasonFor(file, "judge", `unknown here: ${unknown.join(", ")}`)),
      );
    const failing = file.judgeTransactions.find((transaction) => !condition.holds(transaction));
    const [sample] = failing === undefined ? file.judgeTransactions : [failing];
    const values = {
      expected: condition.expected,
      actual: shown(sample === undefined ? null : condition.actual(sample)),
    };
    return failing === undefined
      ? pass(`transaction ${ids.join(", ")}`, values)
      : fail(`transaction ${failing.id}`, values);
  });
}

/** For PASS and FAIL both had to come out well; UNDETERMINED counts rounds in which one of them did not. */
function agreed(file: CaseFile, member: "result" | "execution"): Finding {
  const isGood = (transaction: JudgeTransactionEvidence): boolean =>
    member === "result" ? AGREEING.includes(shown(transaction.result)) : transaction.execution === RETURNED;
  return withRecord(file, ({ outcome }) => {
    if (outcome !== "UNDETERMINED")
      return eachTransaction(file, {
        expected: member === "result" ? AGREEING.join(" or ") : RETURNED,
        holds: isGood,
        actual: (transaction) => transaction[member],
      });
    const rounds = file.agreement?.document?.adjudication.rounds;
    if (rounds !== undefined && rounds !== file.judgeTransactionIds.length)
      return compare(rounds, file.judgeTransactionIds.length, "rounds that ended without a verdict");
    return eachTransaction(file, {
      expected: "no agreement, or an error",
      holds: (transaction) =>
        transaction.result !== null &&
        transaction.execution !== null &&
        !(AGREEING.includes(transaction.result) && transaction.execution === RETURNED),
      actual: (transaction) => `${shown(transaction.result)}, ${shown(transaction.execution)}`,
    });
  });
}

/** The canonical record is the lowest-numbered one of a named relayer whose own transaction counts. */
function canonical(file: CaseFile, record: VerdictRecord, judge: JudgeEvidence): Finding {
  const relayers = file.agreement?.document?.adjudication.relayers;
  if (relayers === undefined || judge.records === null)
    return notChecked(reasonFor(file, "judgeRecord", "the list of records, or the agreement, is not known"));
  const named = judge.records.filter(({ sender }) => relayers.includes(sender));
  const values = (actual: readonly { sequence: number; sender: Hex }[]) => ({
    actual: actual.map(({ sequence, sender }) => `${sequence} by ${sender}`).join(", ") || "none",
  });
  if (record.relayer === undefined)
    return named.length === 0
      ? pass("no named relayer has a record", values(named))
      : notChecked(
          `a record exists now; public data don't tell whether it did when ${record.outcome} was certified`,
        );
  const own = named.find(({ sender }) => sender === record.relayer);
  if (own === undefined) return fail("the relayer of the verdict has no record", values(named));
  const earlier = named.filter(({ sequence }) => sequence < own.sequence);
  return earlier.length === 0
    ? pass("the lowest-numbered record of the named relayers", {
        expected: String(own.sequence),
        ...values(named),
      })
    : notChecked(
        `record ${earlier.map(({ sequence, sender }) => `${sequence} of ${sender}`).join(", ")} is numbered lower; ` +
          "whether its transaction meets every condition was not examined",
      );
}

function withAgreement(file: CaseFile, examine: (agreement: Agreement) => Finding): Finding {
  const agreement = file.agreement?.document ?? null;
  return agreement === null
    ? notChecked(reasonFor(file, "agreement", "there is no valid agreement document"))
    : examine(agreement);
}

function withJudge(file: CaseFile, examine: (judge: JudgeEvidence) => Finding): Finding {
  const { judge } = file.evidence;
  return judge === null
    ? notChecked(reasonFor(file, "judge", "nothing was read from GenLayer"))
    : examine(judge);
}

/** Runs a step about the stored record; only PASS and FAIL have one. */
function withStored(
  file: CaseFile,
  examine: (record: VerdictRecord, stored: NonNullable<JudgeEvidence["record"]>) => Finding,
): Finding {
  return withRecord(file, (record) => {
    if (record.adjudicationHash === undefined) return notChecked(`${record.outcome} has no stored record`);
    return withJudge(file, (judge) => {
      if (judge.record === null)
        return notChecked(reasonFor(file, "judgeRecord", "the stored record could not be read"));
      if (judge.record.version === 0) return fail("the judge has no record for this relayer and key");
      return examine(record, judge.record);
    });
  });
}
