import type { Command } from "commander";

/** What {@link addWork} adds to a command. */
export interface WorkOptions {
  readonly notes?: string;
  readonly summary?: string;
}

/** Adds the options that say what is delivered besides files. */
export function addWork(command: Command): Command {
  return command
    .option(
      "--notes <file>",
      "JSON with what is not a file: summary, evidence, links, repository, reports, execution",
    )
    .option("--summary <text>", "what was done, in a few sentences");
}
