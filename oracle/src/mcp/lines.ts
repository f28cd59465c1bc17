import { PassThrough, type Readable } from "node:stream";
import { INVALID_REQUEST, PARSE_ERROR, parseJSONRPCMessage } from "@modelcontextprotocol/server";

/** What a line that is no message is answered with, by JSON-RPC. */
export interface LineError {
  readonly jsonrpc: "2.0";
  /** The line's own id, when it has one that can be told. */
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/**
 * Passes on the lines that are messages, and answers those that are not: whoever waits for an answer gets one, and
 * nothing that a client writes ends the server.
 *
 * @param longest characters of a line; what is beyond is read away without being kept.
 */
export function guardLines(input: Readable, longest: number, answer: (error: LineError) => void): Readable {
  const output = new PassThrough();
  let line = "";
  let isTooLong = false;

  function take(part: string): void {
    if (isTooLong || line.length + part.length > longest) {
      isTooLong = true;
      line = "";
    } else line += part;
  }

  function end(): void {
    if (isTooLong) answer(lineError(null, INVALID_REQUEST, `A message has at most ${longest} characters.`));
    else if (line.trim() !== "") {
      const error = errorOf(line);
      if (error === null) output.write(`${line}\n`);
      else answer(error);
    }
    line = "";
    isTooLong = false;
  }

  input.setEncoding("utf8");
  input.on("data", (chunk: string) => {
    const [first = "", ...rest] = chunk.split("\n");
    take(first);
    for (const part of rest) {
      end();
      take(part);
    }
  });
  input.on("end", () => {
    output.end();
  });
  return output;
}

/** What is wrong with a line; null when it is a message. */
function errorOf(line: string): LineError | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return lineError(null, PARSE_ERROR, "The line is no JSON; write one JSON-RPC message on each line.");
  }
  try {
    parseJSONRPCMessage(value);
    return null;
  } catch {
    return lineError(idOf(value), INVALID_REQUEST, "The line is no JSON-RPC 2.0 message.");
  }
}

function idOf(value: unknown): string | number | null {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

function lineError(id: LineError["id"], code: number, message: string): LineError {
  return { jsonrpc: "2.0", id, error: { code, message } };
}
