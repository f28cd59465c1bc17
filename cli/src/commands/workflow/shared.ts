import { Option, type Command } from "commander";
import type { WorkflowState } from "@assay/evidence";
import { isJoint, isSameAddress, type Address, type JointAgreement, type Role } from "@assay/protocol";
import { documentOf, openDeal } from "../../deal/open-deal.ts";
import { UsageError } from "../../errors.ts";
import { openWorkflow, type Workflow } from "../../joint/workflows.ts";
import { durationValue } from "../../options/durations.ts";
import { addNetwork, networkOf, type Network, type NetworkOptions } from "../../options/network.ts";
import { addWallet } from "../../options/wallet.ts";
import { addJson } from "../../options/write.ts";
import { createNode, requireChain, type Node } from "../../transact/node.ts";

const WAIT_SECONDS = 300;

/** A joint agreement with its workflow. */
export interface Opened {
  readonly network: Network & { readonly chainId: number };
  readonly node: Node;
  readonly agreement: JointAgreement;
  readonly workflow: Workflow;
}

/** Adds the options of every command that sends something to a workflow. */
export function addSending(command: Command): Command {
  return addJson(
    addWallet(addNetwork(command)).addOption(
      new Option("--wait <duration>", "how long to wait until it is final")
        .argParser(durationValue)
        .default(WAIT_SECONDS, "5m"),
    ),
  );
}

/**
 * Opens the workflow of the agreement that somebody named.
 *
 * @throws UsageError when no workflow decides it.
 */
export async function openJoint(named: string, options: NetworkOptions): Promise<Opened> {
  const known = networkOf(options);
  const node = createNode(known.rpcUrl);
  const network = { ...known, chainId: await requireChain(node, known.chainId) };
  const deal = await openDeal(named, network, network.chainId);
  const { document: agreement } = await documentOf(deal, network.operators);
  if (!isJoint(agreement))
    throw new UsageError(
      "no workflow decides this agreement",
      "It has one seller: `assay agreement accept` is that seller's consent.",
    );
  return { network, node, agreement, workflow: await openWorkflow(network, agreement) };
}

/** Which of the two agents an address is, or null. */
export function agentIn({ plan }: Workflow, address: Address): Role | null {
  const { agentA, agentB } = plan.workflow;
  if (isSameAddress(address, agentA)) return "A";
  return isSameAddress(address, agentB) ? "B" : null;
}

/** A workflow as commands tell it. */
export function told({ plan, network }: Workflow, { state, acceptedA, acceptedB }: WorkflowState) {
  const { place, workflowDigest, workflow } = plan;
  return {
    ...place,
    network: network.name,
    id: workflow.workflowId,
    digest: workflowDigest,
    creator: workflow.creator,
    state,
    consented: { A: acceptedA, B: acceptedB },
  };
}

/** The same, for people. */
export function inWords({ plan }: Workflow, { state, acceptedA, acceptedB }: WorkflowState): string[] {
  const { workflow, workflowDigest } = plan;
  const consent = (given: boolean): string => (given ? "has consented" : "has not consented");
  return [
    `Workflow ${plan.place.workflowKey}: ${state}`,
    `  digest   ${workflowDigest}`,
    `  creator  ${workflow.creator}`,
    `  agent A  ${workflow.agentA} ${consent(acceptedA)}`,
    `  agent B  ${workflow.agentB} ${consent(acceptedB)}`,
  ];
}
