import { withoutUrls } from "../config/index.ts";
import { JudgeUnavailableError } from "./errors.ts";

/** Whether a failure says that the network does not know what it was asked for. */
export function isNotFound(error: unknown): boolean {
  if (!(error instanceof Error))
    return typeof error === "object" && error !== null && "code" in error && error.code === -32001;
  if (error.name === "TransactionNotFoundError") return true;
  if ("code" in error && error.code === -32001) return true;
  return error.cause !== undefined && isNotFound(error.cause);
}

/** Whatever genlayer-js threw, as one retryable error without URLs and payloads. */
export function asUnavailable(operation: string, error: unknown): Error {
  if (error instanceof JudgeUnavailableError) return error;
  if (error instanceof Error && error.name.startsWith("Rpc")) return error;
  const message = error instanceof Error ? error.message : JSON.stringify(error);
  // The library's messages quote whole URLs and whole requests.
  return new JudgeUnavailableError(
    operation,
    `failed: ${withoutUrls(message.split("\n")[0] ?? "").slice(0, 300)}`,
  );
}

/** Ends a wait that the library would not end. */
export async function withDeadline<T>(
  operation: string,
  milliseconds: number,
  work: () => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new JudgeUnavailableError(operation, `gave no answer in ${milliseconds} ms`));
    }, milliseconds);
  });
  try {
    return await Promise.race([work(), deadline]);
  } finally {
    clearTimeout(timer);
  }
}
