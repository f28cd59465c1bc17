/** The bridge service of one operator. */
export {
  ConfigError,
  Endpoint,
  Secret,
  loadConfig,
  redactedConfig,
  settingsHelp,
  type ConfigProblem,
  type OperatorConfig,
  type RedactedConfig,
} from "./config/index.ts";
export { AnswerError, STAGES, type Answers, type Stage } from "./answers/index.ts";
export { ListenError, openApiDocument } from "./http/index.ts";
export { erc8004Abi } from "./prepare/index.ts";
export {
  MaintenanceError,
  maintain,
  storeLocation,
  type MaintenanceCommand,
  type MaintenanceOutcome,
  type StoreLocation,
} from "./maintain/index.ts";
export {
  createRemoteAnswers,
  serveMcpHttp,
  serveMcpStdio,
  type AuditFindings,
  type Auditor,
  type McpServices,
} from "./mcp/index.ts";
export { createLogger, type Clock, type Logger } from "./observe/index.ts";
export { startOperator, type Operator, type OperatorOptions } from "./operator.ts";
export { ChainIdentityError } from "./rpc/index.ts";
export { type Boundary, type BoundaryHook } from "./run/index.ts";
export { StoreError, StoreLockedError, openSqliteStore } from "./store/index.ts";
export { STATE_NAMES, type StateName } from "./core/index.ts";
