import { Command } from "commander";
import type { CommandFactory } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { EXIT } from "../../exit-codes.ts";
import { toJson } from "../../output/json.ts";
import { configOption, inWords } from "./maintenance.ts";

interface ConfigOptions {
  readonly redacted?: boolean;
  readonly config?: string;
}

/** `assay operator config --redacted`: the effective configuration without secrets. */
export const operatorConfigCommand: CommandFactory = (io, finish) =>
  new Command("config")
    .summary("show the effective configuration, secrets left out")
    .description(
      "Shows an operator's configuration as it would be used, from the environment and its file, as JSON. Secrets and\n" +
        "the paths of URLs are left out. What is wrong with it is told all at once.",
    )
    .option("--redacted", "leave secrets out; there is no other way to show it")
    .addOption(configOption())
    .addHelpText("after", "\nExamples:\n  assay operator config --redacted --config operator.json")
    .action(async ({ redacted, config: file }: ConfigOptions) => {
      if (redacted !== true)
        throw new UsageError("secrets are not shown", "Add --redacted to see everything else.");
      const oracle = await import("@assay/oracle");
      try {
        io.out(toJson(oracle.redactedConfig(oracle.loadConfig(io.env, file), io.env, file)));
      } catch (error) {
        throw inWords(error, oracle);
      }
      finish(EXIT.ok);
    });
