import type { IncomingMessage } from "node:http";

/** A body read up to a limit: whole, or its beginning with the rest still to come. */
export interface Spooled {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

/**
 * Reads a body into memory, no further than `limit` bytes and what one chunk is over it. The message is paused then
 * and can be piped on.
 *
 * @throws Error when the other side goes away.
 */
export function spool(message: IncomingMessage, limit: number): Promise<Spooled> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (isWhole: boolean): void => {
      message.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
      if (!isWhole) message.pause();
      resolve({ bytes: Buffer.concat(chunks), isWhole });
    };
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > limit) end(false);
    };
    const onEnd = (): void => end(true);
    const onGone = (error?: Error): void => {
      message.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
      reject(error ?? new Error("the connection ended in the middle of a body"));
    };
    message.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  });
}
