export { audit, AUDIT_STEPS, auditSteps, GATE_AUDIT_STEPS } from "./audit.ts";
export { certificatesIn } from "./certificate.ts";
export type { ExaminedCall } from "./examined-call.ts";
export { type ExecutionFacts, type ExecutionReport, examineExecution } from "./examine-execution.ts";
export {
  BUNDLE_SCHEMA,
  type BlockEvidence,
  type Evidence,
  type GapSubject,
  type JudgeEvidence,
  type JudgeTransactionEvidence,
  type LogEvidence,
  type StoredRecordEvidence,
  type TransactionEvidence,
  encodeBundle,
  evidenceSchema,
  parseBundle,
  readEvidence,
} from "./evidence.ts";
export { type Ending, type History, historyOf } from "./events.ts";
export {
  type Envelope,
  type OpenedEnvelope,
  PREDICATE_TYPE,
  envelopeDigest,
  isEnvelope,
  openEnvelope,
  sealEnvelope,
  statementOf,
} from "./in-toto.ts";
export { type AdjudicateCall, adjudicateCalldata, assessCalldata } from "./judge-calldata.ts";
export { type ReceiptFields, proveReceipt, quantityBytes } from "./proof/prove.ts";
export { readHeader } from "./proof/receipt.ts";
export { expectedCalldata } from "./steps/judge-conditions.ts";
export { JOINT_STEPS } from "./steps/joint.ts";
export { type AuditReport, type AuditStep, type Basis, STEP_RESULTS, type StepResult } from "./report.ts";
export { type WalkCase, isDelivery } from "./walk-case.ts";
export { type CaseFile, type JointCase, isCertificate, openCase } from "./case-file.ts";
