/** What every part of Assay must agree on: documents, hashes, signatures, ABIs and networks. Pure; no I/O. */

export { ProtocolError } from "./error.ts";

export { bytesOf, type Hex, ZERO_HASH, isHash, toHash } from "./primitives/hex.ts";
export { type Address, ZERO_ADDRESS, isChecksummed, isSameAddress, toAddress } from "./primitives/address.ts";
export { toChainId } from "./primitives/chain-id.ts";
export { toUint } from "./primitives/uint.ts";
export { ValueError, type ValueErrorCode } from "./primitives/value-error.ts";
export { interfaceOf } from "./primitives/interface-of.ts";
export { keccak256 } from "./primitives/keccak256.ts";
export { sha256 } from "./primitives/sha256.ts";
export { utf8Encode, utf8Length } from "./primitives/utf8.ts";

export {
  CanonicalJsonError,
  type CanonicalJsonErrorCode,
  type JsonPlace,
  type TextPosition,
} from "./json/error.ts";
export { MAX_DEPTH } from "./json/limits.ts";
export type { JsonObject, JsonValue } from "./json/value.ts";
export { canonicalize } from "./json/canonicalize.ts";
export { parseStrict } from "./json/parse-strict.ts";

export { CHECK_TYPES, type Check, type CheckType, checkSchema } from "./checks/check.ts";
export { regexSchema } from "./checks/regex.ts";
export { patternFault } from "./checks/pattern/pattern.ts";
export { fileHashSchema } from "./checks/file-hash.ts";
export { httpStatusSchema } from "./checks/http-status.ts";
export { reportedSchema } from "./checks/reported.ts";
export { executionProofSchema } from "./checks/execution-proof.ts";
export {
  type CheckResult,
  type CheckSubject,
  type CheckedRequirement,
  previewChecks,
  runCheck,
} from "./checks/run-check.ts";
export { fileExistsSchema } from "./checks/file-exists.ts";
export { functionExistsSchema } from "./checks/function-exists.ts";
export { LANGUAGES, type Language, languageOf } from "./checks/source/language.ts";
export { blankLiterals } from "./checks/source/blank-literals.ts";
export { stringPresentSchema } from "./checks/string-present.ts";

export { DocumentError, type DocumentErrorCode, type DocumentIssue } from "./documents/error.ts";
export { MAX_DOCUMENT_BYTES, SCHEMA, type SchemaTag } from "./documents/limits.ts";
export {
  type AdjudicationPolicy,
  type Agreement,
  type Execution,
  type Reporter,
  type Requirement,
  agreementSchema,
} from "./documents/agreement.ts";
export type { Files } from "./documents/files.ts";
export {
  type ExecutionProof,
  type Report,
  type Submission,
  submissionSchema,
} from "./documents/submission.ts";
export {
  DECIDERS,
  REQUIREMENT_RESULTS,
  type RequirementResult,
  outcomeOf,
} from "./documents/requirement-result.ts";
export {
  type AdjudicationRecord,
  type JudgedRequirement,
  LINK_RESULTS,
  adjudicationRecordSchema,
} from "./documents/adjudication.ts";
export { type VerdictRecord, verdictRecordSchema } from "./documents/verdict-record.ts";
export { parseAdjudication, parseAgreement, parseSubmission, parseVerdictRecord } from "./documents/parse.ts";
export { type AnyDocument, encodeDocument } from "./documents/encode.ts";
export { documentHash } from "./documents/hash.ts";
export { documentCid } from "./documents/cid.ts";
export { isPublicUrl } from "./documents/url.ts";

export {
  type Domain,
  type TypedData,
  type TypedDataField,
  typedDataDigest,
} from "./typed-data/typed-data.ts";
export { ecdsaSignerOf, isEcdsaSignedBy } from "./typed-data/ecdsa.ts";
export { escrowDomain, quorumDomain, reportDomain, responsibilityDomain } from "./typed-data/domains.ts";

export type { Terms } from "./terms/terms.ts";
export { WINDOWS } from "./terms/windows.ts";
export { SALT_BITS, newSalt } from "./terms/salt.ts";
export { type TermsProblem, type TermsSurroundings, validateTerms } from "./terms/validate-terms.ts";
export { type TermsStruct, termsFromEvent, toTermsStruct } from "./terms/terms-struct.ts";
export { TERMS_TYPES, termsTypedData } from "./terms/typed-data.ts";
export { agreementIdOf } from "./terms/agreement-id.ts";
export { ACCEPTANCE_TYPES, acceptanceTypedData } from "./terms/acceptance.ts";
export { SUBMISSION_TYPES, submissionTypedData } from "./terms/submission.ts";
export { SETTLEMENT_TYPES, settlementTypedData } from "./terms/settlement.ts";
export {
  SettlementError,
  readSettlement,
  writeSettlement,
  type Settlement,
} from "./terms/settlement-file.ts";
export {
  type FundingAuthorizationParameters,
  RECEIVE_WITH_AUTHORIZATION_TYPES,
  type TokenDomain,
  fundingAuthorizationTypedData,
} from "./terms/funding-authorization.ts";
export { PERMIT_TYPES, permitTypedData } from "./terms/permit.ts";

export { jobKeyOf } from "./jobs/job-key.ts";
export { agreementHashIn, jobCommitment } from "./jobs/job-description.ts";
export { type JobCertificate, jobDeliveryCalldata } from "./jobs/job-delivery.ts";

export { conflictedReporters } from "./reports/conflicted-reporters.ts";
export { type ReportParameters, REPORT_TYPES, filesHash, reportTypedData } from "./reports/report.ts";

export type { Joint, JointSide } from "./documents/joint.ts";
export {
  type JointAgreement,
  type JointAgreementSide,
  type JointPlan,
  fitsAgreement,
  isJoint,
  jointPlanOf,
  jointWorkflow,
  jointWorkflowId,
  roleIn,
} from "./responsibility/joint.ts";
export {
  type Outputs,
  type RecordFault,
  type ResponsibilityRecord,
  responsibilityFaults,
} from "./responsibility/record.ts";
export { ROLES, type Role, otherRole, outcomeForRole } from "./responsibility/role.ts";
export {
  type ResponsibilityVerdict,
  RESPONSIBILITY_VERDICTS,
  type Workflow,
  WORKFLOW_LIMITS,
} from "./responsibility/workflow.ts";
export {
  type AssessmentParameters,
  type ResponsibilityRecordParameters,
  assessmentDigest,
  responsibilityRecordDigest,
  workflowDigest,
  workflowKey,
} from "./responsibility/digests.ts";
export {
  WORKFLOW_TYPES,
  type WorkflowPlace,
  workflowAcceptanceTypedData,
  workflowClosingTypedData,
  workflowOutputTypedData,
} from "./responsibility/typed-data.ts";

export { attestationHash, committedRoot, fold, sequenceHash, stepNonce } from "./execution/chain.ts";
export { hasConflictedRecorder } from "./execution/conflicted-recorder.ts";
export { requestHash, responseHash } from "./execution/content-hash.ts";
export { type ExecutionVerdictParameters, executionVerdictHash } from "./execution/execution-verdict.ts";
export { executionGateConfigOf, isGated } from "./execution/gate-config.ts";
export { type GateDelivery, gateDeliveriesIn, gateDeliveryCalldata } from "./execution/gate-delivery.ts";
export { missionNonce, nonceCommitment } from "./execution/mission-nonce.ts";
export { matchesTemplate, templateFault } from "./execution/path-template.ts";
export { MAX_STEPS, type Step, type StepRecord, stepFault, stepsField } from "./execution/step.ts";
export {
  EXECUTION_TERMINAL_TYPES,
  type ExecutionTerminalParameters,
  executionTerminalTypedData,
} from "./execution/terminal.ts";
export {
  WALK_AUTHORIZATION_TYPES,
  type WalkAuthorizationParameters,
  walkAuthorizationTypedData,
} from "./execution/walk-authorization.ts";
export {
  type ExecutionClaim,
  type ExecutionFault,
  type ExecutionFaultCode,
  type ExecutionVerdict,
  type PublishedRecord,
  verifyExecution,
} from "./execution/verify-execution.ts";

export { OUTCOMES, OUTCOME_CODES, type Outcome, outcomeOfCode } from "./verdict/outcome.ts";
export { adjudicatorConfigOf } from "./verdict/adjudicator-config.ts";
export { type AdjudicationKeyParameters, adjudicationKey } from "./verdict/adjudication-key.ts";
export { VERDICT_TYPES, type Verdict, verdictDigest, verdictTypedData } from "./verdict/verdict.ts";
export {
  type Finding,
  type VerdictRecordParameters,
  buildVerdictRecord,
} from "./verdict/build-verdict-record.ts";
export { type Certificate, deliveryCalldata } from "./verdict/delivery.ts";
export { verdictHash } from "./verdict/verdict-hash.ts";
export { verdictOf } from "./verdict/verdict-of.ts";

export { type AgreementEnd, type AgreementFact, ENDINGS, type Ending } from "./reputation/agreement-fact.ts";
export { type Categories, categoriesOf } from "./reputation/categories.ts";
export { ReputationError, type ReputationErrorCode } from "./reputation/error.ts";
export {
  type LifecycleContracts,
  type LifecycleEvent,
  type TimedLog,
  decodeLifecycleEvent,
} from "./reputation/lifecycle-event.ts";
export { factsFromEvents } from "./reputation/from-events.ts";
export {
  AGREEMENT_FACT_FIELDS,
  type AgreementEntity,
  factsFromEntities,
} from "./reputation/from-entities.ts";
export { type Rate, type Tally, rateOf } from "./reputation/rate.ts";
export type { Rates } from "./reputation/rates.ts";
export { FULL_WEIGHT, HALF_LIFE_SECONDS, recencyWeight } from "./reputation/recency.ts";
export type { HistoryCounts, RoleHistory } from "./reputation/history.ts";
export {
  type AsOf,
  type BuyerReputation,
  type CategoryReputation,
  type CategoryReputations,
  type PartyFacts,
  REPUTATION_MEASURE,
  type Reputation,
  type RoleReputations,
  type SellerReputation,
  type TrustedAdjudication,
  reputationOf,
} from "./reputation/reputation.ts";

export {
  DEFAULT_HIRE_POLICY,
  HIRE_DECISIONS,
  type HireDecision,
  type HirePolicy,
  hireDecision,
} from "./reputation/hire-decision.ts";

export { type EvmNetwork, type GenLayerNetwork, NETWORKS, type Network } from "./networks/networks.ts";
export { findEvmNetwork, findGenLayerNetwork, findNetwork } from "./networks/find-network.ts";
export {
  NETWORKS_SCHEMA,
  PROFILE_SCHEMA,
  type Profile,
  parseNetworks,
  parseProfile,
} from "./networks/profile.ts";

export { agreementEscrowAbi } from "./abi/agreement-escrow.ts";
export { fiatTokenAbi } from "./abi/fiat-token.ts";
export { verdictQuorumAbi } from "./abi/verdict-quorum.ts";
export { erc8183EvaluatorAbi } from "./abi/erc8183-evaluator.ts";
export { executionProofGateAbi } from "./abi/execution-proof-gate.ts";

export { printable, printableLines, shortened } from "./words/printable.ts";
export { checkInWords } from "./words/check-in-words.ts";
export { durationInWords } from "./words/duration-in-words.ts";
export {
  type StatusName,
  STATUS_NAMES,
  type Wording,
  type Words,
  amountInWords,
  timeInWords,
} from "./errors-in-words/words.ts";
export { statusOfCode } from "./errors-in-words/escrow-phrases.ts";
export { type RevertInWords, explainReason, explainRevert } from "./errors-in-words/explain-revert.ts";

export * from "./audit/index.ts";
