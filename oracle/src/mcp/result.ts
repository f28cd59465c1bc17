import type { CallToolResult } from "@modelcontextprotocol/server";
import { AnswerError } from "../answers/index.ts";

/** A structured result with its text twin, for clients that read only text. */
export function structured(value: Readonly<Record<string, unknown>>): CallToolResult {
  return { structuredContent: { ...value }, content: [{ type: "text", text: JSON.stringify(value) }] };
}

/** An error as a result: a model can read it, and go on. */
export function failed(error: unknown): CallToolResult {
  const { code, message, hint, issues } = describe(error);
  return {
    isError: true,
    content: [
      { type: "text", text: `${message}\nWhat to do: ${hint}` },
      { type: "text", text: JSON.stringify({ error: { code, message, hint, issues } }) },
    ],
  };
}

function describe(error: unknown): Pick<AnswerError, "code" | "message" | "hint" | "issues"> | InternalError {
  if (error instanceof AnswerError) return error;
  // What nobody expected may hold anything; nothing of it is passed on.
  return {
    code: "internal",
    message: "The server failed to answer.",
    hint: "Try again; if it persists, ask another operator.",
    issues: [],
  };
}

interface InternalError {
  readonly code: "internal";
  readonly message: string;
  readonly hint: string;
  readonly issues: readonly [];
}
