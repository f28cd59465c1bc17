import { run, type ExitCode } from "@assay/cli";

// Options read their variables from the process; a developer's own settings are nothing to test.
for (const name of Object.keys(process.env))
  if (name.startsWith("ASSAY_")) Reflect.deleteProperty(process.env, name);

/** What a command did. */
export interface Ran {
  readonly code: ExitCode;
  /** Data. */
  readonly out: string;
  /** Everything for people. */
  readonly err: string;
}

/** Runs `assay` in this process, with nothing in its environment but `env`. */
export async function assay(args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  let out = "";
  let err = "";
  const code = await run(args, {
    env,
    out: (text) => (out += text),
    diagnose: (line) => (err += `${line}\n`),
  });
  return { code, out, err };
}
