export type { CollectedCertificate, Desk, SettledVerdict, TokenInfo } from "./desk.ts";
export { PrepareError, type PrepareErrorCode } from "./errors.ts";
export { erc8004Abi, ERC8004_SCORES } from "./erc8004.ts";
export type { Operation } from "./operation.ts";
export { OPERATIONS } from "./operations.ts";
export type { Plan, SendStep, SignStep, Step } from "./step.ts";
