import { Command, CommanderError } from "commander";
import { printableLines } from "@assay/protocol";
import { acceptCommand } from "./commands/agreement/accept.ts";
import { cancelCommand } from "./commands/agreement/cancel.ts";
import { agreementCheckCommand } from "./commands/agreement/check.ts";
import { expireCommand } from "./commands/agreement/expire.ts";
import { fundCommand } from "./commands/agreement/fund.ts";
import { newCommand } from "./commands/agreement/new.ts";
import { auditCommand } from "./commands/audit.ts";
import { bundleCommand } from "./commands/bundle.ts";
import { claimCommand } from "./commands/claim.ts";
import { completionCommand } from "./commands/completion.ts";
import { concedeCommand } from "./commands/concede.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { hireCommand } from "./commands/hire.ts";
import { mcpCommand } from "./commands/mcp.ts";
import { missionRunCommand } from "./commands/mission/run.ts";
import { missionShowCommand } from "./commands/mission/show.ts";
import { missionSubmitCommand } from "./commands/mission/submit.ts";
import { missionVerifyCommand } from "./commands/mission/verify.ts";
import { MAINTENANCE_COMMANDS } from "./commands/operator/commands.ts";
import { operatorConfigCommand } from "./commands/operator/config.ts";
import { reputationCommand } from "./commands/reputation.ts";
import { proposeCommand } from "./commands/settle/propose.ts";
import { sendCommand } from "./commands/settle/send.ts";
import { signCommand } from "./commands/settle/sign.ts";
import { statusCommand } from "./commands/status.ts";
import { walletAddressCommand } from "./commands/wallet/address.ts";
import { walletImportCommand } from "./commands/wallet/import.ts";
import { walletListCommand } from "./commands/wallet/list.ts";
import { walletNewCommand } from "./commands/wallet/new.ts";
import { withdrawCommand } from "./commands/withdraw.ts";
import { workflowAcceptCommand } from "./commands/workflow/accept.ts";
import { workflowCreateCommand } from "./commands/workflow/create.ts";
import { workflowShowCommand } from "./commands/workflow/show.ts";
import { workCheckCommand } from "./commands/work/check.ts";
import { workSubmitCommand } from "./commands/work/submit.ts";
import type { CommandFactory, Finish } from "./command.ts";
import { PendingError, RefusedError, exitCodeOf, isWorded, type WordedError } from "./errors.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import type { Io } from "./io.ts";
import { toJson } from "./output/json.ts";

/** Commands, alone or in groups, in the order in which a deal needs them. */
const COMMANDS: readonly (CommandFactory | Group)[] = [
  {
    name: "agreement",
    summary: "draw up, examine, fund, accept, cancel or expire an agreement",
    commands: [newCommand, agreementCheckCommand, fundCommand, acceptCommand, cancelCommand, expireCommand],
  },
  {
    name: "work",
    summary: "check or submit a delivery",
    commands: [workCheckCommand, workSubmitCommand],
  },
  {
    name: "mission",
    summary: "walk committed steps under a recorder, submit or verify the proof",
    commands: [missionRunCommand, missionShowCommand, missionSubmitCommand, missionVerifyCommand],
  },
  statusCommand,
  claimCommand,
  {
    name: "workflow",
    summary: "put a joint agreement's workflow on GenLayer, and consent to it",
    commands: [workflowCreateCommand, workflowAcceptCommand, workflowShowCommand],
  },
  {
    name: "settle",
    summary: "divide the reward as both sides sign",
    commands: [proposeCommand, signCommand, sendCommand],
  },
  concedeCommand,
  withdrawCommand,
  reputationCommand,
  hireCommand,
  auditCommand,
  bundleCommand,
  doctorCommand,
  mcpCommand,
  {
    name: "wallet",
    summary: "make, import or show wallets",
    commands: [walletNewCommand, walletImportCommand, walletAddressCommand, walletListCommand],
  },
  {
    name: "operator",
    summary: "look after an operator of yours",
    commands: [operatorConfigCommand, ...MAINTENANCE_COMMANDS],
  },
  completionCommand,
];

interface Group {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly CommandFactory[];
}

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
    if (!isWorded(error)) throw error;
    if (args.includes("--json")) io.out(toJson({ error: jsonOf(error) }));
    io.diagnose(printableLines(`assay: ${error.message}`));
    io.diagnose(printableLines(error.hint));
    return exitCodeOf(error);
  }
}

/** The whole program; what `--help` and shell completion describe. */
export function createProgram(io: Io, finish: Finish): Command {
  const program = new Command("assay")
    .description("Escrow that pays for proven work: the command line for agents, operators and auditors.")
    .helpCommand(false);
  for (const entry of COMMANDS)
    program.addCommand(typeof entry === "function" ? entry(io, finish) : groupOf(entry, io, finish));
  program.addHelpText(
    "after",
    "\nEvery option that names a place has an environment variable; `assay <command> --help` tells which.\n" +
      "Data goes to standard output, everything else to standard error. docs/cli.md tells it all.",
  );
  configure(program, io);
  return program;
}

function groupOf({ name, summary, commands }: Group, io: Io, finish: Finish): Command {
  const group = new Command(name).summary(summary).description(`To ${summary}.`).helpCommand(false);
  for (const command of commands) group.addCommand(command(io, finish));
  return group;
}

function configure(command: Command, io: Io): void {
  command
    .exitOverride()
    .showHelpAfterError("(add --help for all options)")
    .configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => io.diagnose(text.trimEnd()),
    });
  for (const inner of command.commands) configure(inner, io);
}

/** The same error for programs. */
function jsonOf(error: WordedError) {
  return {
    name: error.name,
    ...(error instanceof RefusedError ? { reason: error.reason } : {}),
    ...(error instanceof PendingError ? { transactionHash: error.transactionHash } : {}),
    message: error.message,
    hint: error.hint,
    exitCode: exitCodeOf(error),
  };
}
