import { expect } from "chai";
import { untilStatus } from "../support/chain.ts";
import { goToFund, openFunded, write } from "../support/steps.ts";
import { visit, type Visitor } from "../support/visitor.ts";
import { openWorld, type World } from "../support/world.ts";

describe("operators that can't be reached, as a buyer meets them", function () {
  this.timeout(60_000);
  let world: World;
  let buyer: Visitor;

  before(async () => {
    world = await openWorld();
  });
  afterEach(() => buyer.leave());

  async function writeWithout(isDown: (index: number) => boolean): Promise<void> {
    const { stack } = world;
    const down = stack.operators.filter((_operator, index) => isDown(index)).map(({ url }) => url);
    buyer = await visit(world, {
      key: stack.cast.buyer.privateKey,
      offline: ({ origin }) => down.includes(origin),
    });
    await buyer.goto("/new");
    await buyer.connect();
    await write(buyer, { seller: stack.cast.seller.address, reward: "1" });
    await goToFund(buyer);
    await buyer.page.getByRole("button", { name: "Sign and fund" }).click();
  }

  it("one down: the others have the document, and that is said", async () => {
    await writeWithout((index) => index === 1);
    await buyer.page.getByText("2 of 3 operators have the document").waitFor();
    const id = await openFunded(buyer);
    await untilStatus(world.stack, id, "Funded");
  });

  it("all down: nothing is signed, because nobody could judge", async () => {
    await writeWithout(() => true);
    await buyer.page.getByText("No operator took the document").waitFor();
    await buyer.page.getByText("Nothing was signed and nothing was sent.").waitFor();
    await buyer.checkAccess();
    await buyer.shot("operators-down");
    expect(buyer.wallet?.prompts.map(({ method }) => method)).to.deep.equal(["eth_requestAccounts"]);
  });
});
