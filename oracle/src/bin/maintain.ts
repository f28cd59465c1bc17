#!/usr/bin/env node
import { parseArgs } from "node:util";
import { MaintenanceError, maintain, storeLocation, type MaintenanceCommand } from "../maintain/index.ts";
import { errorText } from "../observe/index.ts";

const USAGE = `usage: maintain.ts <command> [--json]

Finds the operator by ASSAY_DATA_DIR or ASSAY_DATABASE_URL (or the file that ASSAY_CONFIG names); it may be running.

  status                   submissions by state, and whether signing is halted
  requeue <agreement id>   take up a quarantined or conflicting submission again
  halt <reason>            sign nothing from now on
  resume --ack             sign again after a halt that a person has looked into
  backup <file>            copy the database into a file, while it is in use
  rebuild --from-block N   with the operator stopped: forget what the chain can tell again from block N on;
                           the next start reads it. What was signed stays.

  --json                   one JSON object on standard output instead of a sentence
`;

const { values, positionals } = parse();

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h", default: false },
        json: { type: "boolean", default: false },
        ack: { type: "boolean", default: false },
        "from-block": { type: "string", default: "" },
      },
    });
  } catch (error) {
    process.stderr.write(`${errorText(error)}\n\n${USAGE}`);
    process.exit(1);
  }
}

/** The command that was given, or null when it is none. */
function commandOf([name, argument, ...rest]: readonly string[]): MaintenanceCommand | null {
  const takesArgument = name === "requeue" || name === "halt" || name === "backup";
  if (rest.length > 0 || (argument !== undefined) !== takesArgument) return null;
  switch (name) {
    case "status":
      return { name };
    case "requeue":
      return { name, agreementId: argument ?? "" };
    case "halt":
      return { name, reason: argument ?? "" };
    case "resume":
      return { name, acknowledged: values.ack };
    case "rebuild":
      return { name, fromBlock: /^\d+$/.test(values["from-block"]) ? Number(values["from-block"]) : NaN };
    case "backup":
      return { name, file: argument ?? "" };
    default:
      return null;
  }
}

async function run(): Promise<void> {
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const command = commandOf(positionals);
  if (command === null) {
    process.stderr.write(USAGE);
    process.exitCode = 1;
    return;
  }
  try {
    const outcome = await maintain(storeLocation(process.env), command);
    process.stdout.write(`${values.json ? JSON.stringify(outcome) : outcome.text}\n`);
  } catch (error) {
    process.exitCode = 1;
    const { code, hint } = error instanceof MaintenanceError ? error : { code: "failed", hint: "" };
    const message = errorText(error).replace(/^\w+Error: /, "");
    if (values.json) process.stdout.write(`${JSON.stringify({ error: { code, message, hint } })}\n`);
    else process.stderr.write(`${message}\n${hint === "" ? "" : `${hint}\n`}`);
  }
}

await run();
