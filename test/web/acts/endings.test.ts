import { expect } from "chai";
import { balanceOf, block, fundedDeal, passTime, send, untilStatus } from "../support/chain.ts";
import { openAct } from "../support/steps.ts";
import { visit, type Visitor } from "../support/visitor.ts";
import { openWorld, type World } from "../support/world.ts";

const DAY = 86_400;
const REWARD = 1_000_000n;

describe("ending an agreement without a verdict, on the page", function () {
  this.timeout(60_000);
  let world: World;
  const visitors: Visitor[] = [];

  before(async () => {
    world = await openWorld();
  });
  afterEach(async () => {
    for (const visitor of visitors.splice(0)) await visitor.leave();
  });

  async function arrive(who: "buyer" | "seller", id: string): Promise<Visitor> {
    const visitor = await visit(world, { key: world.stack.cast[who].privateKey });
    visitors.push(visitor);
    await visitor.goto(`/agreement/${id}`);
    await visitor.connect();
    return visitor;
  }
  const holds = (who: "buyer" | "seller"): Promise<bigint> =>
    balanceOf(world.stack, world.stack.cast[who].address);

  it("the buyer cancels before the seller accepts, and has everything back", async () => {
    const { agreementId } = await fundedDeal(world.stack);
    const before = await holds("buyer");
    const buyer = await arrive("buyer", agreementId);
    await openAct(buyer, "Cancel and take the money back");
    await buyer.page.getByText("1 USDC goes back to you, whole").waitFor();
    await buyer.page.getByRole("button", { name: "Cancel and take the money back" }).click();
    await untilStatus(world.stack, agreementId, "Refunded");
    expect((await holds("buyer")) - before).to.equal(REWARD);
  });

  it("the buyer concedes, and the seller is paid whole", async () => {
    const { agreementId } = await fundedDeal(world.stack);
    const before = await holds("seller");
    const buyer = await arrive("buyer", agreementId);
    await openAct(buyer, "Pay the seller now");
    await buyer.page.getByRole("button", { name: "Pay the whole reward" }).click();
    await untilStatus(world.stack, agreementId, "Released");
    await buyer.page.getByText("The agreement has ended").waitFor();
    expect((await holds("seller")) - before).to.equal(REWARD);
  });

  it("the seller gives the money back", async () => {
    const { agreementId } = await fundedDeal(world.stack);
    const before = await holds("buyer");
    const seller = await arrive("seller", agreementId);
    await openAct(seller, "Give the money back");
    await seller.page.getByRole("button", { name: "Give the money back" }).click();
    await untilStatus(world.stack, agreementId, "Refunded");
    expect((await holds("buyer")) - before).to.equal(REWARD);
  });

  it("both settle: the half-signed split passes between them as a text, and one that was changed is refused", async () => {
    const { agreementId } = await fundedDeal(world.stack);
    const before = { buyer: await holds("buyer"), seller: await holds("seller") };
    const buyer = await arrive("buyer", agreementId);
    await openAct(buyer, "Settle by yourselves");
    await buyer.page.getByLabel("The seller’s part, in USDC").fill("2");
    await buyer.page.getByText("This is more than the reward.").waitFor();
    await buyer.page.getByLabel("The seller’s part, in USDC").fill("0.3");
    await buyer.page.getByText("The seller gets 0.3 USDC, the buyer gets back 0.7 USDC.").waitFor();
    await buyer.page.getByRole("button", { name: "Sign this split" }).click();
    const half =
      (await buyer.page.getByRole("region", { name: "The half-signed settlement" }).textContent()) ?? "";
    expect(buyer.wallet?.signed?.message).to.deep.equal({ agreementId, sellerAmount: "300000" });
    await buyer.checkAccess();
    await buyer.shot("settlement");

    const seller = await arrive("seller", agreementId);
    await openAct(seller, "Settle by yourselves");
    const given = seller.page.getByLabel("Or paste what the buyer signed");
    await given.fill(half.replace('"300000"', '"900000"'));
    await seller.page.getByText("The buyer’s signature on this settlement is not valid.").waitFor();
    await given.fill(half);
    await seller.page.getByRole("button", { name: "Sign it too" }).click();
    await seller.page.getByRole("button", { name: "Settle", exact: true }).click();
    await untilStatus(world.stack, agreementId, "Split");
    expect((await holds("seller")) - before.seller).to.equal(300_000n);
    expect((await holds("buyer")) - before.buyer).to.equal(700_000n);
  });

  it("anybody ends what nobody delivered in time, and not a moment earlier", async () => {
    const { agreementId, terms } = await fundedDeal(world.stack);
    const before = await holds("buyer");
    const guest = await visit(world, { key: world.stack.cast.guests[0]!.privateKey });
    visitors.push(guest);
    await guest.goto(`/agreement/${agreementId}`);
    await guest.connect();
    await openAct(guest, "End it: nothing was delivered in time");
    await guest.page.getByText("Possible after").waitFor();
    await passTime(world.stack, DAY + 10);
    await guest.goto(`/agreement/${agreementId}`);
    await openAct(guest, "End it: nothing was delivered in time");
    await guest.page.getByRole("button", { name: "End it: nothing was delivered in time" }).click();
    await untilStatus(world.stack, agreementId, "Refunded");
    expect((await holds("buyer")) - before).to.equal(terms.reward);
  });

  it("a payout that the token refuses waits as a credit, and goes to another address of its owner", async () => {
    const { stack } = world;
    const { seller: owner, guests } = stack.cast;
    const { agreementId, terms } = await fundedDeal(stack);
    await block(stack, owner.address, true);
    try {
      await send(stack, stack.cast.buyer, "concede", terms);
      const seller = await arrive("seller", agreementId);
      await seller.page.getByText("1 USDC waits for you as a credit").waitFor();
      await seller.checkAccess();
      await seller.shot("credit");
      const to = seller.page.getByLabel("Send it to");
      const withdraw = seller.page.getByRole("button", { name: "Withdraw 1 USDC" });
      await to.fill("0x123");
      expect(await withdraw.isDisabled()).to.equal(true);

      // Simulated before the wallet is asked: the contract's own error, in words.
      const asked = seller.wallet?.prompts.length;
      await to.fill(stack.venue.token);
      await withdraw.click();
      await seller.page.getByText("This would fail, so your wallet was not asked").waitFor();
      await seller.page.getByText("where it would be lost").waitFor();
      expect(seller.wallet?.prompts.length).to.equal(asked);
      await seller.checkAccess();

      const other = guests[1]!.address;
      await to.fill(other);
      await withdraw.click();
      await seller.page.getByText("1 USDC waits for you as a credit").waitFor({ state: "detached" });
      expect(await balanceOf(stack, other)).to.equal(REWARD);
    } finally {
      await block(stack, owner.address, false);
    }
  });
});
