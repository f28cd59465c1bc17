import { Option, type Command } from "commander";
import type { Hex } from "@assay/protocol";
import { durationValue } from "./durations.ts";
import { bytesValue } from "./values.ts";

/** What {@link addWrite} adds to a command. */
export interface WriteOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly unsigned?: boolean;
  readonly signedTransaction?: Hex;
  readonly wait: number;
  readonly json?: boolean;
}

/** What {@link addTypedData} adds to a command. */
export interface TypedDataOptions {
  readonly typedData?: boolean;
  readonly signature?: Hex;
}

const WAIT_SECONDS = 300;

/** Adds the options of every command that sends a transaction. */
export function addWrite(command: Command): Command {
  return addJson(
    command
      .option("--dry-run", "simulate it and say what would be sent; sign and send nothing")
      .option("-y, --yes", "do not ask before money moves")
      .option(
        "--unsigned",
        "print the unsigned transaction for another wallet to sign and send; send nothing",
      )
      .addOption(
        new Option(
          "--signed-transaction <hex>",
          "send what another wallet signed after --unsigned; refused unless it is exactly that call",
        ).argParser(bytesValue),
      )
      .addOption(
        new Option("--wait <duration>", "how long to wait for a block")
          .argParser(durationValue)
          .default(WAIT_SECONDS, "5m"),
      ),
  );
}

/** Adds the options of every command for which a signature (EIP-712) is enough. */
export function addTypedData(command: Command, signer: string): Command {
  return command
    .option("--typed-data", `print the EIP-712 data for ${signer} to sign elsewhere; send nothing`)
    .addOption(
      new Option(
        "--signature <hex>",
        `${signer}'s signature of that data; any wallet can then send it`,
      ).argParser(bytesValue),
    );
}

/** Adds `--json`. */
export function addJson(command: Command): Command {
  return command.option("--json", "print one JSON object");
}
