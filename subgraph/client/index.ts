export { COLLECTIONS, ENUMS } from "./entities.ts";
export { IndexError, type IndexErrorCode } from "./error.ts";
export {
  createIndexClient,
  type Answer,
  type IndexClient,
  type IndexClientParameters,
  type IndexedBlock,
  type Question,
} from "./index-client.ts";
export type {
  AgreementEventKind,
  AgreementStatus,
  Collection,
  Entity,
  Field,
  Hex,
  Outcome,
  TerminalCause,
} from "./types.ts";
export type {
  AgreementRecord,
  AgreementSummary,
  AnswerBlock,
  HashOwner,
  HashRole,
  PairHistory,
  PassedOver,
  Refusal,
  Sourced,
  SourceName,
  SourceReason,
  Totals,
} from "./answers.ts";
export type { JsonRpc } from "./chain-reader.ts";
export type { Deployment } from "./chain-source.ts";
export { createQueryClient, type QueryClient, type QueryClientParameters } from "./query-client.ts";
export { NoSourceError } from "./no-source-error.ts";
export type { Freshness, ReputationOptions } from "./source.ts";
