import { join } from "node:path";
import { expect } from "chai";
import type { Hex } from "@assay/protocol";
import { fundedDeal, untilStatus } from "../support/chain.ts";
import { dropOn, openAct } from "../support/steps.ts";
import { visit, type Visitor } from "../support/visitor.ts";
import { openWorld, type World } from "../support/world.ts";

const DELIVERABLE = join(import.meta.dirname, "../../../examples/password-reset/strict/deliverable");

describe("a delivery that is being put together", function () {
  this.timeout(90_000);
  let world: World;
  let visitor: Visitor;
  let agreementId: Hex;

  before(async () => {
    world = await openWorld();
  });
  beforeEach(async () => {
    ({ agreementId } = await fundedDeal(world.stack));
    visitor = await visit(world, { key: world.stack.cast.seller.privateKey });
    await visitor.goto(`/agreement/${agreementId}`);
    await visitor.connect();
    await openAct(visitor, "Deliver the work");
  });
  afterEach(() => visitor.leave());

  const files = () => visitor.page.getByRole("list", { name: "Files of the delivery" }).getByRole("listitem");
  const kept = (): Promise<string[]> =>
    visitor.page.evaluate(() =>
      Object.keys(sessionStorage).filter((key) => key.startsWith("assay/delivery/")),
    );

  it("takes a folder and a file that are dropped on it, each by its path", async () => {
    await dropOn(visitor, ".drop", [DELIVERABLE, join(DELIVERABLE, "../../agreement.json")]);
    await files().filter({ hasText: "agreement.json" }).waitFor();
    const names = await files().locator(".path").allTextContents();
    expect(names).to.include("agreement.json");
    expect(names.filter((name) => name.startsWith("deliverable/")).length).to.be.greaterThan(0);
  });

  it("survives a reload of its tab, is nowhere else, and is forgotten once it is delivered", async () => {
    const { page } = visitor;
    await dropOn(visitor, ".drop", [DELIVERABLE]);
    await files().first().waitFor();
    await page.getByLabel("Summary").fill("All of it.");
    await page.getByText("It stays in this tab").waitFor();
    const count = await files().count();

    await page.reload();
    await openAct(visitor, "Deliver the work");
    await files().first().waitFor();
    expect(await files().count()).to.equal(count);
    expect(await page.getByLabel("Summary").inputValue()).to.equal("All of it.");
    expect(await kept()).to.have.lengthOf(1);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.to.include("All of it.");
    await visitor.checkAccess();

    await page.getByText("Everything that code decides passes").waitFor();
    await page.getByRole("button", { name: "Deliver", exact: true }).click();
    await untilStatus(world.stack, agreementId, "Released");
    expect(await kept()).to.deep.equal([]);
  });

  it("loses nothing that is added while files are read", async () => {
    await visitor.page.getByLabel("Choose files …").evaluate((element) => {
      const input = element as HTMLInputElement;
      for (const name of ["first.txt", "second.txt"]) {
        const held = new DataTransfer();
        held.items.add(new File(["text"], name, { type: "text/plain" }));
        input.files = held.files;
        input.dispatchEvent(new Event("change", { bubbles: true }));
      }
    });
    await files().filter({ hasText: "second.txt" }).waitFor();
    expect(await files().locator(".path").allTextContents()).to.have.members(["first.txt", "second.txt"]);
  });

  it("shows the hash of what a file is now, also when another took its name", async () => {
    const choose = (text: string): Promise<void> =>
      visitor.page
        .getByLabel("Choose files …")
        .setInputFiles([{ name: "a.ts", mimeType: "text/plain", buffer: Buffer.from(text) }]);
    await choose("one");
    await files().filter({ hasText: "3 bytes" }).waitFor();
    const before = await files().locator(".hash").textContent();
    await choose("three");
    await files().filter({ hasText: "5 bytes" }).waitFor();
    expect(await files().locator(".hash").textContent()).not.to.equal(before);
  });
});
