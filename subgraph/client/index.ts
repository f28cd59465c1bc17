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
