import { expect } from "chai";
import { documentHash, type Role } from "@assay/protocol";
import {
  JOINT_CASES,
  bothSettled,
  deliverBoth,
  hireTwo,
  type JointCase,
  type JointPeople,
} from "../../../scripts/demo/joint.ts";
import { jointDelivery, submitSigned, type JointDeal } from "../../../scripts/local/joint.ts";
import { publish } from "../../../scripts/local/parties.ts";
import { untilStatus } from "../support/chain.ts";
import { openAct } from "../support/steps.ts";
import { visit, type Size, type Visitor, type VisitorOptions } from "../support/visitor.ts";
import { openWorld, type World } from "../support/world.ts";

const LONG = { timeout: 60_000 };
const SCRIPT = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>';
/** Turns the direction of everything after it. */
const RTL = "\u202Eevitisop ton si siht\u202C";

describe("a joint agreement, as its agents and auditors see it", function () {
  this.timeout(180_000);
  let world: World;
  let settled: JointDeal;
  let visitor: Visitor;
  const blamesB = JOINT_CASES.find(({ verdict }) => verdict === "AGENT_B_FAULT")!;

  before(async () => {
    world = await openWorld();
    settled = await hireTwo(world.stack, people(), blamesB);
    await deliverBoth(world.stack, settled, blamesB.outputs, people().relayer);
    await bothSettled(world.stack, settled);
  });
  afterEach(async () => {
    expect(await visitor.page.evaluate(() => "pwned" in window)).to.equal(false);
    await visitor.leave();
  });

  const people = (): JointPeople => ({ buyer: world.stack.cast.buyer, relayer: world.stack.cast.guests[0]! });
  const idOf = (role: Role, deal = settled): string => deal.plan.sides[role].agreementId;

  async function arrive(path: string, options: VisitorOptions = {}): Promise<Visitor> {
    visitor = await visit(world, options);
    await visitor.goto(path);
    return visitor;
  }

  for (const size of ["desktop", "phone"] as Size[])
    it(`${size}: shows both sides and who was at fault, and recomputes it`, async () => {
      const { page, shot, checkAccess } = await arrive(`/agreement/${idOf("A")}`, { size });
      await page.getByText("Pass: agent A is not at fault").waitFor(LONG);
      await page.getByText("This agreement pays agent A.").waitFor();
      const side = (role: Role) => page.locator(`[data-side=${role}]`);
      await side("A").getByText("paid by this agreement").waitFor();
      await side("A").getByText("Paid to the seller").waitFor();
      await side("B").getByText("Refunded to the buyer").waitFor(LONG);
      await side("B").getByText(blamesB.obligations.B).waitFor();
      expect(await page.locator("[data-verdict]").count()).to.equal(5);
      expect(await page.locator("[data-verdict][aria-current=true]").getAttribute("data-verdict")).to.equal(
        "AGENT_B_FAULT",
      );
      const workflow = page.getByRole("region", { name: "The workflow", exact: true });
      const { place, workflowDigest } = settled.plan;
      for (const value of [place.contract, place.workflowKey, workflowDigest])
        expect(await workflow.innerText()).to.include(value.slice(-6));
      await page.getByRole("button", { name: "Recompute every step" }).click();
      await page.getByText("Everything follows").waitFor(LONG);
      const values = (id: string) => page.locator(`[data-step=${id}][data-result=PASS] dd`).allTextContents();
      expect(await values("jointSide")).to.deep.equal([`${idOf("A")} or ${idOf("B")}`, idOf("A")]);
      const [submitted, found] = await values("jointOutputs");
      expect(submitted)
        .to.match(/^0x[0-9a-f]{64}$/)
        .and.equal(found);
      expect(await values("jointOutcome")).to.deep.equal(["PASS", "PASS"]);
      await checkAccess();
      await shot("joint-settled");

      await side("B").getByRole("link").last().click();
      await page.getByText("Fail: agent B is at fault").waitFor(LONG);
      await side("B").getByText("paid by this agreement").waitFor();
      await page.getByRole("link", { name: "The verdict, to print" }).click();
      await page.getByRole("heading", { name: "Who was at fault" }).waitFor(LONG);
      await checkAccess();
    });

  it("an agent delivers the output that it signed elsewhere; texts that mean harm stay texts", async () => {
    const { stack } = world;
    const hostile = (text: string): string => `${text} ${SCRIPT} ${RTL}`;
    const one: JointCase = {
      ...blamesB,
      obligations: { A: hostile("It has the line `Summary:`."), B: hostile("It has `Zusammenfassung:`.") },
      outputs: { A: hostile("Summary: done."), B: hostile("Zusammenfassung: fertig.") },
    };
    const deal = await hireTwo(stack, people(), one);
    const agent = deal.agents.A;
    await stack.venue.provider.send("anvil_setBalance", [agent.address, "0x8ac7230489e80000"]);
    const { page, connect, shot, checkAccess } = await arrive(`/agreement/${idOf("A", deal)}`, {
      key: agent.privateKey,
    });
    await connect();
    await openAct(visitor, "Deliver the work");
    const deliver = page.getByRole("button", { name: "Deliver", exact: true });
    await page.getByLabel("Output", { exact: true }).fill(one.outputs.A);
    const shown = await page.getByRole("region", { name: "Typed data to sign" }).innerText();
    const { domain, types, message } = JSON.parse(shown) as {
      domain: object;
      types: Record<string, { name: string; type: string }[]>;
      message: Record<string, unknown>;
    };
    delete types["EIP712Domain"];
    const signature = page.getByLabel("Signature of the output");
    await signature.fill(await deal.agents.B.signTypedData(domain, types, message));
    await page.getByText("The signature is not this side’s agent’s").waitFor();
    expect(await deliver.isDisabled()).to.equal(true);
    await signature.fill(await agent.signTypedData(domain, types, message));
    await page.getByText("Signed by this side’s agent.").waitFor();
    await checkAccess();
    await shot("joint-deliver");
    await deliver.click();
    await untilStatus(stack, idOf("A", deal) as `0x${string}`, "Submitted");
    const other = await jointDelivery(deal, "B", one.outputs.B);
    await publish(stack.operators[0]?.url ?? "", other);
    await submitSigned(stack, deal.deals.B, deal.agents.B, documentHash(other), people().relayer);
    const sides = await bothSettled(stack, deal);
    expect(sides.A.record.responsibility?.verdict).to.equal("NEITHER_AGENT_FAULT");
    await page.getByText("Pass: agent A is not at fault").waitFor(LONG);
    await page
      .getByRole("region", { name: "The output that is judged" })
      .getByText("Summary: done.")
      .waitFor(LONG);
    expect(await page.locator("main img, main script").count()).to.equal(0);
    expect(await page.locator("main").innerText()).to.not.include("\u202E");
    await checkAccess();
  });
});
