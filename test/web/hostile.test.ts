import { expect } from "chai";
import type { Locator } from "playwright-core";
import { documentHash } from "@assay/protocol";
import { deliveryFor, publish } from "../../scripts/local/parties.ts";
import { fundedDeal, send, untilStatus } from "./support/chain.ts";
import { openAct } from "./support/steps.ts";
import { visit, type Visitor } from "./support/visitor.ts";
import { openWorld, type World } from "./support/world.ts";

const SCRIPT = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>';
const LINK = "javascript:window.pwned=1";
/** Turns the direction of everything after it. */
const RTL = "\u202Eevitisop ton si siht\u202C";
const LINES = 100_000;
/** Milliseconds until a large text stands there: short of what people take for a page that hangs. */
const SHOWN_WITHIN = 1_000;

describe("documents that mean harm", function () {
  this.timeout(90_000);
  let world: World;
  let visitor: Visitor;

  before(async () => {
    world = await openWorld();
  });
  afterEach(async () => {
    expect(await visitor.page.evaluate(() => "pwned" in window)).to.equal(false);
    await visitor.leave();
  });

  const file = (name: string, buffer: Buffer | string) => ({
    name,
    mimeType: "text/plain",
    buffer: Buffer.from(buffer),
  });

  /** Milliseconds from an action until the page has painted what came of it. */
  const tookUntilPainted = (target: Locator, act: "click" | "scroll to the end"): Promise<number> =>
    target.evaluate(
      (element, what) =>
        new Promise<number>((resolve) => {
          const start = performance.now();
          if (what === "click") (element as HTMLElement).click();
          else element.scrollTo(0, element.scrollHeight);
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
        }),
      act,
    );

  async function sellerAt(id: string): Promise<Visitor> {
    visitor = await visit(world, { key: world.stack.cast.seller.privateKey });
    await visitor.goto(`/agreement/${id}`);
    await visitor.connect();
    return visitor;
  }

  it("markup and turned text in an agreement are text, in one direction", async () => {
    const deal = await fundedDeal(world.stack, {
      title: `${SCRIPT} ${RTL}`,
      task: `${SCRIPT}\n${LINK}\n${RTL}`,
      requirements: [
        { id: "A", text: `${SCRIPT} ${RTL} ${LINK}` },
        { id: "B", text: "x", check: { type: "string_present", needle: `${SCRIPT}${RTL}` } },
      ],
      evidenceRequired: [SCRIPT, RTL],
    });
    const { page, checkAccess, shot } = await sellerAt(deal.agreementId);
    await openAct(visitor, "Deliver the work");
    await page.getByText("<img src=x").first().waitFor();
    expect(await page.locator("main img, main script, main a[href^=javascript]").count()).to.equal(0);
    expect(await page.locator("main").innerText()).to.not.include("\u202E");
    await checkAccess();
    await shot("hostile-agreement");
  });

  it("markup and turned text in a delivery's names and words are text too, and are judged", async () => {
    const deal = await fundedDeal(world.stack);
    const delivery = deliveryFor(deal, {
      summary: `${SCRIPT}\n${RTL}`,
      files: { [`${RTL}.ts`]: SCRIPT, "a<b>.txt": `${LINK}\n${"<b>".repeat(1_000)}` },
      links: [],
      evidence: [{ source: LINK, claim: SCRIPT, content: RTL }],
    });
    await publish(world.stack.operators[0]?.url ?? "", delivery);
    await send(world.stack, world.stack.cast.seller, "submit", deal.terms, documentHash(delivery));
    await untilStatus(world.stack, deal.agreementId, "Refunded");
    const { page, checkAccess } = await sellerAt(deal.agreementId);
    await page.getByText("The agreement has ended").waitFor();
    expect(await page.locator("main img, main script, main a[href^=javascript]").count()).to.equal(0);
    expect(await page.locator("main").innerText()).to.not.include("\u202E");
    await checkAccess();
  });

  it("a file of 100,000 lines is examined and delivered without being shown", async () => {
    const deal = await fundedDeal(world.stack);
    const { page } = await sellerAt(deal.agreementId);
    await openAct(visitor, "Deliver the work");
    const lines = "abc\n".repeat(LINES);
    await page.getByLabel("Choose files …").setInputFiles([file("long.ts", lines), file("src.ts", "a")]);
    await page.getByText("requirements fail: this delivery can only lose").waitFor();
    await page.getByRole("button", { name: "Deliver", exact: true }).click();
    await untilStatus(world.stack, deal.agreementId, "Refunded");
    await page.getByText("The agreement has ended").waitFor();
    expect(await page.evaluate(() => document.body.innerText.split("\n").length)).to.be.below(3_000);
  });

  for (const [name, text] of Object.entries({
    "40,000 lines": "const x = 1;\n".repeat(40_000),
    "a single line": "const x = 1; ".repeat(40_000),
  }))
    it(`a file of 470 KiB in ${name} is cut, tells how much is hidden, and is shown whole without a freeze`, async () => {
      const content = text.slice(0, 470 * 1024);
      const deal = await fundedDeal(world.stack);
      const delivery = deliveryFor(deal, {
        summary: "",
        files: { "large.ts": content },
        links: [],
        evidence: [],
      });
      await publish(world.stack.operators[0]?.url ?? "", delivery);
      await send(world.stack, world.stack.cast.seller, "submit", deal.terms, documentHash(delivery));
      const { page, shot } = await sellerAt(deal.agreementId);
      await page.locator("summary").filter({ hasText: "large.ts" }).click();
      const file = page.getByRole("region", { name: "The file large.ts" });
      const shown = ((await file.textContent()) ?? "").length;
      const more = page.getByRole("button", { name: /^Show all of it \(/ });
      expect(await more.innerText()).to.include((content.length - shown).toLocaleString("en-US"));
      expect(await tookUntilPainted(more, "click")).to.be.below(SHOWN_WITHIN);
      expect(await tookUntilPainted(file, "scroll to the end")).to.be.below(SHOWN_WITHIN);
      expect(await file.evaluate((pre) => pre.textContent.replaceAll("\n", "").length)).to.equal(
        content.replaceAll("\n", "").length,
      );
      await shot(`large-${name === "a single line" ? "line" : "lines"}`);
    });

  it("names and bytes that fit no delivery are left out, with the reason, and the rest stays", async () => {
    const deal = await fundedDeal(world.stack);
    const { page, checkAccess, shot } = await sellerAt(deal.agreementId);
    await openAct(visitor, "Deliver the work");
    await page
      .getByLabel("Choose files …")
      .setInputFiles([
        file("good.ts", "export {};"),
        file("archive.zip", Buffer.from([0x50, 0x4b, 0x03, 0x04, 0xff, 0xfe])),
        file("huge.txt", Buffer.alloc(600 * 1024, 97)),
        file(`${RTL}.ts`, "turned"),
      ]);
    await page.getByText("2 left out").waitFor();
    await page.getByText("It is no UTF-8 text.").waitFor();
    await page.getByText("more than 512 KiB").waitFor();
    expect(await page.getByRole("list", { name: "Files of the delivery" }).innerText()).to.not.include(
      "\u202E",
    );
    await checkAccess();
    await shot("files-left-out");
  });

  it("JSON that nests without end is refused in words, and so is a submission for another agreement", async () => {
    const deal = await fundedDeal(world.stack);
    const other = await fundedDeal(world.stack);
    const { page } = await sellerAt(deal.agreementId);
    await openAct(visitor, "Deliver the work");
    const open = (text: string): Promise<void> =>
      page.getByLabel("A whole submission (JSON) …").setInputFiles([file("submission.json", text)]);
    await open(`{"schema":${"[".repeat(200_000)}${"]".repeat(200_000)}}`);
    await page.getByText("That can’t be opened").waitFor();
    const foreign = deliveryFor(other, { summary: "", files: { a: "b" }, links: [], evidence: [] });
    await open(new TextDecoder().decode(foreign));
    await page.getByText(`not ${deal.agreementId}`).waitFor();
    const own = deliveryFor(deal, { summary: "s", files: { "a.ts": "b" }, links: [], evidence: [] });
    await open(new TextDecoder().decode(own));
    await page.getByRole("list", { name: "Files of the delivery" }).waitFor();
    expect(await page.getByText("That can’t be opened").count()).to.equal(0);
  });

  it("a delivery of 512 KiB is packed and hashed in less than 200 ms", async () => {
    const deal = await fundedDeal(world.stack);
    const { page } = await sellerAt(deal.agreementId);
    await openAct(visitor, "Deliver the work");
    await page
      .getByLabel("Choose files …")
      .setInputFiles([file("large.ts", "const x = 1;\n".repeat(40_000).slice(0, 470 * 1024))]);
    await page.getByText("this delivery can only lose").waitFor();
    const took = await page.evaluate(() =>
      Math.max(...performance.getEntriesByName("assay/pack", "measure").map(({ duration }) => duration)),
    );
    expect(took).to.be.within(1, 200);
  });
});
