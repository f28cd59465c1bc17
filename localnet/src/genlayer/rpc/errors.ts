/** Error codes that GenLayer nodes and Studio answer with, and JSON-RPC's own. */
export const RPC_ERRORS = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  executionFailed: -32000,
  notFound: -32001,
  noValidators: -32002,
} as const;

/** An error that a JSON-RPC method answers with. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.data = data;
  }
}
