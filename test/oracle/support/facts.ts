import {
  adjudicationKey,
  canonicalize,
  documentHash,
  encodeDocument,
  utf8Encode,
  type Agreement,
} from "@assay/protocol";
import type { JudgeTransaction, StoredRecord, VerdictFacts } from "../../../oracle/src/judge/index.ts";
import { CHAIN_ID, ESCROW } from "./sim-evm.ts";
import { JUDGE, JUDGE_CODE_HASH } from "./sim-genlayer.ts";
import { AGREEMENT, SUBMISSION, hash } from "./states.ts";

export const RELAYER = "0x3c524fD949d601790ac741dFB5B07414F3DacF1d";
export const CALLDATA = "0x1604";

export const agreement: Agreement = {
  schema: "assay/agreement/1",
  title: "A delivery",
  task: "Deliver.",
  requirements: [
    { id: "R1", text: "report.md exists", check: { type: "file_exists", path: "report.md" } },
    { id: "R2", text: "Every claim names a source" },
  ],
  evidenceRequired: [],
  adjudication: {
    network: "localnet",
    chainId: 61_127,
    consensusMain: "0xb7278A61aa25c888815aFC32Ad3cC52fF24fE575",
    contract: JUDGE,
    codeHash: JUDGE_CODE_HASH,
    relayers: [RELAYER],
    minValidators: 5,
    rounds: 2,
  },
};

const ids = {
  agreementId: AGREEMENT,
  agreementHash: documentHash(encodeDocument(agreement)),
  submissionHash: SUBMISSION,
  chainId: CHAIN_ID,
  escrow: ESCROW,
} as const;

export const KEY = adjudicationKey(ids);

export const transaction: JudgeTransaction = {
  id: hash(0x91),
  status: "FINALIZED",
  result: "MAJORITY_AGREE",
  execution: "FINISHED_WITH_RETURN",
  sender: RELAYER,
  recipient: JUDGE,
  leaderOnly: false,
  initialValidators: 5,
  participants: 5,
  calldata: CALLDATA,
  createdAt: 1,
};

/** The content of a record, with some members changed. */
export function recordOf(
  changes: Record<string, unknown> = {},
  outer: Partial<StoredRecord> = {},
): StoredRecord {
  const record = canonicalize({
    schema: "assay/adjudication/1",
    adjudicationKey: KEY,
    ...ids,
    relayer: RELAYER,
    sequence: 7,
    outcome: "PASS",
    requirements: [
      { id: "R1", result: "PASS", decidedBy: "check", check: "file_exists" },
      { id: "R2", result: "PASS", decidedBy: "model" },
    ],
    evidence: [],
    ...changes,
  });
  return {
    version: 1,
    sequence: 7,
    sender: RELAYER,
    key: KEY,
    record,
    adjudicationHash: documentHash(utf8Encode(record)),
    ...outer,
  };
}

export const NO_RECORD: StoredRecord = {
  version: 0,
  sequence: 0,
  sender: "",
  key: "",
  record: "",
  adjudicationHash: "",
};

/** Facts under which every condition holds, with some changed. */
export function facts(changes: Partial<VerdictFacts> = {}, of: Partial<JudgeTransaction> = {}): VerdictFacts {
  const record = recordOf();
  return {
    subject: { ...ids, agreement, adjudicationKey: KEY, calldata: CALLDATA },
    transaction: { ...transaction, ...of },
    records: [record, record],
    codeHash: JUDGE_CODE_HASH,
    escrow: { status: "Submitted", submissionHashPrefix: SUBMISSION.slice(0, 64) as `0x${string}` },
    ...changes,
  };
}
