import { join } from "node:path";
import { expect } from "chai";
import { balanceOf, impoverishOperators, untilStatus } from "../support/chain.ts";
import { chooseFolder, openAct, write, goToFund, openFunded, writeAndFund } from "../support/steps.ts";
import { visit, type Visitor } from "../support/visitor.ts";
import { openWorld, type World } from "../support/world.ts";

const DELIVERABLE = join(import.meta.dirname, "../../../examples/password-reset/strict/deliverable");
const REWARD = 25_000_000n;

describe("work that passes, from the form to the seller's money", function () {
  this.timeout(120_000);
  let world: World;
  const visitors: Visitor[] = [];

  before(async () => {
    world = await openWorld();
  });
  afterEach(async () => {
    for (const visitor of visitors.splice(0)) await visitor.leave();
  });

  async function arrive(who: "buyer" | "seller", size: "desktop" | "phone", path: string): Promise<Visitor> {
    const visitor = await visit(world, { size, key: world.stack.cast[who].privateKey });
    visitors.push(visitor);
    await visitor.goto(path);
    await visitor.connect();
    return visitor;
  }

  it("desktop: one signature funds, the seller accepts and delivers, operators settle", async () => {
    const { stack } = world;
    const before = await balanceOf(stack, stack.cast.seller.address);
    const buyer = await arrive("buyer", "desktop", "/new");
    await write(buyer, { seller: stack.cast.seller.address });
    await buyer.shot("review");
    await buyer.checkAccess();
    await goToFund(buyer);
    await buyer.page.getByText("What your wallet shows when you sign").click();
    await buyer.checkAccess();
    await buyer.shot("fund");
    await buyer.page.getByRole("button", { name: "Sign and fund" }).click();
    const id = await openFunded(buyer);
    expect(buyer.wallet?.prompts.map(({ method }) => method)).to.deep.equal([
      "eth_requestAccounts",
      "eth_signTypedData_v4",
      "eth_sendTransaction",
    ]);

    const seller = await arrive("seller", "desktop", `/agreement/${id}`);
    await openAct(seller, "Accept the terms");
    await seller.checkAccess();
    await seller.page.getByRole("button", { name: "Accept", exact: true }).click();
    await untilStatus(stack, id, "Accepted");
    await openAct(seller, "Deliver the work");
    await chooseFolder(seller, DELIVERABLE);
    await seller.page.getByText("Everything that code decides passes").waitFor();
    await seller.shot("deliver");
    await seller.checkAccess();
    await seller.page.getByRole("button", { name: "Deliver", exact: true }).click();
    await untilStatus(stack, id, "Released");
    await seller.page.getByText("The agreement has ended").waitFor();
    await seller.shot("passed");
    expect((await balanceOf(stack, stack.cast.seller.address)) - before).to.equal(REWARD);
  });

  it("what the buyer signs names the payee, the amount and the agreement, field by field", async () => {
    const { stack } = world;
    const buyer = await arrive("buyer", "desktop", "/new");
    const id = await writeAndFund(buyer, { seller: stack.cast.seller.address });
    const { signed } = buyer.wallet!;
    expect(signed?.primaryType).to.equal("ReceiveWithAuthorization");
    expect(signed?.domain).to.deep.include({
      name: "USD Coin",
      verifyingContract: stack.venue.token.toLowerCase(),
    });
    expect(signed?.message).to.deep.include({
      from: stack.cast.buyer.address.toLowerCase(),
      to: stack.venue.escrow.toLowerCase(),
      value: String(REWARD),
      nonce: id,
    });
  });

  it("phone: consent by a signature that the buyer sends, and the seller claims when no operator delivers", async () => {
    const { stack } = world;
    const before = await balanceOf(stack, stack.cast.seller.address);
    const buyer = await arrive("buyer", "phone", "/new");
    await buyer.shot("form");
    await buyer.checkAccess();
    const id = await writeAndFund(buyer, { seller: stack.cast.seller.address });

    const seller = await arrive("seller", "phone", `/agreement/${id}`);
    await openAct(seller, "Accept the terms");
    await seller.page.getByRole("button", { name: "Accept by signature, without gas" }).click();
    const signature = (await seller.page.getByRole("region", { name: "Your signature" }).textContent()) ?? "";
    expect(seller.wallet?.signed?.primaryType).to.equal("Acceptance");
    expect(seller.wallet?.signed?.message).to.deep.equal({ agreementId: id });
    await openAct(buyer, "Send the seller’s signed consent");
    await buyer.page.getByLabel("The seller’s signature").fill(signature);
    await buyer.page.getByRole("button", { name: "Send the consent" }).click();
    await untilStatus(stack, id, "Accepted");

    const enrich = await impoverishOperators(stack);
    try {
      await openAct(seller, "Deliver the work");
      await chooseFolder(seller, DELIVERABLE);
      await seller.checkAccess();
      await seller.page.getByRole("button", { name: "Deliver", exact: true }).click();
      await untilStatus(stack, id, "Submitted");
      await openAct(seller, "Deliver the verdict");
      await untilAttested(id);
      await seller.page.getByRole("button", { name: "Collect the signatures and deliver" }).click();
      await untilStatus(stack, id, "Released");
      await seller.page.getByText("The agreement has ended").waitFor();
      await seller.shot("claimed");
      await seller.checkAccess();
    } finally {
      await enrich();
    }
    expect(seller.wallet?.prompts.map(({ method }) => method)).to.deep.equal([
      "eth_requestAccounts",
      "eth_signTypedData_v4",
      "eth_sendTransaction",
      "eth_sendTransaction",
    ]);
    expect((await balanceOf(stack, stack.cast.seller.address)) - before).to.equal(REWARD);
  });

  /** Waits until enough operators have published their signatures. */
  async function untilAttested(id: string): Promise<void> {
    const { operators, venue } = world.stack;
    for (;;) {
      const answers = await Promise.all(operators.map(({ url }) => fetch(`${url}/v1/attestations/${id}`)));
      if (answers.filter(({ ok }) => ok).length >= venue.threshold) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
});
