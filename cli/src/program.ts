import { Command, CommanderError } from "commander";
import { auditCommand } from "./commands/audit.ts";
import { bundleCommand } from "./commands/bundle.ts";
import { CliError } from "./errors.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import type { Io } from "./io.ts";

/**
 * Runs `assay` with the arguments after the program's name.
 *
 * @returns the exit code; errors are told on the diagnostic stream and never thrown, faults of the program itself are.
 */
export async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  const program = createProgram(io, (ended) => {
    code = ended;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (!(error instanceof CliError)) throw error;
    io.diagnose(`assay: ${error.message}`);
    io.diagnose(error.hint);
    return error.exitCode;
  }
}

function createProgram(io: Io, finish: (code: ExitCode) => void): Command {
  const program = new Command("assay")
    .description("Escrow that pays for proven work: the command line for agents, operators and auditors.")
    .helpCommand(false)
    .addCommand(auditCommand(io, finish))
    .addCommand(bundleCommand(io, finish));
  program.addHelpText(
    "after",
    "\nEvery option that names a place has an environment variable; `assay <command> --help` tells which.\n" +
      "Data goes to standard output, everything else to standard error.",
  );
  for (const command of [program, ...program.commands])
    command
      .exitOverride()
      .showHelpAfterError("(add --help for all options)")
      .configureOutput({
        writeOut: (text) => io.out(text),
        writeErr: (text) => io.diagnose(text.trimEnd()),
      });
  return program;
}
