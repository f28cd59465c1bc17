import { fundedDeal } from "../support/chain.ts";
import { goToFund, write } from "../support/steps.ts";
import { visit, type Size, type Visitor } from "../support/visitor.ts";
import { openWorld, type World } from "../support/world.ts";

describe("the buyer's pages in the dark", function () {
  this.timeout(90_000);
  let world: World;
  let visitor: Visitor;

  before(async () => {
    world = await openWorld();
  });
  afterEach(() => visitor.leave());

  for (const size of ["desktop", "phone"] as Size[])
    it(`${size}: the form, its problems, the review, the payment and the agreement can be used by everybody`, async () => {
      const { stack } = world;
      visitor = await visit(world, { size, colorScheme: "dark", key: stack.cast.buyer.privateKey });
      const { page, shot, checkAccess } = visitor;
      await visitor.goto("/new");
      await page.getByRole("button", { name: "Example: code" }).waitFor();
      await checkAccess();
      await shot("form-dark");
      await page.getByRole("button", { name: "Review" }).click();
      await page.locator("[aria-invalid=true]").first().waitFor();
      await checkAccess();
      await shot("problems-dark");
      await visitor.goto("/new");
      await visitor.connect();
      await write(visitor, { seller: stack.cast.seller.address });
      await checkAccess();
      await shot("review-dark");
      await goToFund(visitor);
      await page.getByText("What your wallet shows when you sign").click();
      await checkAccess();
      await shot("fund-dark");
      const { agreementId } = await fundedDeal(stack);
      await visitor.goto(`/agreement/${agreementId}`);
      await page.getByText("You are the buyer").waitFor();
      await page.locator("details.act").first().waitFor();
      await page
        .locator("details")
        .evaluateAll((all) => all.forEach((one) => ((one as HTMLDetailsElement).open = true)));
      await checkAccess();
      await shot("acts-dark");
    });
});
