import { HaltedError, NonceTakenError, SignerBusyError, StoreError } from "../store/index.ts";
import { BoundaryError } from "./boundary.ts";
import { NotYetError } from "./step.ts";

/** Whether a failure ends the worker: it was stopped, or its database failed. */
export function isFatal(error: unknown): boolean {
  return error instanceof BoundaryError || error instanceof StoreError;
}

/** Failures that the world explains: an endpoint is down, an answer is not there yet. Trying again is all there is. */
export function isExplained(error: unknown): boolean {
  return (
    error instanceof NotYetError ||
    error instanceof NonceTakenError ||
    error instanceof SignerBusyError ||
    error instanceof HaltedError ||
    (error instanceof Error &&
      ["RpcUnavailableError", "RpcResponseError", "JudgeUnavailableError"].includes(error.name))
  );
}
