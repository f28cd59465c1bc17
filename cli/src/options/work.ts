import { Option, type Command } from "commander";
import { repeatedValue } from "./values.ts";

/** What {@link addWork} adds to a command. */
export interface WorkOptions {
  readonly notes?: string;
  readonly summary?: string;
  readonly link?: readonly string[];
}

/** Adds the options that say what is delivered besides files. */
export function addWork(command: Command): Command {
  return command
    .option(
      "--notes <file>",
      "JSON with what is not a file: summary, evidence, links, repository, reports, execution",
    )
    .option("--summary <text>", "what was done, in a few sentences")
    .addOption(
      new Option(
        "--link <url>",
        "what is too large or no text, with the hash of what it serves now; repeatable",
      ).argParser(repeatedValue),
    );
}
