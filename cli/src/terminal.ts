import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { RefusedError } from "./errors.ts";
import type { Terminal } from "./io.ts";

/** Asks on the process's own terminal. */
export function processTerminal(): Terminal {
  return {
    ask: (question) => askOn(process.stderr, question, ""),
    // The prompt is written by hand, and what readline would echo goes nowhere.
    askSecret: (question) =>
      askOn(new Writable({ write: (_chunk, _encoding, done) => done() }), "", question),
  };
}

async function askOn(output: NodeJS.WritableStream, question: string, shown: string): Promise<string> {
  process.stderr.write(shown);
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  try {
    const ended = new Promise<never>((_resolve, reject) =>
      lines.once("close", () =>
        reject(new RefusedError("cancelled", "the question was not answered", "Nothing was done.")),
      ),
    );
    ended.catch(() => undefined);
    return await Promise.race([lines.question(question), ended]);
  } finally {
    lines.close();
    if (shown !== "") process.stderr.write("\n");
  }
}
