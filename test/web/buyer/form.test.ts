import { expect } from "chai";
import type { Page } from "playwright-core";
import { balanceOf, untilStatus } from "../support/chain.ts";
import { openFunded } from "../support/steps.ts";
import { visit, type Visitor } from "../support/visitor.ts";
import { openWorld, type World } from "../support/world.ts";

describe("the form for a new agreement", function () {
  this.timeout(60_000);
  let world: World;
  let buyer: Visitor;

  before(async () => {
    world = await openWorld();
  });
  beforeEach(async () => {
    buyer = await visit(world, { key: world.stack.cast.buyer.privateKey });
    await buyer.goto("/new");
  });
  afterEach(() => buyer.leave());

  it("keeps the draft through a reload, and forgets it when asked", async () => {
    const { page, goto } = buyer;
    await page.getByLabel("Title", { exact: true }).fill("A draft");
    await goto("/new");
    await page.getByText("Your draft is back").waitFor();
    expect(await page.getByLabel("Title", { exact: true }).inputValue()).to.equal("A draft");
    await page.getByRole("button", { name: "Start afresh" }).click();
    await goto("/new");
    expect(await page.getByLabel("Title", { exact: true }).inputValue()).to.equal("");
  });

  it("says what is wrong once somebody has been at a field, and leads to what is missing", async () => {
    const { page } = buyer;
    await page.getByLabel("Reward in USDC").fill("0.0000001");
    await page.getByLabel("Reward in USDC").blur();
    await page.getByText("USDC has 6 decimals, not 7.").waitFor();
    expect(await page.getByText("Nobody is named as the seller.").count()).to.equal(0);
    await page.getByRole("button", { name: "Review" }).click();
    await page.getByText(/things to correct/).waitFor();
    await buyer.checkAccess();
    await buyer.shot("form-problems");
    await page.getByRole("button", { name: "Seller", exact: true }).click();
    expect(await focused(page)).to.equal("seller");
  });

  it("says what a check means while it is written, and tries it on a text", async () => {
    const { page } = buyer;
    await page.getByLabel("Who decides it").selectOption("regex");
    await page.getByLabel("Pattern", { exact: true }).fill("(a+)+");
    await page.getByLabel("Pattern", { exact: true }).blur();
    await page.locator(".error").first().waitFor();
    await page.getByLabel("Pattern", { exact: true }).fill("return 4[0-9]");
    await page.getByText("Passes when some file matches the pattern").waitFor();
    await page.getByText("Try it on a text").click();
    await page.getByLabel("A file’s text").fill("return 42;");
    await page.getByText("Passes: found in 1 of 1 files.").waitFor();
    await page.getByLabel("A file’s text").fill("return 52;");
    await page.getByText("Fails: not found in 1 files.").waitFor();
    await buyer.checkAccess();
  });

  it("refuses a file that is no agreement, in words, and keeps what was written", async () => {
    const { page } = buyer;
    await page.getByLabel("Title", { exact: true }).fill("Mine");
    const choose = (name: string, text: string): Promise<void> =>
      page
        .getByLabel("A file …")
        .setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
    await choose("bomb.json", `{"title":${"[".repeat(60_000)}${"]".repeat(60_000)}}`);
    await page.getByText("This is no JSON that counts here").waitFor();
    await choose("large.json", `"${"a".repeat(200_000)}"`);
    await page.getByText("an agreement has 65,536 at most").waitFor();
    await choose("other.json", '{"title":"a","requirements":"b"}');
    await page.getByText("This is no agreement").waitFor();
    expect(await page.getByLabel("Title", { exact: true }).inputValue()).to.equal("Mine");
  });

  it("shows deadlines where the buyer is and in UTC", async () => {
    const { page } = buyer;
    await page.getByLabel("Deliver by").fill("2030-07-01T12:00");
    await page.getByText("2030-07-01 10:00:00 UTC").waitFor();
    await page.getByText(/Mon,? 1 Jul 2030.* 12:00 CEST/).waitFor();
  });

  it("can be written, reviewed and funded with the keyboard alone", async () => {
    const { page } = buyer;
    const before = await balanceOf(world.stack, world.stack.cast.buyer.address);
    await tabTo(page, "Connect a wallet");
    await page.keyboard.press("Enter");
    await tabTo(page, "Test Wallet");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /^Your wallet: 0x/ }).waitFor();
    await tabTo(page, "Example: a text");
    await page.keyboard.press("Enter");
    await tabTo(page, "Seller’s address");
    await page.keyboard.type(world.stack.cast.seller.address);
    await tabTo(page, "Reward in USDC");
    await page.keyboard.type("2.5");
    await tabTo(page, "30 days");
    await page.keyboard.press("Space");
    await tabTo(page, "Review");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "What is signed, exactly" }).waitFor();
    await tabTo(page, "Go on to fund it");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Sign and fund" }).waitFor();
    await tabTo(page, "Sign and fund");
    await page.keyboard.press("Enter");
    const id = await openFunded(buyer);
    await untilStatus(world.stack, id, "Funded");
    expect(before - (await balanceOf(world.stack, world.stack.cast.buyer.address))).to.equal(2_500_000n);
  });
});

const focused = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute("data-field") ?? null);

/** Presses Tab until the control of that name has the focus, which has to show. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 200; presses++) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      const label = element?.labels?.[0]?.textContent ?? element?.textContent ?? "";
      return { label: label.trim(), outline: element === null ? "" : getComputedStyle(element).outlineStyle };
    });
    if (!found.label.startsWith(name)) continue;
    expect(found.outline, `focus on ${name}`).to.not.equal("none");
    return;
  }
  throw new Error(`The keyboard does not reach ${name}`);
}
