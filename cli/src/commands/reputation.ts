import { Command } from "commander";
import type { Address } from "@assay/protocol";
import type { CommandFactory } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { addNetwork, type NetworkOptions } from "../options/network.ts";
import { addReputation, readReputation, type ReputationOptions } from "../options/reputation.ts";
import { addressValue } from "../options/values.ts";
import { addJson } from "../options/write.ts";
import { show } from "../output/show.ts";
import { reputationLines } from "../reputation/reputation-lines.ts";
import { openSession } from "../session.ts";

interface Options extends NetworkOptions, ReputationOptions {
  readonly json?: boolean;
}

/** `assay reputation`: what an account's agreements say about it. */
export const reputationCommand: CommandFactory = (io, finish) => {
  const command = new Command("reputation")
    .summary("tell what an account's agreements say about it")
    .description(
      "Computes an account's reputation as a seller and as a buyer from the index or the chain: counts, and rates with\n" +
        "95% intervals, weighted by age, all alike, and by reward. Equal facts give equal figures everywhere.",
    )
    .argument("<address>", "the account", addressValue);
  addJson(addReputation(addNetwork(command)));
  return command
    .addHelpText("after", "\nExamples:\n  assay reputation 0x…\n  assay reputation 0x… --from chain --json")
    .action(async (party: Address, options: Options) => {
      const session = await openSession(options, io);
      const found = await readReputation(session, party, options);
      show(io, options.json, found, reputationLines(found, session.wording));
      finish(EXIT.ok);
    });
};
