import { Command, Option } from "commander";
import { isHash } from "@assay/protocol";
import { AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION, type CommandFactory } from "../command.ts";
import { readDeal } from "../deal/deal-file.ts";
import { EXIT } from "../exit-codes.ts";
import { durationValue } from "../options/durations.ts";
import { addNetwork, type NetworkOptions } from "../options/network.ts";
import { addJson } from "../options/write.ts";
import { toJson } from "../output/json.ts";
import { openSession } from "../session.ts";
import { nextSteps } from "../status/next-steps.ts";
import { takeSnapshot, type Snapshot } from "../status/snapshot.ts";
import { statusLines } from "../status/status-lines.ts";
import { watch } from "../status/watch.ts";

interface StatusOptions extends NetworkOptions {
  readonly watch?: boolean;
  readonly timeout?: number;
  readonly json?: boolean;
}

/** `assay status`: where an agreement stands. */
export const statusCommand: CommandFactory = (io, finish) => {
  const command = new Command("status")
    .summary("tell where an agreement stands, or follow it to its end")
    .description(
      "Tells what the escrow says about an agreement, what operators say about its judging, and who can do what next.\n" +
        "What the escrow logged counts; what operators say is their own word until it is in the escrow.",
    )
    .argument(AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION)
    .option("--watch", "follow it, a line for each event and stage, until it has ended in a final block")
    .addOption(
      new Option("--timeout <duration>", "with --watch: give up after that long (exit code 5)").argParser(
        durationValue,
      ),
    );
  addJson(addNetwork(command));
  return command
    .addHelpText(
      "after",
      `
With --watch --json there is one JSON object a line, whenever something changed.

Examples:
  assay status 0x…
  assay status deal.json --watch --timeout 1h`,
    )
    .action(async (named: string, options: StatusOptions) => {
      const session = await openSession(options, io);
      const id = named.toLowerCase();
      const agreementId = isHash(id) ? id : (await readDeal(named)).agreementId;
      const json = options.json === true;
      const snapshot =
        options.watch === true
          ? await watch(session, agreementId, { json, timeoutSeconds: options.timeout ?? null })
          : await takeSnapshot(session, agreementId);
      if (options.watch !== true && json) io.out(toJson(withNext(snapshot)));
      if (!json) io.out(`${statusLines(snapshot, session.wording).join("\n")}\n`);
      finish(EXIT.ok);
    });
};

function withNext(snapshot: Snapshot) {
  return { ...snapshot, next: nextSteps(snapshot) };
}
