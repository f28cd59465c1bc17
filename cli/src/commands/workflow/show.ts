import { Command } from "commander";
import { AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION, type CommandFactory } from "../../command.ts";
import { EXIT } from "../../exit-codes.ts";
import { requireAgreed } from "../../joint/workflows.ts";
import { addNetwork, type NetworkOptions } from "../../options/network.ts";
import { addJson } from "../../options/write.ts";
import { show } from "../../output/show.ts";
import { inWords, openJoint, told } from "./shared.ts";

/** `assay workflow show`: how far a workflow is. */
export const workflowShowCommand: CommandFactory = (io, finish) => {
  const command = new Command("show")
    .summary("how far the workflow of a joint agreement is")
    .description(
      "Reads the workflow of a joint agreement from GenLayer's finalized state, and compares its digest with the one that\n" +
        "follows from the agreement's document.",
    )
    .argument(AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION);
  return addJson(addNetwork(command))
    .addHelpText("after", "\nExamples:\n  assay workflow show deal-a.json")
    .action(async (named: string, options: NetworkOptions & { readonly json?: boolean }) => {
      const { workflow } = await openJoint(named, options);
      const state = await workflow.read();
      requireAgreed(workflow, state);
      show(io, options.json, told(workflow, state), inWords(workflow, state));
      finish(EXIT.ok);
    });
};
