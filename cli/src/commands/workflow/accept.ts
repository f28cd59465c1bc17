import { Command } from "commander";
import { workflowAcceptanceTypedData, type Address, type Role } from "@assay/protocol";
import { AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION, type CommandFactory } from "../../command.ts";
import { RefusedError } from "../../errors.ts";
import { EXIT } from "../../exit-codes.ts";
import { sendToGenLayer, type GenLayerCall } from "../../joint/send.ts";
import { untilFinal } from "../../joint/until.ts";
import { requireAgreed, type Workflow } from "../../joint/workflows.ts";
import type { NetworkOptions } from "../../options/network.ts";
import { requireWallet, type WalletOptions } from "../../options/wallet.ts";
import { addTypedData, type TypedDataOptions } from "../../options/write.ts";
import { show } from "../../output/show.ts";
import { printTypedData, signerOf } from "../../typed-data.ts";
import { addSending, agentIn, inWords, openJoint, told } from "./shared.ts";

interface AcceptOptions extends NetworkOptions, WalletOptions, TypedDataOptions {
  readonly wait: number;
  readonly json?: boolean;
}

/** `assay workflow accept`: an agent consents to a workflow. */
export const workflowAcceptCommand: CommandFactory = (io, finish) => {
  const command = new Command("accept")
    .summary("consent to the workflow of a joint agreement, as one of its agents")
    .description(
      "Consents to exactly the workflow that follows from the agreement's document: once, and for good. The money of both\n" +
        "sides is part of it. Look at it first with `assay agreement check`. Run twice, it sends once.",
    )
    .argument(AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION);
  addTypedData(addSending(command), "the agent");
  return command
    .addHelpText(
      "after",
      `
Examples:
  assay workflow accept deal-a.json --wallet seller
  assay workflow accept deal-b.json --typed-data                      # sign with a hardware wallet …
  assay workflow accept deal-b.json --signature 0x… --wallet anyone   # … and let anyone send it`,
    )
    .action(async (named: string, options: AcceptOptions) => {
      const { network, workflow } = await openJoint(named, options);
      const { plan } = workflow;
      finish(EXIT.ok);
      const typedData = workflowAcceptanceTypedData(plan.place, plan.workflowDigest);
      if (options.typedData === true) {
        const { agentA, agentB } = plan.workflow;
        printTypedData(io, typedData, `${agentA} or ${agentB}`);
        return;
      }
      const wallet = await requireWallet(options, io, network);
      const { signature } = options;
      const agent = signature === undefined ? wallet.address : signerOf(typedData, signature);
      const role = requireAgent(workflow, agent);
      const isGiven = (state: { acceptedA: boolean; acceptedB: boolean }): boolean =>
        role === "A" ? state.acceptedA : state.acceptedB;
      let state = await workflow.read();
      requireAgreed(workflow, state);
      if (isGiven(state)) io.diagnose(`Agent ${role} has consented already. Nothing was sent.`);
      else {
        if (state.state !== "PENDING_ACCEPTANCE")
          throw new RefusedError(
            "workflow_not_pending",
            `the workflow is ${state.state}, and consent is taken while it is PENDING_ACCEPTANCE`,
            state.state === "ABSENT"
              ? `Its creator ${plan.workflow.creator} runs \`assay workflow create\` first.`
              : "Draw the agreement up again: this workflow has ended.",
          );
        const call = consent(plan.place, plan.workflowDigest, signature);
        const sent = await sendToGenLayer(
          workflow.network,
          network.genLayerRpcUrl,
          call,
          await wallet.unlock(),
        );
        state = await untilFinal(io, workflow, sent, options.wait, isGiven);
      }
      show(io, options.json, { ...told(workflow, state), role }, inWords(workflow, state));
      if (state.state === "ACCEPTED") io.diagnose("Next: the buyers fund with assay agreement fund.");
    });
};

function requireAgent(workflow: Workflow, address: Address | null): Role {
  const role = address === null ? null : agentIn(workflow, address);
  if (role !== null) return role;
  const { agentA, agentB } = workflow.plan.workflow;
  throw new RefusedError(
    "agent_unexpected",
    `${address ?? "whoever signed"} is neither agent A, ${agentA}, nor agent B, ${agentB}`,
    "Use an agent's wallet, or its signature of exactly what --typed-data prints.",
  );
}

function consent(
  { contract, workflowKey }: Workflow["plan"]["place"],
  digest: string,
  signature: string | undefined,
): GenLayerCall {
  return signature === undefined
    ? { contract, functionName: "accept_workflow", args: [workflowKey, digest] }
    : { contract, functionName: "accept_workflow_signed", args: [workflowKey, digest, signature] };
}
