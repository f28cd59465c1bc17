import { decodeBase64 } from "ethers";
import { type CaseFile, reasonFor } from "../case-file.ts";
import type { JudgeEvidence } from "../evidence.ts";
import { compare, compareAll, fail, notChecked, pass, shown } from "../finding.ts";
import type { Agreement } from "../../documents/agreement.ts";
import { DocumentError } from "../../documents/error.ts";
import type { VerdictRecord } from "../../documents/verdict-record.ts";
import { isSameAddress } from "../../primitives/address.ts";
import { sha256 } from "../../primitives/sha256.ts";
import { utf8Encode } from "../../primitives/utf8.ts";
import type { Finding } from "../report.ts";
import { buildVerdictRecord } from "../../verdict/build-verdict-record.ts";
import { verdictHash } from "../../verdict/verdict-hash.ts";
import { canonicalRecord } from "./canonical-record.ts";
import {
  AGREED,
  carried,
  type Condition,
  expectedCalldata,
  hadEnoughValidators,
  IS_FINAL,
  NOT_LEADER_ONLY,
  RETURNED,
  WAS_ROUND,
  WAS_WORKFLOW_ROUND,
  wentTo,
} from "./judge-conditions.ts";
import { attributedRecord, storedDigest } from "./joint-record.ts";
import { withRecord } from "./record.ts";
import type { StepDefinition } from "./step.ts";

/** GenLayer finalized what the verdict record says, under the agreement's own conditions. */
export const JUDGE_STEPS: readonly StepDefinition[] = [
  {
    id: "adjudicationHash",
    title: "The judge's stored record hashes to the adjudication hash",
    basis: "computed",
    examine: (file) =>
      withStored(file, (record, stored) => {
        if (file.joint !== null) return storedDigest(file.joint, record, stored);
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
        if (file.joint !== null) return attributedRecord(file, file.joint, record, stored);
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
      withRecord(file, (record) => withJudge(file, (judge) => canonicalRecord(file, record, judge))),
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
  conditionStep("judgeStatus", "The judge transaction is final", () => IS_FINAL),
  {
    id: "judgeResult",
    title: "The validators agreed",
    basis: "reported",
    examine: (file) => agreed(file, AGREED),
  },
  {
    id: "judgeExecution",
    title: "The judge ran without an error",
    basis: "reported",
    examine: (file) => agreed(file, RETURNED),
  },
  conditionStep("judgeSender", "A relayer of the agreement sent it", ({ adjudication }, { relayer }) => ({
    expected: adjudication.relayers.join(" or "),
    holds: ({ sender }) =>
      sender !== null &&
      adjudication.relayers.includes(sender) &&
      (relayer === undefined || isSameAddress(relayer, sender)),
    actual: ({ sender }) => sender,
  })),
  conditionStep("judgeRecipient", "It went to the agreement's judge", ({ adjudication }) =>
    wentTo(adjudication),
  ),
  conditionStep("judgeLeaderOnly", "It did not run on its leader alone", () => NOT_LEADER_ONLY),
  conditionStep("judgeValidators", "Enough validators took part", ({ adjudication }) =>
    hadEnoughValidators(adjudication),
  ),
  {
    id: "judgeCalldata",
    title: "It carried exactly these documents",
    basis: "computed",
    examine: (file) =>
      withAgreement(file, () => {
        const calldata = expectedCalldata(file);
        if (calldata === null)
          return notChecked(reasonFor(file, "submission", "the submission document was not found"));
        return eachTransaction(file, carried(calldata));
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
function agreed(file: CaseFile, condition: Condition): Finding {
  return withRecord(file, ({ outcome, responsibility }) => {
    if (outcome !== "UNDETERMINED" || responsibility !== undefined) return eachTransaction(file, condition);
    const rounds = file.agreement?.document?.adjudication.rounds;
    if (rounds !== undefined && rounds !== file.judgeTransactionIds.length)
      return compare(rounds, file.judgeTransactionIds.length, "rounds that ended without a verdict");
    return eachTransaction(file, file.joint === null ? WAS_ROUND : WAS_WORKFLOW_ROUND);
  });
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
    if (record.adjudicationHash === undefined && record.responsibility === undefined)
      return notChecked(`${record.outcome} has no stored record`);
    return withJudge(file, (judge) => {
      if (judge.record === null)
        return notChecked(reasonFor(file, "judgeRecord", "the stored record could not be read"));
      if (judge.record.version === 0) return fail("the judge has no record for this relayer and key");
      return examine(record, judge.record);
    });
  });
}
