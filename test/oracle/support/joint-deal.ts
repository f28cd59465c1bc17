import { Wallet } from "ethers";
import {
  adjudicatorConfigOf,
  documentHash,
  encodeDocument,
  jointPlanOf,
  workflowOutputTypedData,
  type Address,
  type Agreement,
  type Hex,
  type JointAgreement,
  type JointPlan,
  type Role,
} from "@assay/protocol";
import type { Operator } from "../../../oracle/src/index.ts";
import { CHAIN_ID, ESCROW, QUORUM } from "./sim-evm.ts";
import { JUDGE, JUDGE_CODE_HASH } from "./sim-genlayer.ts";
import type { SimWorkflow } from "./sim-workflows.ts";
import { ADDRESSES, put, type World } from "./world.ts";

export const AGENTS: Readonly<Record<Role, Wallet>> = {
  A: new Wallet(`0x${"71".repeat(32)}`),
  B: new Wallet(`0x${"72".repeat(32)}`),
};
export const ROLES = ["A", "B"] as const;

/** Both agreements of a joint document. */
export interface JointDeal {
  readonly agreement: JointAgreement;
  readonly plan: JointPlan;
  readonly bytes: Uint8Array;
}

let salt = 0;

/** A joint agreement that this world's operator may judge. */
export function jointDealOf(
  world: Pick<World, "evm">,
  changes: {
    /** Side A's, and one less than side B's; the next that are free when left out. */
    readonly salt?: number;
    readonly adjudication?: Partial<Agreement["adjudication"]>;
    readonly joint?: Partial<JointAgreement["joint"]>;
  } = {},
): JointDeal {
  const now = world.evm.latest.timestamp;
  const from = changes.salt ?? (salt += 2);
  const side = (role: Role, reward: string): JointAgreement["joint"]["a"] => ({
    buyer: "0x1111111111111111111111111111111111111111",
    seller: AGENTS[role].address as Address,
    reward,
    noVerdictSellerBps: 4_000,
    salt: String(role === "A" ? from : from + 1),
    obligation: `Do part ${role}.`,
  });
  const agreement: JointAgreement = {
    schema: "assay/agreement/1",
    title: "Two parts",
    task: "Do both parts.",
    requirements: [],
    evidenceRequired: [],
    adjudication: {
      network: "localnet",
      chainId: 61_127,
      consensusMain: "0xb7278A61aa25c888815aFC32Ad3cC52fF24fE575",
      contract: JUDGE,
      codeHash: JUDGE_CODE_HASH,
      relayers: [ADDRESSES.relayer],
      minValidators: 5,
      rounds: 2,
      ...changes.adjudication,
    },
    joint: {
      chainId: CHAIN_ID,
      escrow: ESCROW,
      adjudicator: QUORUM,
      adjudicatorConfig: adjudicatorConfigOf([ADDRESSES.attester], 1),
      deliverBy: now + 3_600,
      adjudicateBy: now + 10_800,
      creator: "0x4444444444444444444444444444444444444444",
      acceptanceCriteria: "Both parts are done.",
      patience: 1_000,
      a: side("A", "4000000"),
      b: side("B", "1000000"),
      ...changes.joint,
    },
  };
  return { agreement, plan: jointPlanOf(agreement), bytes: encodeDocument(agreement) };
}

/** The workflow on GenLayer, with the consent of both. */
export function createWorkflow(
  world: Pick<World, "genLayer">,
  { plan }: JointDeal,
  digest = plan.workflowDigest,
): SimWorkflow {
  const { workflow, place } = plan;
  return world.genLayer.workflows.create({
    place,
    digest,
    agents: { A: workflow.agentA, B: workflow.agentB },
  });
}

/** An agent's submission document. */
export async function deliveryOf({ plan }: JointDeal, role: Role, text = `Part ${role} is done.`) {
  const { domain, types, message } = workflowOutputTypedData(plan.place, text);
  const signature = await AGENTS[role].signTypedData(domain, types, message);
  const bytes = encodeDocument({
    schema: "assay/submission/1",
    agreementId: plan.sides[role].agreementId,
    summary: "",
    files: {},
    links: [],
    evidence: [],
    output: { text, signature },
  });
  return { bytes, hash: documentHash(bytes), text, signature };
}

/** Funds both agreements, and hands the document to the operator. */
export async function fundBoth(
  world: World,
  operator: Operator,
  deal: JointDeal,
): Promise<Record<Role, Hex>> {
  await put(operator, deal.bytes);
  return { A: world.evm.fund(deal.plan.sides.A.terms), B: world.evm.fund(deal.plan.sides.B.terms) };
}

/** An agent submits, with its document in the operator's hands. */
export async function submitAs(
  world: World,
  operator: Operator,
  deal: JointDeal,
  role: Role,
  text?: string,
): Promise<Hex> {
  const delivery = await deliveryOf(deal, role, text);
  await put(operator, delivery.bytes);
  world.evm.submit(deal.plan.sides[role].agreementId, delivery.hash);
  return delivery.hash;
}
