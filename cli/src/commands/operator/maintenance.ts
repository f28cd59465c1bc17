import { Command, Option } from "commander";
import type { MaintenanceCommand } from "@assay/oracle";
import type { CommandFactory } from "../../command.ts";
import { RefusedError, UnavailableError, UsageError, isWorded } from "../../errors.ts";
import { EXIT } from "../../exit-codes.ts";
import type { Io } from "../../io.ts";
import { addJson } from "../../options/write.ts";
import { show } from "../../output/show.ts";

/** What all commands of an operator share. */
interface OperatorOptions {
  readonly config?: string;
  readonly json?: boolean;
}

/** The file that holds an operator's settings, besides its environment. */
export function configOption(): Option {
  return new Option(
    "--config <file>",
    "the operator's configuration file; ASSAY_DATA_DIR or ASSAY_DATABASE_URL find it too",
  ).env("ASSAY_CONFIG");
}

/** One maintenance command of an operator: what it is called, and what it does to which arguments. */
export interface Maintenance {
  readonly name: MaintenanceCommand["name"];
  readonly summary: string;
  readonly description: string;
  readonly example: string;
  readonly argument?: { readonly name: string; readonly description: string };
  readonly options?: readonly Option[];
  commandOf(argument: string | undefined, options: Readonly<Record<string, unknown>>): MaintenanceCommand;
}

/** Makes the command of one of an operator's maintenance commands. */
export function maintenanceCommand(maintenance: Maintenance): CommandFactory {
  return (io, finish) => {
    const command = new Command(maintenance.name)
      .summary(maintenance.summary)
      .description(maintenance.description);
    if (maintenance.argument !== undefined)
      command.argument(`<${maintenance.argument.name}>`, maintenance.argument.description);
    for (const option of maintenance.options ?? []) command.addOption(option);
    addJson(command.addOption(configOption()));
    return command
      .addHelpText("after", `\nExamples:\n  ${maintenance.example}`)
      .action(async (...given: unknown[]) => {
        const argument = maintenance.argument === undefined ? undefined : String(given[0]);
        const options = command.opts<OperatorOptions & Record<string, unknown>>();
        const outcome = await carryOut(io, maintenance.commandOf(argument, options), options.config);
        show(io, options.json, outcome, [outcome.text]);
        finish(EXIT.ok);
      });
  };
}

async function carryOut(io: Io, command: MaintenanceCommand, config: string | undefined) {
  // Loaded when needed: the whole service comes with it.
  const oracle = await import("@assay/oracle");
  try {
    return await oracle.maintain(oracle.storeLocation(io.env, config), command);
  } catch (error) {
    throw inWords(error, oracle);
  }
}

/** An operator's own errors as those of the command line. */
export function inWords(error: unknown, oracle: typeof import("@assay/oracle")): unknown {
  if (error instanceof oracle.MaintenanceError) {
    const { code, message, hint } = error;
    return code === "unreachable"
      ? new UnavailableError(message, hint, { cause: error })
      : new RefusedError(code, message, hint, { cause: error });
  }
  if (error instanceof oracle.ConfigError)
    return new UsageError(error.message, "Correct the operator's environment or its configuration file.", {
      cause: error,
    });
  if (error instanceof oracle.StoreError && !isWorded(error))
    return new UnavailableError(error.message, "Look at the operator's database and its log.", {
      cause: error,
    });
  return error;
}
