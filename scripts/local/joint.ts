import { setTimeout as sleep } from "node:timers/promises";
import { createAccount, createClient } from "genlayer-js";
import { TransactionHashVariant } from "genlayer-js/types";
import { Contract, type Wallet } from "ethers";
import {
  adjudicatorConfigOf,
  agreementEscrowAbi,
  encodeDocument,
  jointPlanOf,
  newSalt,
  submissionTypedData,
  toTermsStruct,
  workflowAcceptanceTypedData,
  workflowOutputTypedData,
  type Address,
  type Hex,
  type JointAgreement,
  type JointPlan,
  type Role,
  type TypedData,
} from "@assay/protocol";
import { genLayerChain } from "../deploy/judge.ts";
import type { Deal } from "./parties.ts";
import type { Stack } from "./stack.ts";

const HOUR = 3600;
const POLL_MILLISECONDS = 250;
/** Messages to the contract after which an abandoned workflow may be closed. */
const PATIENCE = 10_000;

/** Two escrow agreements of one document, with the agents who are paid by them. */
export interface JointDeal {
  agreement: JointAgreement;
  plan: JointPlan;
  deals: Record<Role, Deal>;
  agents: Record<Role, Wallet>;
}

/** What one agent is hired for. */
export interface JointPart {
  buyer: Wallet;
  agent: Wallet;
  /** Token base units. */
  reward: bigint;
  obligation: string;
}

/** Draws up both agreements of a joint document. Nothing is signed and nothing is sent. */
export async function drawUpJoint(
  { venue, responsibility }: Stack,
  options: { creator: Address; task: string; criteria: string; parts: Record<Role, JointPart> },
): Promise<JointDeal> {
  const { creator, task, criteria, parts } = options;
  const now = (await venue.provider.getBlock("latest"))?.timestamp ?? 0;
  const side = ({ buyer, agent, reward, obligation }: JointPart): JointAgreement["joint"]["a"] => ({
    buyer: buyer.address as Address,
    seller: agent.address as Address,
    reward: reward.toString(),
    noVerdictSellerBps: 4_000,
    salt: newSalt().toString(),
    obligation,
  });
  const agreement: JointAgreement = {
    schema: "assay/agreement/1",
    title: "Work of two agents",
    task,
    requirements: [],
    evidenceRequired: [],
    adjudication: {
      ...venue.adjudication,
      contract: responsibility.contract,
      codeHash: responsibility.codeHash,
    },
    joint: {
      chainId: venue.chainId,
      escrow: venue.escrow,
      adjudicator: venue.quorum,
      adjudicatorConfig: adjudicatorConfigOf(venue.members, venue.threshold),
      deliverBy: now + HOUR,
      adjudicateBy: now + 3 * HOUR,
      creator,
      acceptanceCriteria: criteria,
      patience: PATIENCE,
      a: side(parts.A),
      b: side(parts.B),
    },
  };
  const plan = jointPlanOf(agreement);
  const document = encodeDocument(agreement);
  const deal = (role: Role): Deal => ({ ...plan.sides[role], document });
  return {
    agreement,
    plan,
    deals: { A: deal("A"), B: deal("B") },
    agents: { A: parts.A.agent, B: parts.B.agent },
  };
}

const sign = async (wallet: Wallet, { domain, types, message }: TypedData): Promise<Hex> =>
  (await wallet.signTypedData(domain, types, message)) as Hex;

/**
 * Puts the workflow on GenLayer, as its creator, with the consent that both agents signed.
 *
 * @returns once it is final that both have consented
 */
export async function setUpWorkflow(
  stack: Stack,
  { plan, agents }: JointDeal,
  creatorKey: Hex,
): Promise<void> {
  const { workflow, place, workflowDigest } = plan;
  const { workflowKey } = place;
  await sendToWorkflows(stack, creatorKey, "create_workflow", [
    ...[workflow.workflowId, workflow.agentA, workflow.agentB, workflow.taskSpec],
    ...[workflow.agentAObligation, workflow.agentBObligation, workflow.acceptanceCriteria],
    workflow.assessors.map((assessor) => assessor.toLowerCase()).sort(),
    workflow.patience,
  ]);
  for (const agent of [agents.A, agents.B]) {
    const consent = await sign(agent, workflowAcceptanceTypedData(place, workflowDigest));
    await sendToWorkflows(stack, creatorKey, "accept_workflow_signed", [
      workflowKey,
      workflowDigest,
      consent,
    ]);
  }
  await untilWorkflow(stack, workflowKey, "ACCEPTED");
}

type Argument = string | number | string[];

/** Sends one call to the responsibility contract; returns the GenLayer transaction. */
export async function sendToWorkflows(
  { genlayer, responsibility }: Pick<Stack, "genlayer" | "responsibility">,
  key: Hex,
  functionName: string,
  args: Argument[],
): Promise<Hex> {
  const client = createClient({
    chain: genLayerChain("localnet", genlayer.rpcUrl),
    account: createAccount(key),
  });
  const call = { address: responsibility.contract, functionName, args, value: 0n };
  const sent: unknown = await client.writeContract(call);
  return sent as Hex;
}

/** Waits until the network's finalized state has the workflow in that state. */
export async function untilWorkflow(stack: Stack, workflowKey: Hex, state: string): Promise<void> {
  const client = createClient({ chain: genLayerChain("localnet", stack.genlayer.rpcUrl) });
  const deadline = performance.now() + 60_000;
  for (;;) {
    const found = (await client.readContract({
      address: stack.responsibility.contract,
      functionName: "get_workflow",
      args: [workflowKey],
      transactionHashVariant: TransactionHashVariant.LATEST_FINAL,
    })) as Map<string, unknown> | Record<string, unknown>;
    const now = found instanceof Map ? found.get("state") : found["state"];
    if (now === state) return;
    if (performance.now() > deadline) throw new Error(`Workflow ${workflowKey} is still ${String(now)}`);
    await sleep(POLL_MILLISECONDS);
  }
}

/** Makes an agent's submission document: its output with the signature that lets anybody carry it. */
export async function jointDelivery(
  { plan, agents }: JointDeal,
  role: Role,
  text: string,
): Promise<Uint8Array> {
  return encodeDocument({
    schema: "assay/submission/1",
    agreementId: plan.sides[role].agreementId,
    summary: "",
    files: {},
    links: [],
    evidence: [],
    output: { text, signature: await sign(agents[role], workflowOutputTypedData(plan.place, text)) },
  });
}

/** Commits to a submission by the agent's signature; `relayer` pays the gas. */
export async function submitSigned(
  { venue }: Stack,
  { terms, agreementId }: Deal,
  agent: Wallet,
  submissionHash: Hex,
  relayer: Wallet,
): Promise<void> {
  const signature = await sign(
    agent,
    submissionTypedData(agreementId, submissionHash, venue.chainId, venue.escrow),
  );
  const escrow = new Contract(venue.escrow, agreementEscrowAbi, relayer.connect(venue.provider));
  const sent = await escrow
    .getFunction("submitWithSignature")
    .send(toTermsStruct(terms), submissionHash, signature);
  await sent.wait();
}
