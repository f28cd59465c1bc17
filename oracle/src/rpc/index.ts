export { isEmptyBloom, mayHoldLogOf } from "./bloom.ts";
export { readBounded } from "./body.ts";
export * from "./errors.ts";
export * from "./evm.ts";
export { createJsonRpc, type JsonRpc } from "./json-rpc.ts";
export { classifySendError, isRangeTooWide, isRateLimit, type SendOutcome } from "./send-error.ts";
export { wireAddress, wireHash } from "./wire.ts";
export { createRpcPool } from "./pool.ts";
export { createProvider, heightOf, type Provider, type RateLimits } from "./provider.ts";
export {
  PROVIDER_STATUSES,
  type CallOutcome,
  type ObserveCall,
  type ProviderChain,
  type ProviderState,
  type ProviderStatus,
  type RpcCall,
} from "./provider-state.ts";
export { capped, raised, replacing } from "./fees.ts";
