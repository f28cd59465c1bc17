import { expect } from "chai";
import { documentHash, type Hex } from "@assay/protocol";
import { loadExample } from "../../../examples/index.ts";
import { deliveryFor, publish } from "../../../scripts/local/parties.ts";
import { balanceOf, control, fundedDeal, passTime, send, untilStatus } from "../support/chain.ts";
import { visit, type Visitor } from "../support/visitor.ts";
import { openWorld, type World } from "../support/world.ts";

const DAY = 86_400;
/** Seconds that GenLayer keeps a decision open to appeal, in the world and in a test that wants to see it open. */
const WINDOW = { world: 0.5, long: 60 };

describe("what a verdict may come to, as seller and buyer see it", function () {
  this.timeout(90_000);
  let world: World;
  let visitor: Visitor;

  before(async () => {
    world = await openWorld();
  });
  afterEach(() => visitor.leave());

  async function delivered(isPublished: boolean): Promise<Hex> {
    const { stack } = world;
    const deal = await fundedDeal(stack);
    const delivery = deliveryFor(deal, loadExample("password-reset/strict").submission);
    if (isPublished) await publish(stack.operators[0]?.url ?? "", delivery);
    await send(stack, stack.cast.seller, "submit", deal.terms, documentHash(delivery));
    return deal.agreementId;
  }

  async function look(who: "buyer" | "seller", id: Hex): Promise<void> {
    visitor = await visit(world, { key: world.stack.cast[who].privateKey });
    await visitor.goto(`/agreement/${id}`);
    await visitor.connect();
  }
  const says = (text: string): Promise<void> =>
    visitor.page.getByText(text).first().waitFor({ timeout: 40_000 });

  it("provisional: said to be so, and nothing can be claimed with it; then final and paid", async () => {
    const { stack } = world;
    await control(stack, "setFinalityWindow", WINDOW.long);
    try {
      const id = await delivered(true);
      await look("seller", id);
      await says("There is a provisional verdict");
      await visitor.checkAccess();
      await visitor.shot("provisional");
      await visitor.page.locator("summary", { hasText: "Deliver the verdict" }).waitFor();
      await visitor.page.getByRole("button", { name: "Collect the signatures and deliver" }).click();
      await says("No operator that was asked has published a verdict on this submission");
      expect(visitor.wallet?.sent).to.equal(null);
      await control(stack, "advanceTime", WINDOW.long);
      await untilStatus(stack, id, "Released");
      await says("The agreement has ended");
    } finally {
      await control(stack, "setFinalityWindow", WINDOW.world);
    }
  });

  it("undetermined: the reward is divided as agreed, and why", async () => {
    const { stack } = world;
    const before = await balanceOf(stack, stack.cast.seller.address);
    await control(stack, "disagreeNext", { contract: stack.judge.contract, transactions: 2 });
    const id = await delivered(true);
    await untilStatus(stack, id, "Split");
    await look("buyer", id);
    await says("The validators could not agree");
    await visitor.checkAccess();
    await visitor.shot("undetermined");
    expect((await balanceOf(stack, stack.cast.seller.address)) - before).to.equal(500_000n);
  });

  it("withheld: a delivery whose document nobody can get refunds the buyer, and why", async () => {
    const { stack } = world;
    const before = await balanceOf(stack, stack.cast.buyer.address);
    const id = await delivered(false);
    await passTime(stack, DAY + 20_000);
    await untilStatus(stack, id, "Refunded");
    await look("buyer", id);
    await says("The delivery’s document could not be had");
    await visitor.checkAccess();
    await visitor.shot("withheld");
    expect(await balanceOf(stack, stack.cast.buyer.address)).to.equal(before);
  });
});
