import { Wallet } from "ethers";
import {
  documentHash,
  verdictHash,
  type Address,
  type Hex,
  type ResponsibilityVerdict,
  type Role,
  type VerdictRecord,
} from "@assay/protocol";
import { drawUpJoint, jointDelivery, setUpWorkflow, submitSigned, type JointDeal } from "../local/joint.ts";
import { latestSubmission, waitForAgreement } from "../local/operator-api.ts";
import { balanceOf, fund, publish } from "../local/parties.ts";
import type { Stack } from "../local/stack.ts";
import { operatorUrl } from "./history.ts";

/** Token base units (six decimals) that each agent is hired for. */
export const JOINT_REWARDS: Readonly<Record<Role, bigint>> = { A: 4_000_000n, B: 1_000_000n };

const ROLES = ["A", "B"] as const;
const END = ["SETTLED", "QUARANTINED", "CONFLICT", "EXPIRED"];

/** What became of one agent. */
export interface JointResult {
  agreementId: Hex;
  outcome: string;
  /** Token base units that the agent received. */
  paid: bigint;
  verdictHash: Hex;
  /** Whether hashing the published record here gives the hash that was settled. */
  verdictHashRecomputed: boolean;
  settlement: Hex;
  record: VerdictRecord;
}

/** One workflow, from its consent to both payments. */
export interface JointStory {
  expected: ResponsibilityVerdict;
  workflowKey: Hex;
  /** The GenLayer transaction that decided both. */
  judgeTx: Hex;
  sides: Record<Role, JointResult>;
}

/** A workflow whose end is known beforehand: the rules judge looks for what stands in `backticks`. */
export interface JointCase {
  verdict: ResponsibilityVerdict;
  obligations: Record<Role, string>;
  outputs: Record<Role, string>;
}

const OBLIGATIONS: Record<Role, string> = {
  A: "Write the report. It has the line `Summary:` and names its `Sources:`.",
  B: "Translate the report. The translation has the line `Zusammenfassung:`.",
};
const GOOD: Record<Role, string> = {
  A: "Summary: rents rose by 3 %.\nSources: the statistics office.",
  B: "Zusammenfassung: Die Mieten stiegen um 3 %.",
};
const BAD: Record<Role, string> = {
  A: "Summary: rents rose, everybody says so.",
  B: "Die Mieten stiegen.",
};

/** One workflow for each verdict. */
export const JOINT_CASES: readonly JointCase[] = [
  { verdict: "AGENT_A_FAULT", obligations: OBLIGATIONS, outputs: { A: BAD.A, B: GOOD.B } },
  { verdict: "AGENT_B_FAULT", obligations: OBLIGATIONS, outputs: { A: GOOD.A, B: BAD.B } },
  { verdict: "SHARED_FAULT", obligations: OBLIGATIONS, outputs: BAD },
  { verdict: "NEITHER_AGENT_FAULT", obligations: OBLIGATIONS, outputs: GOOD },
  {
    verdict: "INCONCLUSIVE",
    obligations: { A: "Write a good report.", B: "Translate it well." },
    outputs: GOOD,
  },
];

/** Who pays, and who pays the gas for what others signed. */
export interface JointPeople {
  buyer: Wallet;
  relayer: Wallet;
}

/** Hires two new agents, who only ever sign, with the workflow that both consented to in place. */
export async function hireTwo(
  stack: Stack,
  { buyer, relayer }: JointPeople,
  one: JointCase,
): Promise<JointDeal> {
  const creator = Wallet.createRandom();
  const part = (role: Role) => ({
    buyer,
    agent: new Wallet(Wallet.createRandom().privateKey),
    reward: JOINT_REWARDS[role],
    obligation: one.obligations[role],
  });
  const deal = await drawUpJoint(stack, {
    creator: creator.address as Address,
    task: "Publish a report on rents in two languages.",
    criteria: "Both texts are complete and say the same.",
    parts: { A: part("A"), B: part("B") },
  });
  await setUpWorkflow(stack, deal, creator.privateKey as Hex);
  await publish(operatorUrl(stack), deal.deals.A.document);
  for (const role of ROLES)
    await fund(stack.venue, deal.deals[role], { buyer, seller: deal.agents[role], relayer });
  return deal;
}

/** Publishes both agents' deliveries and commits to them in the escrow. */
export async function deliverBoth(
  stack: Stack,
  deal: JointDeal,
  outputs: Record<Role, string>,
  relayer: Wallet,
): Promise<void> {
  for (const role of ROLES) {
    const delivery = await jointDelivery(deal, role, outputs[role]);
    await publish(operatorUrl(stack), delivery);
    await submitSigned(stack, deal.deals[role], deal.agents[role], documentHash(delivery), relayer);
  }
}

/** Waits until both agreements are settled for good. */
export async function bothSettled(stack: Stack, deal: JointDeal): Promise<Record<Role, JointResult>> {
  const settled = async (role: Role): Promise<JointResult> => {
    const { agreementId } = deal.plan.sides[role];
    const view = await waitForAgreement(
      () => operatorUrl(stack),
      agreementId,
      (found) => END.includes(latestSubmission(found)?.state ?? ""),
      { timeoutSeconds: 90 },
    );
    const submission = latestSubmission(view);
    if (!submission?.verdict || !submission.settlement)
      throw new Error(`Side ${role} ended without a verdict: ${submission?.reason ?? "no reason"}`);
    const { outcome, record, verdictHash: published } = submission.verdict;
    return {
      agreementId,
      outcome,
      paid: await balanceOf(stack.venue, deal.agents[role].address as Address),
      verdictHash: published,
      verdictHashRecomputed: verdictHash(record) === published,
      settlement: submission.settlement.transactionHash,
      record,
    };
  };
  const [A, B] = await Promise.all([settled("A"), settled("B")]);
  return { A, B };
}

/** Takes one workflow through its whole life. */
export async function tellJointStory(
  stack: Stack,
  people: JointPeople,
  one: JointCase,
  onStage: (stage: string) => void,
): Promise<JointStory> {
  const deal = await hireTwo(stack, people, one);
  onStage("both agents consented on GenLayer, both agreements are funded");
  await deliverBoth(stack, deal, one.outputs, people.relayer);
  onStage("both agents submitted");
  const sides = await bothSettled(stack, deal);
  onStage("both agreements are settled");
  return {
    expected: one.verdict,
    workflowKey: deal.plan.place.workflowKey,
    judgeTx: sides.A.record.transactions[0] ?? "0x",
    sides,
  };
}
