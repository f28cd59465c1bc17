import { join } from "node:path";
import { expect } from "chai";
import { balanceOf, untilStatus } from "../support/chain.ts";
import { chooseFolder, goToFund, openAct, openFunded, write } from "../support/steps.ts";
import { visit, type Size, type Visitor } from "../support/visitor.ts";
import { openWorld, type World } from "../support/world.ts";

const DELIVERABLE = join(import.meta.dirname, "../../../examples/password-reset/lenient/deliverable");

describe("work that fails, from the form to the buyer's refund", function () {
  this.timeout(120_000);
  let world: World;
  const visitors: Visitor[] = [];

  before(async () => {
    world = await openWorld();
  });
  afterEach(async () => {
    for (const visitor of visitors.splice(0)) await visitor.leave();
  });

  async function arrive(who: "buyer" | "seller", size: Size, path: string): Promise<Visitor> {
    const visitor = await visit(world, { size, key: world.stack.cast[who].privateKey });
    visitors.push(visitor);
    await visitor.goto(path);
    await visitor.connect();
    return visitor;
  }

  async function deliverAndFail(size: Size, id: `0x${string}`, before: bigint): Promise<void> {
    const { stack } = world;
    const seller = await arrive("seller", size, `/agreement/${id}`);
    await openAct(seller, "Deliver the work");
    await chooseFolder(seller, DELIVERABLE);
    await seller.page.getByRole("button", { name: "Deliver", exact: true }).click();
    await untilStatus(stack, id, "Refunded");
    await seller.page.getByText("The agreement has ended").waitFor();
    await seller.shot("failed");
    await seller.checkAccess();
    expect(await balanceOf(stack, stack.cast.buyer.address)).to.equal(before);
  }

  it("desktop: funded with a permit, delivered without accepting, refunded", async () => {
    const { stack } = world;
    const before = await balanceOf(stack, stack.cast.buyer.address);
    const buyer = await arrive("buyer", "desktop", "/new");
    await write(buyer, { seller: stack.cast.seller.address });
    await goToFund(buyer);
    await buyer.page.getByText("Ways to pay", { exact: true }).first().click();
    await buyer.page.getByLabel(/ERC-2612/).check();
    await buyer.page.getByRole("button", { name: "Sign and fund" }).click();
    const id = await openFunded(buyer);
    expect(buyer.wallet?.signed?.primaryType).to.equal("Permit");
    await deliverAndFail("desktop", id, before);
  });

  it("phone: approved and funded by two transactions, refunded", async () => {
    const { stack } = world;
    const before = await balanceOf(stack, stack.cast.buyer.address);
    const buyer = await arrive("buyer", "phone", "/new");
    await write(buyer, { seller: stack.cast.seller.address });
    await goToFund(buyer);
    await buyer.page.getByText("Ways to pay", { exact: true }).first().click();
    await buyer.page.getByLabel(/Approve, then fund/).check();
    await buyer.shot("ways-to-pay");
    await buyer.page.getByRole("button", { name: "Allow the escrow to take 25 USDC" }).click();
    await buyer.page.getByRole("button", { name: "Fund", exact: true }).click();
    const id = await openFunded(buyer);
    expect(buyer.wallet?.signed).to.equal(null);
    expect(buyer.wallet?.prompts.map(({ method }) => method)).to.deep.equal([
      "eth_requestAccounts",
      "eth_sendTransaction",
      "eth_sendTransaction",
    ]);
    await deliverAndFail("phone", id, before);
  });
});
