import { expect } from "chai";
import { Contract, Wallet } from "ethers";
import { gather, openJudgeNetwork, operatorSource } from "@assay/evidence";
import {
  agreementEscrowAbi,
  agreementIdOf,
  assessCalldata,
  audit,
  documentHash,
  findGenLayerNetwork,
  jointPlanOf,
  outcomeForRole,
  settlementTypedData,
  toTermsStruct,
  workflowAcceptanceTypedData,
  type Hex,
  type Role,
} from "@assay/protocol";
import {
  JOINT_CASES,
  JOINT_REWARDS,
  bothSettled,
  deliverBoth,
  hireTwo,
  type JointCase,
} from "../../scripts/demo/joint.ts";
import {
  drawUpJoint,
  jointDelivery,
  sendToWorkflows,
  submitSigned,
  untilWorkflow,
  type JointDeal,
} from "../../scripts/local/joint.ts";
import { expire, fund, publish, type Deal } from "../../scripts/local/parties.ts";
import type { Stack } from "../../scripts/local/stack.ts";
import {
  certificatesOf,
  control,
  indexedDeal,
  operatorUrl,
  passTime,
  statusOf,
  untilState,
  untilSubmission,
} from "./support/scene.ts";
import { openStack } from "./support/world.ts";

const HOUR = 3600;
const ROLES = ["A", "B"] as const;
const STATUS_OF = { PASS: "RELEASED", FAIL: "REFUNDED", UNDETERMINED: "SPLIT" } as const;

describe("joint agreements, end to end", function () {
  this.timeout(180_000);
  let stack: Stack;
  let good: JointCase;

  before(async () => {
    stack = await openStack();
    good = JOINT_CASES.find(({ verdict }) => verdict === "NEITHER_AGENT_FAULT")!;
  });

  const people = (guest = 0) => ({ buyer: stack.cast.buyer, relayer: stack.cast.guests[guest]! });

  /** GenLayer transactions that ask for this workflow's assessment, by whomever. */
  async function assessmentsOf({ plan }: JointDeal): Promise<string[]> {
    const network = await openJudgeNetwork(findGenLayerNetwork("localnet")!, stack.genlayer.rpcUrl);
    const calldata = assessCalldata(plan.place.workflowKey);
    const found: string[] = [];
    for (const id of await network.transactionsTo(stack.responsibility.contract))
      if ((await network.transaction(id))?.calldata === calldata) found.push(id);
    return found;
  }

  /** What anybody finds who audits one side from public places. */
  async function auditOf(deal: Deal) {
    const evidence = await gather(deal.agreementId, {
      rpcUrl: stack.evm.rpcUrl,
      chainId: stack.evm.chainId,
      escrow: stack.venue.escrow,
      fromBlock: stack.contracts.startBlock,
      genlayerRpcUrl: stack.genlayer.rpcUrl,
      sources: stack.operators.map(({ url }) => operatorSource(url)),
    });
    return { evidence, report: audit(evidence) };
  }

  async function attestationsOf({ agreementId }: Deal): Promise<number> {
    const responses = await Promise.all(
      stack.operators.map(({ url }) => fetch(`${url}/v1/attestations/${agreementId}`)),
    );
    return responses.filter(({ ok }) => ok).length;
  }

  for (const [index, one] of JOINT_CASES.entries())
    it(`${one.verdict}: one GenLayer transaction, two certificates, and each agent has what it says`, async () => {
      const deal = await hireTwo(stack, people(index), one);
      await deliverBoth(stack, deal, one.outputs, people(index).relayer);
      const sides = await bothSettled(stack, deal);
      const assessments = await assessmentsOf(deal);
      expect(assessments).to.have.length(1);
      for (const role of ROLES) {
        const { outcome, paid, record, verdictHashRecomputed, verdictHash } = sides[role];
        expect(outcome).to.equal(outcomeForRole(one.verdict, role));
        const share = { PASS: 10_000n, FAIL: 0n, UNDETERMINED: 4_000n }[outcome as keyof typeof STATUS_OF];
        expect(paid, `agent ${role}`).to.equal((JOINT_REWARDS[role] * share) / 10_000n);
        expect(record.responsibility).to.include({ verdict: one.verdict, role });
        expect(record.transactions).to.deep.equal(assessments);
        expect(verdictHashRecomputed).to.equal(true);
        expect(await certificatesOf(stack, deal.deals[role])).to.have.length(1);
        const indexed = await indexedDeal(stack, deal.deals[role]);
        expect([indexed.status, indexed.verdictHash]).to.deep.equal([
          STATUS_OF[outcome as keyof typeof STATUS_OF],
          verdictHash,
        ]);
        const { report } = await auditOf(deal.deals[role]);
        expect(report.steps.filter(({ result }) => result !== "PASS")).to.deep.equal([]);
        expect(report.steps.map(({ id }) => id)).to.include.members([
          "jointSide",
          "jointOutputs",
          "jointOutcome",
        ]);
      }
    });

  it("an audit fails when the other side's output, or the stored verdict, is another one", async () => {
    const one = JOINT_CASES[1]!;
    const deal = await hireTwo(stack, people(), one);
    await deliverBoth(stack, deal, one.outputs, people().relayer);
    await bothSettled(stack, deal);
    const { evidence } = await auditOf(deal.deals.A);
    const failing = (changed: typeof evidence) =>
      audit(changed).steps.flatMap(({ id, result }) => (result === "FAIL" ? [id] : []));
    const other = Buffer.from(await jointDelivery(deal, "B", "Something else.")).toString("utf8");
    expect(
      failing({ ...evidence, documents: { ...evidence.documents, partnerSubmission: other } }),
    ).to.include("jointOutputs");
    const judge = evidence.judge!;
    const record = {
      ...judge.record!,
      record: judge.record!.record.replace("AGENT_B_FAULT", "AGENT_A_FAULT"),
    };
    expect(failing({ ...evidence, judge: { ...judge, record } })).to.include.members([
      "adjudicationHash",
      "judgeRecord",
    ]);
  });

  it("no agreement in any round: UNDETERMINED for both, with both transactions, by the agreed share", async () => {
    const deal = await hireTwo(stack, people(), good);
    const { workflowKey } = deal.plan.place;
    // The agents carry their outputs themselves, so that only assessments are disturbed.
    for (const role of ROLES)
      await sendToWorkflows(stack, deal.agents[role].privateKey as Hex, "submit_output", [
        workflowKey,
        good.outputs[role],
      ]);
    await untilWorkflow(stack, workflowKey, "READY");
    await control(stack, "disagreeNext", { contract: stack.responsibility.contract, transactions: 2 });
    await deliverBoth(stack, deal, good.outputs, people().relayer);
    const sides = await bothSettled(stack, deal);
    const assessments = await assessmentsOf(deal);
    expect(assessments).to.have.length(2);
    for (const role of ROLES) {
      expect(sides[role].outcome).to.equal("UNDETERMINED");
      expect([...sides[role].record.transactions].sort()).to.deep.equal([...assessments].sort());
      expect(sides[role].record.responsibility).to.equal(undefined);
      expect(sides[role].paid).to.equal((JOINT_REWARDS[role] * 4_000n) / 10_000n);
      const { report } = await auditOf(deal.deals[role]);
      expect(report.failed).to.equal(0);
    }
  });

  it("an agreement of the same document that is neither of its sides is judged with nobody", async () => {
    const deal = await hireTwo(stack, people(), good);
    const third = withTerms(deal, "B", { salt: deal.deals.B.terms.salt + 1n });
    await fund(stack.venue, third, { ...people(), seller: deal.agents.B });
    const delivery = await jointDelivery(deal, "B", good.outputs.B);
    await publish(operatorUrl(stack), delivery);
    await submitSigned(stack, third, deal.agents.B, documentHash(delivery), people().relayer);
    const { reason } = await untilState(stack, third, "QUARANTINED");
    expect(reason).to.equal("the agreement's terms are neither of the two sides in its joint document");
    await deliverBoth(stack, deal, good.outputs, people().relayer);
    const sides = await bothSettled(stack, deal);
    expect([sides.A.outcome, sides.B.outcome]).to.deep.equal(["PASS", "PASS"]);
    expect(await statusOf(stack, third)).to.equal("Submitted");
    expect(await attestationsOf(third)).to.equal(0);
  });

  it("one side that the parties settle in the middle: the other is not attested alone", async () => {
    const { deal, creatorKey } = await fundedBeforeConsent();
    await deliverBoth(stack, deal, good.outputs, people().relayer);
    await untilState(stack, deal.deals.A, "RELAY_READY");
    await settleByParties(deal, "B");
    await consent(deal, creatorKey);
    // The operators' clock is the chain: some of its blocks, each of them final soon.
    await untilSubmission(stack, deal.deals.B, ({ state }) => state === "EXPIRED");
    await passTime(stack, 60);
    await untilSubmission(stack, deal.deals.A, ({ lastError }) => lastError?.includes("Split") === true);
    expect(await attestationsOf(deal.deals.A)).to.equal(0);
    expect(await certificatesOf(stack, deal.deals.A)).to.have.length(0);
    expect(await assessmentsOf(deal)).to.have.length(0);
    expect(await statusOf(stack, deal.deals.A)).to.equal("Submitted");
  });

  it("an agent that gives its workflow another output is refunded from, and the other side is not judged", async () => {
    const deal = await hireTwo(stack, people(), good);
    const { workflowKey } = deal.plan.place;
    await sendToWorkflows(stack, deal.agents.B.privateKey as Hex, "submit_output", [
      workflowKey,
      "Something else.",
    ]);
    await deliverBoth(stack, deal, good.outputs, people().relayer);
    const { verdict } = await untilState(stack, deal.deals.B, "SETTLED");
    expect(verdict?.outcome).to.equal("WITHHELD");
    expect(await statusOf(stack, deal.deals.B)).to.equal("Refunded");
    expect(await attestationsOf(deal.deals.A)).to.equal(0);
    expect(await assessmentsOf(deal)).to.have.length(0);
  });

  // From here on the chain's clock is moved by hours.

  it("a side that never submits: nobody is judged, and the clocks decide", async () => {
    const deal = await hireTwo(stack, people(), good);
    const delivery = await jointDelivery(deal, "A", good.outputs.A);
    await publish(operatorUrl(stack), delivery);
    await submitSigned(stack, deal.deals.A, deal.agents.A, documentHash(delivery), people().relayer);
    await untilState(stack, deal.deals.A, "ANCHORED");
    await passTime(stack, HOUR + 1);
    await expire(stack.venue, deal.deals.B, people().relayer);
    expect(await statusOf(stack, deal.deals.B)).to.equal("Refunded");
    await passTime(stack, 2 * HOUR + 1);
    await expire(stack.venue, deal.deals.A, people().relayer);
    expect(await statusOf(stack, deal.deals.A)).to.equal("Split");
    await untilState(stack, deal.deals.A, "EXPIRED");
    expect(await assessmentsOf(deal)).to.have.length(0);
    for (const role of ROLES) expect(await attestationsOf(deal.deals[role])).to.equal(0);
  });

  /** The same document under other terms. */
  function withTerms(deal: JointDeal, role: Role, changes: Partial<Deal["terms"]>): Deal {
    const terms = { ...deal.deals[role].terms, ...changes };
    const agreementId = agreementIdOf(terms, stack.venue.chainId, stack.venue.escrow);
    return { terms, agreementId, document: deal.deals[role].document };
  }

  /** Both agreements funded, and the workflow created, with nobody's consent on GenLayer yet. */
  async function fundedBeforeConsent(): Promise<{ deal: JointDeal; creatorKey: Hex }> {
    const creator = Wallet.createRandom();
    const part = (role: Role) => ({
      buyer: stack.cast.buyer,
      agent: new Wallet(Wallet.createRandom().privateKey),
      reward: JOINT_REWARDS[role],
      obligation: good.obligations[role],
    });
    const deal = await drawUpJoint(stack, {
      creator: creator.address as `0x${string}`,
      task: "Publish a report.",
      criteria: "Both texts are complete.",
      parts: { A: part("A"), B: part("B") },
    });
    const { workflow } = jointPlanOf(deal.agreement);
    const creatorKey = creator.privateKey as Hex;
    await sendToWorkflows(stack, creatorKey, "create_workflow", [
      ...[workflow.workflowId, workflow.agentA, workflow.agentB, workflow.taskSpec],
      ...[workflow.agentAObligation, workflow.agentBObligation, workflow.acceptanceCriteria],
      workflow.assessors.map((assessor) => assessor.toLowerCase()).sort(),
      workflow.patience,
    ]);
    await publish(operatorUrl(stack), deal.deals.A.document);
    for (const role of ROLES)
      await fund(stack.venue, deal.deals[role], { ...people(), seller: deal.agents[role] });
    return { deal, creatorKey };
  }

  async function consent({ plan, agents }: JointDeal, creatorKey: Hex): Promise<void> {
    const { domain, types, message } = workflowAcceptanceTypedData(plan.place, plan.workflowDigest);
    for (const agent of [agents.A, agents.B])
      await sendToWorkflows(stack, creatorKey, "accept_workflow_signed", [
        plan.place.workflowKey,
        plan.workflowDigest,
        await agent.signTypedData(domain, types, message),
      ]);
    await untilWorkflow(stack, plan.place.workflowKey, "ACCEPTED");
  }

  async function settleByParties({ deals, agents }: JointDeal, role: Role): Promise<void> {
    const { terms, agreementId } = deals[role];
    const typed = settlementTypedData(agreementId, 500_000n, stack.venue.chainId, stack.venue.escrow);
    const sign = (wallet: Wallet) => wallet.signTypedData(typed.domain, typed.types, typed.message);
    const escrow = new Contract(stack.venue.escrow, agreementEscrowAbi, people().relayer);
    const sent = await escrow
      .getFunction("settle")
      .send(toTermsStruct(terms), 500_000n, await sign(stack.cast.buyer), await sign(agents[role]));
    await sent.wait();
  }
});
