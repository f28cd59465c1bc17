import { Option } from "commander";
import { integerValue } from "../../options/values.ts";
import { maintenanceCommand } from "./maintenance.ts";

const WHERE =
  "Works on the operator whose data folder or database the environment, or --config, names; it may be running.";

/** What an operator does on its own machine, besides running. */
export const MAINTENANCE_COMMANDS = [
  maintenanceCommand({
    name: "status",
    summary: "submissions by state, how far the chain is read, and whether signing is halted",
    description: `Tells what is in the operator's database.\n${WHERE}`,
    example: "ASSAY_DATA_DIR=/var/lib/assay assay operator status",
    commandOf: () => ({ name: "status" }),
  }),
  maintenanceCommand({
    name: "requeue",
    summary: "take up an agreement's parked submission again",
    description: `Takes up submissions in QUARANTINED or CONFLICT again, after somebody looked into why.\n${WHERE}`,
    example: "assay operator requeue 0x…",
    argument: { name: "agreementId", description: "the agreement's 32-byte id" },
    commandOf: (agreementId = "") => ({ name: "requeue", agreementId }),
  }),
  maintenanceCommand({
    name: "halt",
    summary: "sign nothing from now on",
    description: `Stops all signing until somebody resumes it.\n${WHERE}`,
    example: 'assay operator halt "looking into a reorganisation"',
    argument: { name: "reason", description: "why; whoever resumes will read it" },
    commandOf: (reason = "") => ({ name: "halt", reason }),
  }),
  maintenanceCommand({
    name: "resume",
    summary: "sign again after a halt that somebody has looked into",
    description: `Lets the operator sign again. Without --ack it only tells why it was halted.\n${WHERE}`,
    example: "assay operator resume --ack",
    options: [new Option("--ack", "somebody has looked into why it was halted")],
    commandOf: (_argument, { ack }) => ({ name: "resume", acknowledged: ack === true }),
  }),
  maintenanceCommand({
    name: "rebuild",
    summary: "forget what the chain can tell again; with the operator stopped",
    description: `Forgets everything from a block on that the chain can tell again; the next start reads it. What was\nsigned stays.\n${WHERE}`,
    example: "assay operator rebuild --from-block 123456",
    options: [
      new Option("--from-block <number>", "first block to read again")
        .argParser(integerValue)
        .makeOptionMandatory(),
    ],
    commandOf: (_argument, { fromBlock }) => ({ name: "rebuild", fromBlock: Number(fromBlock) }),
  }),
  maintenanceCommand({
    name: "backup",
    summary: "copy the database into a file, while it is in use",
    description: `Writes a consistent copy of the database. ${WHERE}`,
    example: "assay operator backup operator.sqlite.backup",
    argument: { name: "file", description: "where to write it; must not exist" },
    commandOf: (file = "") => ({ name: "backup", file }),
  }),
];
