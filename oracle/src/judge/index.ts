export { createAgreeingJudge } from "./agreeing.ts";
export { assess, type Assessment } from "./assess.ts";
export {
  CONDITIONS,
  adjudicationOf,
  holdsSubmission,
  roundConditions,
  verdictConditions,
  type Condition,
  type JointSubject,
  type Subject,
  type UnmetCondition,
  type VerdictFacts,
} from "./conditions.ts";
export type { StoredRecord } from "./stored-record.ts";
export { JudgeUnavailableError } from "./errors.ts";
export { connectJudge } from "./connect.ts";
export { connectGenLayer } from "./endpoint.ts";
export { createJudge } from "./genlayer.ts";
export type { AdjudicationCall, Judge, RecordEntry, RelayReceipt } from "./judge.ts";
export {
  STATUS_NAMES,
  readStudioTransaction,
  readTestnetTransaction,
  stageOf,
  type JudgeStage,
  type JudgeTransaction,
} from "./transaction.ts";
export { candidates, findJudgeTransaction } from "./find.ts";
export { partnerSubmission, sideOf, type PartnerSubmission, type Side } from "./joint.ts";
export { WORKFLOW_STATES, type WorkflowCall, type WorkflowView, type Workflows } from "./workflows.ts";
export { createJudgeHandler, createRoundsHandler, type Nudge } from "./read.ts";
export { documentsOf, matterOf, requiredMatter, termsOf, type Matter } from "./subject.ts";
