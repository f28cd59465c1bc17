import { Command } from "commander";
import { isSameAddress } from "@assay/protocol";
import { AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION, type CommandFactory } from "../../command.ts";
import { RefusedError } from "../../errors.ts";
import { EXIT } from "../../exit-codes.ts";
import { sendToGenLayer } from "../../joint/send.ts";
import { untilFinal } from "../../joint/until.ts";
import { requireAgreed } from "../../joint/workflows.ts";
import type { NetworkOptions } from "../../options/network.ts";
import { requireWallet, type WalletOptions } from "../../options/wallet.ts";
import { show } from "../../output/show.ts";
import { addSending, inWords, openJoint, told } from "./shared.ts";

interface CreateOptions extends NetworkOptions, WalletOptions {
  readonly wait: number;
  readonly json?: boolean;
}

/** `assay workflow create`: the creator puts a workflow on GenLayer. */
export const workflowCreateCommand: CommandFactory = (io, finish) => {
  const command = new Command("create")
    .summary("put the workflow of a joint agreement on GenLayer, as its creator")
    .description(
      "Puts the workflow that follows from a joint agreement's document on GenLayer. It consents to nothing: each agent\n" +
        "does that with `assay workflow accept`. Run twice, it sends once.",
    )
    .argument(AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION);
  return addSending(command)
    .addHelpText("after", "\nExamples:\n  assay workflow create deal-a.json --wallet buyer")
    .action(async (named: string, options: CreateOptions) => {
      const { network, workflow } = await openJoint(named, options);
      const { plan } = workflow;
      const { creator } = plan.workflow;
      let state = await workflow.read();
      requireAgreed(workflow, state);
      if (state.state === "ABSENT") {
        const wallet = await requireWallet(options, io, network);
        if (!isSameAddress(wallet.address, creator))
          throw new RefusedError(
            "sender_unexpected",
            `only its creator ${creator} can create this workflow, and wallet ${wallet.name} is ${wallet.address}`,
            "Use the creator's wallet; a workflow of another creator is another workflow.",
          );
        const { workflow: terms, place } = plan;
        const sent = await sendToGenLayer(
          workflow.network,
          network.genLayerRpcUrl,
          {
            contract: place.contract,
            functionName: "create_workflow",
            args: [
              ...[terms.workflowId, terms.agentA, terms.agentB, terms.taskSpec],
              ...[terms.agentAObligation, terms.agentBObligation, terms.acceptanceCriteria],
              terms.assessors.map((assessor) => assessor.toLowerCase()).sort(),
              terms.patience,
            ],
          },
          await wallet.unlock(),
        );
        state = await untilFinal(io, workflow, sent, options.wait, (found) => found.state !== "ABSENT");
        requireAgreed(workflow, state);
      } else io.diagnose("The workflow is there already. Nothing was sent.");
      show(io, options.json, told(workflow, state), inWords(workflow, state));
      finish(EXIT.ok);
    });
};
