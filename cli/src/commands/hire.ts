import { Command, Option } from "commander";
import {
  DEFAULT_HIRE_POLICY,
  hireDecision,
  timeInWords,
  type Address,
  type HirePolicy,
} from "@assay/protocol";
import type { CommandFactory } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { addNetwork, type NetworkOptions } from "../options/network.ts";
import { addReputation, readReputation, type ReputationOptions } from "../options/reputation.ts";
import { addressValue, integerValue, shareValue } from "../options/values.ts";
import { addJson } from "../options/write.ts";
import { show } from "../output/show.ts";
import { openSession } from "../session.ts";

interface HireOptions extends NetworkOptions, ReputationOptions {
  readonly threshold: number;
  readonly floor: number;
  readonly minEvidence: number;
  readonly basis: HirePolicy["basis"];
  readonly json?: boolean;
}

const { thresholdBps, floorBps, minimumEvidence, basis } = DEFAULT_HIRE_POLICY;

/** `assay hire`: whether a seller's history is good enough. */
export const hireCommand: CommandFactory = (io, finish) => {
  const command = new Command("hire")
    .summary("decide whether to hire a seller, with reasons")
    .description(
      "Decides from a seller's reputation: HIRE, DECLINE or INSUFFICIENT_EVIDENCE, with the figures that decided. The\n" +
        "rate of completed work has to reach the threshold, the lower end of its 95% interval the floor.",
    )
    .argument("<address>", "the seller", addressValue)
    .addOption(
      new Option("--threshold <share>", "least rate of completed work")
        .argParser(shareValue)
        .default(thresholdBps, `${thresholdBps / 100}%`),
    )
    .addOption(
      new Option("--floor <share>", "least that it could be, by its 95% interval")
        .argParser(shareValue)
        .default(floorBps, `${floorBps / 100}%`),
    )
    .addOption(
      new Option("--min-evidence <number>", "fewest agreements that have to count")
        .argParser(integerValue)
        .default(minimumEvidence),
    )
    .addOption(
      new Option("--basis <weights>", "weigh agreements by age, all alike, or by their rewards")
        .choices(["recent", "all", "byVolume"])
        .default(basis),
    );
  addJson(addReputation(addNetwork(command)));
  return command
    .addHelpText(
      "after",
      `
Exit code 0: HIRE. Exit code 1: DECLINE or INSUFFICIENT_EVIDENCE.

Examples:
  assay hire 0x…
  assay hire 0x… --threshold 90% --min-evidence 10 && assay agreement new …`,
    )
    .action(async (seller: Address, options: HireOptions) => {
      const session = await openSession(options, io);
      const { reputation, source, sourceReason } = await readReputation(session, seller, options);
      const found = hireDecision(reputation, {
        thresholdBps: options.threshold,
        floorBps: options.floor,
        minimumEvidence: options.minEvidence,
        basis: options.basis,
      });
      const { asOf } = reputation;
      show(io, options.json, { ...found, source, sourceReason, asOf }, [
        `${found.decision}: ${seller}`,
        ...found.reasons.map((reason) => `  ${reason}`),
        ...found.cautions.map((caution) => `  Caution: ${caution}`),
        `  Demanded: ${options.threshold / 100}%, at least ${options.floor / 100}% by the interval, ${options.minEvidence} agreements, weighted: ${options.basis}.`,
        `  At block ${asOf.blockNumber}, ${timeInWords(asOf.timestamp)}, read from the ${source}.`,
      ]);
      finish(found.decision === "HIRE" ? EXIT.ok : EXIT.failed);
    });
};
