/** What a command touches besides the network and files: data goes to `out`, everything else to `diagnose`. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes data. */
  out(text: string): void;
  /** Writes one line for people. */
  diagnose(line: string): void;
}

/** The process's own streams. A reader that goes away (`assay … | head`) ends the process quietly. */
export function processIo(): Io {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(0);
      throw error;
    });
  return {
    env: process.env,
    out: (text) => void process.stdout.write(text),
    diagnose: (line) => void process.stderr.write(`${line}\n`),
  };
}
