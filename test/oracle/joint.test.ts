import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { expect } from "chai";
import { OUTCOME_CODES, RESPONSIBILITY_VERDICTS, outcomeForRole, type Hex, type Role } from "@assay/protocol";
import type { Boundary, Operator } from "../../oracle/src/index.ts";
import {
  AGENTS,
  ROLES,
  createWorkflow,
  deliveryOf,
  fundBoth,
  jointDealOf,
  submitAs,
  type JointDeal,
} from "./support/joint-deal.ts";
import { JUDGE } from "./support/sim-genlayer.ts";
import { hash } from "./support/states.ts";
import { ADDRESSES, createWorld, put, submissionView, until, type World } from "./support/world.ts";

const OTHER = "0x3333333333333333333333333333333333333333";

describe("operator, with joint agreements", () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });
  afterEach(() => world.end());

  /** Both sides funded and delivered, with the workflow in place. */
  async function begin(deal: JointDeal, operator: Operator): Promise<Record<Role, Hex>> {
    createWorkflow(world, deal);
    const ids = await fundBoth(world, operator, deal);
    for (const role of ROLES) await submitAs(world, operator, deal, role);
    return ids;
  }

  async function settled(
    operator: Operator,
    ids: Record<Role, Hex>,
  ): Promise<Record<Role, string | undefined>> {
    const outcome = async (role: Role) =>
      (await until(world, operator, ids[role], ["SETTLED"])).verdict?.outcome;
    return { A: await outcome("A"), B: await outcome("B") };
  }

  const codes = (ids: Record<Role, Hex>) =>
    ROLES.map((role) =>
      world.evm.settlements
        .filter(({ agreementId }) => agreementId === ids[role])
        .map(({ verdict }) => verdict.outcome),
    );

  /** Some blocks, in which nothing may happen. */
  async function quiet(blocks = 15): Promise<void> {
    for (let block = 0; block < blocks; block++) {
      world.evm.mine();
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  async function attested(operator: Operator, ids: Record<Role, Hex>): Promise<boolean[]> {
    return Promise.all(
      ROLES.map(async (role) => (await fetch(`${operator.url}/v1/attestations/${ids[role]}`)).ok),
    );
  }

  for (const verdict of RESPONSIBILITY_VERDICTS)
    it(`settles both sides by ${verdict}, asking once`, async () => {
      world.genLayer.workflows.verdicts = [verdict];
      const operator = await world.start();
      const ids = await begin(jointDealOf(world), operator);
      await settled(operator, ids);
      expect(codes(ids)).to.deep.equal(ROLES.map((role) => [OUTCOME_CODES[outcomeForRole(verdict, role)]]));
      expect(world.genLayer.callsOf("assess")).to.have.length(1);
      expect(world.genLayer.callsOf("submit_output_signed")).to.have.length(2);
    });

  it("waits for the other side's submission, however long, and asks nobody before", async () => {
    const operator = await world.start();
    const deal = jointDealOf(world);
    createWorkflow(world, deal);
    const ids = await fundBoth(world, operator, deal);
    await submitAs(world, operator, deal, "A");
    await until(world, operator, ids.A, ["ANCHORED"]);
    await quiet();
    expect(world.genLayer.sends).to.have.length(0);
    await submitAs(world, operator, deal, "B");
    expect(await settled(operator, ids)).to.deep.equal({ A: "PASS", B: "PASS" });
  });

  it("judges nothing on a submission that a reorganisation takes back, and both on the one that replaces it", async () => {
    const operator = await world.start();
    const deal = jointDealOf(world);
    createWorkflow(world, deal);
    const ids = await fundBoth(world, operator, deal);
    await submitAs(world, operator, deal, "A");
    await until(world, operator, ids.A, ["ANCHORED"]);
    world.evm.finalityDepth = 50;
    await submitAs(world, operator, deal, "B", "A first version.");
    world.evm.mine();
    await until(world, operator, ids.B, ["OBSERVED"], { mine: false });
    world.evm.reorg(1);
    world.evm.mine(2);
    await until(world, operator, ids.B, ["ORPHANED"], { mine: false });
    expect(world.genLayer.sends).to.have.length(0);
    world.evm.finalityDepth = 2;
    const second = await submitAs(world, operator, deal, "B", "A second version.");
    await settled(operator, ids);
    const [settlement] = world.evm.settlements.filter(({ agreementId }) => agreementId === ids.B);
    expect(settlement?.verdict.submissionHash).to.equal(second);
    expect(codes(ids)).to.deep.equal([[1], [1]]);
  });

  it("counts no round that a relayer begins before both outputs are there", async () => {
    const operator = await world.start();
    const deal = jointDealOf(world);
    createWorkflow(world, deal);
    for (let round = 0; round < 3; round++)
      world.genLayer.inject(ADDRESSES.relayer, "assess", [deal.plan.place.workflowKey], "ERROR");
    const ids = await fundBoth(world, operator, deal);
    for (const role of ROLES) await submitAs(world, operator, deal, role);
    expect(await settled(operator, ids)).to.deep.equal({ A: "PASS", B: "PASS" });
  });

  it("ends UNDETERMINED for both, with the same transactions, when every round ended without agreement", async () => {
    world.genLayer.planOf = (_key, nth, method) =>
      method !== "assess" ? "PASS" : nth === 0 ? "UNDETERMINED" : "LEADER_TIMEOUT";
    const operator = await world.start();
    const ids = await begin(jointDealOf(world), operator);
    expect(await settled(operator, ids)).to.deep.equal({ A: "UNDETERMINED", B: "UNDETERMINED" });
    const rounds = world.genLayer.callsOf("assess").map(({ id }) => id);
    expect(rounds).to.have.length(2);
    for (const role of ROLES) {
      const { judge } = (await submissionView(operator, ids[role]))!;
      expect(judge.inconclusive).to.deep.equal(rounds);
    }
  });

  it("believes no record of a named relayer whose transaction ran on its leader alone", async () => {
    world.genLayer.workflows.verdicts = ["AGENT_A_FAULT", "AGENT_B_FAULT"];
    const operator = await world.start();
    const deal = jointDealOf(world, { adjudication: { relayers: [ADDRESSES.relayer, OTHER] } });
    const workflow = createWorkflow(world, deal);
    for (const role of ROLES) workflow.outputs[role] = (await deliveryOf(deal, role)).text;
    workflow.state = "READY";
    world.genLayer.inject(OTHER, "assess", [deal.plan.place.workflowKey], "LEADER_ONLY");
    const ids = await fundBoth(world, operator, deal);
    for (const role of ROLES) await submitAs(world, operator, deal, role);
    expect(await settled(operator, ids)).to.deep.equal({ A: "PASS", B: "FAIL" });
  });

  it("takes the verdict of a named relayer that was first, and no unnamed one's", async () => {
    world.genLayer.workflows.verdicts = ["AGENT_A_FAULT", "SHARED_FAULT", "AGENT_B_FAULT"];
    const operator = await world.start();
    const deal = jointDealOf(world, { adjudication: { relayers: [ADDRESSES.relayer, OTHER] } });
    const workflow = createWorkflow(world, deal);
    for (const role of ROLES) workflow.outputs[role] = (await deliveryOf(deal, role)).text;
    workflow.state = "READY";
    const { workflowKey } = deal.plan.place;
    world.genLayer.inject("0x5555555555555555555555555555555555555555", "assess", [workflowKey], "PASS");
    world.genLayer.inject(OTHER, "assess", [workflowKey], "PASS");
    const ids = await fundBoth(world, operator, deal);
    for (const role of ROLES) await submitAs(world, operator, deal, role);
    expect(await settled(operator, ids)).to.deep.equal({ A: "FAIL", B: "FAIL" });
    expect(world.genLayer.sends).to.have.length(0);
  });

  it("withholds the submission of an agent that gave its workflow another output, and attests no verdict", async () => {
    const operator = await world.start();
    const deal = jointDealOf(world);
    createWorkflow(world, deal).outputs.B = "Something else.";
    const ids = await fundBoth(world, operator, deal);
    for (const role of ROLES) await submitAs(world, operator, deal, role);
    const view = await until(world, operator, ids.B, ["SETTLED"]);
    expect(view.verdict?.outcome).to.equal("WITHHELD");
    await quiet();
    expect(codes(ids)).to.deep.equal([[], [4]]);
    expect(await attested(operator, ids)).to.deep.equal([false, true]);
    expect(world.genLayer.callsOf("assess")).to.have.length(0);
  });

  for (const [what, spoil] of [
    ["without an output", { output: undefined }],
    ["whose output somebody else signed", { signer: AGENTS.A }],
  ] as const)
    it(`takes a submission ${what} for none: WITHHELD after the window`, async () => {
      const operator = await world.start({}, { ASSAY_DOCUMENT_WINDOW_SECONDS: "60" });
      const deal = jointDealOf(world);
      createWorkflow(world, deal);
      const ids = await fundBoth(world, operator, deal);
      const delivery = await deliveryOf(deal, "B");
      const document = JSON.parse(Buffer.from(delivery.bytes).toString()) as {
        output?: { signature: string };
      };
      if ("signer" in spoil) document.output!.signature = (await deliveryOf(deal, "A")).signature;
      else delete document.output;
      const { canonicalize, documentHash, utf8Encode } = await import("@assay/protocol");
      const bytes = utf8Encode(canonicalize(document));
      await put(operator, bytes);
      world.evm.submit(ids.B, documentHash(bytes));
      const view = await until(world, operator, ids.B, ["SETTLED"], { seconds: 10 });
      expect(view.verdict?.outcome).to.equal("WITHHELD");
      expect(world.genLayer.sends).to.have.length(0);
    });

  it("attests neither side when the other one is settled by its parties in the middle", async () => {
    const operator = await world.start();
    const deal = jointDealOf(world);
    const workflow = createWorkflow(world, deal);
    workflow.state = "PENDING_ACCEPTANCE";
    const ids = await fundBoth(world, operator, deal);
    for (const role of ROLES) await submitAs(world, operator, deal, role);
    await until(world, operator, ids.A, ["RELAY_READY"]);
    await until(world, operator, ids.B, ["RELAY_READY"]);
    world.evm.close(ids.B, "Settled");
    await until(world, operator, ids.B, ["EXPIRED"]);
    workflow.state = "ACCEPTED";
    await quiet();
    expect(await attested(operator, ids)).to.deep.equal([false, false]);
    expect(world.genLayer.sends).to.have.length(0);
    expect(world.evm.settlements).to.have.length(0);
  });

  it("judges nothing that was closed without a verdict", async () => {
    const operator = await world.start();
    const deal = jointDealOf(world);
    createWorkflow(world, deal).state = "CLOSED";
    const ids = await fundBoth(world, operator, deal);
    for (const role of ROLES) await submitAs(world, operator, deal, role);
    await until(world, operator, ids.A, ["RELAY_READY"]);
    await quiet();
    expect(world.genLayer.sends).to.have.length(0);
    expect(await attested(operator, ids)).to.deep.equal([false, false]);
  });

  it("parks both sides of a workflow whose texts are not the agreement's", async () => {
    const operator = await world.start();
    const deal = jointDealOf(world);
    createWorkflow(world, deal, hash(0x44));
    const ids = await fundBoth(world, operator, deal);
    for (const role of ROLES) await submitAs(world, operator, deal, role);
    for (const role of ROLES)
      expect((await until(world, operator, ids[role], ["QUARANTINED"])).reason).to.include(
        `has digest ${hash(0x44)}`,
      );
  });

  it("parks both sides when the contract's code is not the pinned one", async () => {
    const operator = await world.start();
    const deal = jointDealOf(world, { adjudication: { codeHash: hash(0x66) } });
    const ids = await begin(deal, operator);
    for (const role of ROLES)
      expect((await until(world, operator, ids[role], ["QUARANTINED"])).reason).to.match(
        /the judge's code has hash/,
      );
    expect(deal.agreement.adjudication.contract).to.equal(JUDGE);
  });

  it("parks an agreement that is neither side of its document", async () => {
    const operator = await world.start();
    const deal = jointDealOf(world);
    createWorkflow(world, deal);
    await put(operator, deal.bytes);
    const third = world.evm.fund({ ...deal.plan.sides.B.terms, salt: 99n });
    world.evm.submit(third, hash(0x77));
    const view = await until(world, operator, third, ["QUARANTINED"]);
    expect(view.reason).to.equal("the agreement's terms are neither of the two sides in its joint document");
  });

  const deaths: readonly (readonly [Boundary, number])[] = [
    // Each side's first passages journal the output's send and end it; side A's next ones ask.
    ...[1, 2, 3, 4, 5, 6].flatMap((passage) => [
      ["relay.done", passage] as const,
      ["relay.committed", passage] as const,
    ]),
    ["attest.done", 1],
    ["attest.committed", 1],
    ["prepareSettlement.done", 1],
    ["prepareSettlement.committed", 1],
    ["broadcastSettlement.committed", 1],
  ];
  for (const [boundary, passage] of deaths)
    it(`settles both sides once when it dies at ${boundary}, passage ${passage}`, async () => {
      let passed = 0;
      const victim = await world.start({
        boundary(name) {
          if (name === boundary && ++passed === passage) throw new Error("killed");
        },
      });
      const life = { over: false };
      void victim.failed.catch(() => (life.over = true));
      const ids = await begin(jointDealOf(world), victim);
      for (let turn = 0; turn < 250 && !life.over; turn++) {
        world.evm.mine();
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
      expect(life.over, `never came to ${boundary}`).to.equal(true);
      await victim.stop();
      expect([0, 2], "both are signed, or neither").to.include(signatures(world));
      const operator = await world.start();
      await settled(operator, ids);
      expect(codes(ids)).to.deep.equal([[1], [1]]);
      expect(world.genLayer.callsOf("assess")).to.have.length(1);
      expect(world.genLayer.callsOf("submit_output_signed")).to.have.length(2);
      await operator.stop();
      expect(signatures(world)).to.equal(2);
    });
});

/** Certificates in the sign-once table. */
function signatures({ dataDir }: World): number {
  const database = new DatabaseSync(join(dataDir, "operator.sqlite"), { readOnly: true });
  const count = Number(database.prepare("SELECT count(*) AS n FROM signed").get()?.["n"]);
  database.close();
  return count;
}
