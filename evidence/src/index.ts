/** Gathers an audit's evidence from public places. Runs in browsers too: nothing but fetch, ethers and genlayer-js. */

export { UnavailableError, UnknownAgreementError } from "./error.ts";
export { TIMEOUT_MILLISECONDS, originOf, readBounded, reasonOf } from "./http.ts";
export { type JsonRpc, RpcError, createJsonRpc, readAnswer } from "./rpc.ts";

export {
  type Block,
  type Chain,
  type Receipt,
  type Transaction,
  createChain,
  selectorOf,
} from "./evm/chain.ts";
export { type Whereabouts, readEvm } from "./evm/evidence.ts";
export { type JudgeNetwork, type WorkflowState, openJudgeNetwork } from "./genlayer/judge.ts";

export type { Source } from "./sources/source.ts";
export { type Found, findDocument, findVerdictRecord } from "./sources/find.ts";
export { gatewaySource, operatorSource } from "./sources/operator.ts";
export { bundleSource } from "./sources/bundle.ts";

export {
  type Operator,
  type OperatorSelf,
  type OperatorView,
  type PublishedAttestation,
  OperatorError,
  createOperator,
} from "./operators/operator.ts";
export { type Certified, type Subject, collectCertificate } from "./operators/certificate.ts";

export { findOwnDocuments, readOwnChain, withOwnDocuments } from "./gather/own.ts";
export { type Places, gather } from "./gather/gather.ts";
export { type JudgeReading, readJudge } from "./gather/judge.ts";
