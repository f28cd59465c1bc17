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
export {
  createJudge,
  type AdjudicationCall,
  type Judge,
  type RecordEntry,
  type RelayReceipt,
} from "./genlayer.ts";
export {
  STATUS_NAMES,
  readStudioTransaction,
  readTestnetTransaction,
  stageOf,
  type JudgeStage,
  type JudgeTransaction,
} from "./transaction.ts";
export { findJudgeTransaction } from "./find.ts";
export { createJudgeHandler, createRoundsHandler } from "./read.ts";
export { matterOf, requiredMatter, termsOf, type Matter } from "./subject.ts";
