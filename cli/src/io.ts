import { processTerminal } from "./terminal.ts";

/** What a command touches besides the network and files: data goes to `out`, everything else to `diagnose`. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes data. */
  out(text: string): void;
  /** Writes one line for people. */
  diagnose(line: string): void;
  /** Somebody who can be asked; absent when input or diagnostics are no terminal. */
  readonly terminal?: Terminal;
}

/** A person at a terminal. Questions go to the diagnostic stream, so that data stays clean. */
export interface Terminal {
  /** The answer, without the line's end. @throws CliError when the person ends the input. */
  ask(question: string): Promise<string>;
  /** Likewise, without showing what is typed. */
  askSecret(question: string): Promise<string>;
}

/** The process's own streams. A reader that goes away (`assay … | head`) ends the process quietly. */
export function processIo(): Io {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(0);
      throw error;
    });
  const isInteractive = process.stdin.isTTY && process.stderr.isTTY;
  return {
    env: process.env,
    ...(isInteractive ? { terminal: processTerminal() } : {}),
    out: (text) => void process.stdout.write(text),
    diagnose: (line) => void process.stderr.write(`${line}\n`),
  };
}
