import { RpcResponseError, RpcUnavailableError } from "./errors.ts";

/** What a refused broadcast means for the signed bytes. */
export type SendOutcome =
  /** The node has the transaction, now or already. */
  | "accepted"
  /** The account's nonce is past it: something with that nonce is in a block, perhaps this very transaction. */
  | "nonceUsed"
  /** A competitor with the same nonce pays more. */
  | "underpriced"
  /** The account can't pay for it. */
  | "insufficientFunds"
  /** No answer: it may or may not have been taken. */
  | "unknown";

/**
 * Wordings of Geth, Erigon, Nethermind, Besu, Reth, anvil and Hardhat, from the most specific to the least. "known
 * transaction" must not match "unknown transaction".
 */
const WORDINGS: readonly (readonly [RegExp, SendOutcome])[] = [
  [/already known|already imported|alreadyknown|\bknown transaction|already in the (tx)?pool/i, "accepted"],
  [/nonce (is )?too low|oldnonce|nonce has already been used|nonce below/i, "nonceUsed"],
  [/replacement|underpriced|fee too low|feetoolow|below (the )?(base|minimum)/i, "underpriced"],
  [
    /insufficient (funds|balance)|insufficientfunds|doesn't have enough funds|upfront cost exceeds/i,
    "insufficientFunds",
  ],
];

/**
 * Reads a failed `eth_sendRawTransaction`. What nobody has seen before is unknown: send the same bytes again, never
 * other ones.
 */
export function classifySendError(error: unknown): SendOutcome {
  if (error instanceof RpcUnavailableError || !(error instanceof RpcResponseError)) return "unknown";
  return WORDINGS.find(([wording]) => wording.test(error.message))?.[1] ?? "unknown";
}

/** Codes and wordings of "you ask too often": Studio's, the hosted nodes', Infura's, Alchemy's, QuickNode's. */
const RATE_CODES = [-32_006, -32_028, -32_029, -32_030, -32_429, 429];
const RATE_WORDINGS =
  /rate.?limit|too many requests|request (rate|limit)|requests? per|throughput|capacity|compute units|\bthrottl/i;
/** To Studio it means "too many calls", to Infura also "too many logs". */
const LIMIT_EXCEEDED = -32_005;

/** Whether an endpoint answered that it is asked too often. Nothing is wrong with the request then. */
export function isRateLimit(error: unknown): boolean {
  if (error instanceof RpcUnavailableError) return error.isRateLimit;
  if (!(error instanceof RpcResponseError)) return false;
  if (error.code === LIMIT_EXCEEDED && error.method.startsWith("gen_")) return true;
  return RATE_CODES.includes(error.code) || RATE_WORDINGS.test(error.message);
}

/** Wordings of "the range is too wide" or "too many logs". */
const RANGE_WORDINGS =
  /range|too many (results|logs|blocks)|more than \d+ (results|logs)|response size|exceed(s|ed)? .*limit|limit exceeded|10,?000 (results|logs|blocks)/i;

/** Whether a failed log request may succeed with fewer blocks. */
export function isRangeTooWide(error: unknown): boolean {
  return error instanceof RpcResponseError && !isRateLimit(error) && RANGE_WORDINGS.test(error.message);
}
