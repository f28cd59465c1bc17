export { assess, type Assessment } from "./assess.ts";
export {
  CONDITIONS,
  adjudicationOf,
  holdsSubmission,
  roundConditions,
  verdictConditions,
  type Condition,
  type StoredRecord,
  type Subject,
  type UnmetCondition,
  type VerdictFacts,
} from "./conditions.ts";
export { JudgeUnavailableError } from "./errors.ts";
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
export { findJudgeTransaction } from "./find.ts";
export { createJudgeHandler, createRoundsHandler, type Nudge } from "./read.ts";
export { matterOf, requiredMatter, termsOf, type Matter } from "./subject.ts";
