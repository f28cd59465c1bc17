import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { walk, type Walk } from "../../../scripts/local/walk.ts";
import { writeProfile } from "../../../scripts/local/profile.ts";
import { fundedDeal, passTime } from "../support/chain.ts";
import { visit, type Size, type Visitor, type VisitorOptions } from "../support/visitor.ts";
import { openWorld, type World } from "../support/world.ts";

const LONG = { timeout: 60_000 };
const ASSAY = join(import.meta.dirname, "../../../cli/src/bin/assay.ts");

describe("an auditor, who has no wallet and believes nobody", function () {
  this.timeout(180_000);
  let world: World;
  let passed: Walk;
  let failed: Walk;
  let folder: string;
  const visitors: Visitor[] = [];

  before(async () => {
    world = await openWorld();
    folder = await mkdtemp(join(tmpdir(), "assay-auditor-"));
    passed = await walk(world.stack, "password-reset/strict", () => undefined);
    failed = await walk(world.stack, "password-reset/lenient", () => undefined);
  });
  after(() => rm(folder, { recursive: true, force: true }));
  afterEach(async () => {
    for (const visitor of visitors.splice(0)) await visitor.leave();
  });

  async function arrive(path: string, options: VisitorOptions = {}): Promise<Visitor> {
    const visitor = await visit(world, options);
    visitors.push(visitor);
    await visitor.goto(path);
    return visitor;
  }

  async function recompute(page: Page, button = "Recompute every step"): Promise<void> {
    await page.getByRole("button", { name: button }).click();
    await page.getByText(/\d+ passed, \d+ failed, \d+ not checked/).waitFor(LONG);
  }

  const results = (page: Page, result: string): Promise<string[]> =>
    page
      .locator(`[data-step][data-result=${result}]`)
      .evaluateAll((steps) => steps.map((step) => step.getAttribute("data-step") ?? ""));

  const origins = (urls: readonly string[]) => (url: URL) =>
    urls.some((other) => new URL(other).origin === url.origin);

  for (const size of ["desktop", "phone"] as Size[]) {
    it(`${size}: finds an agreement by its id, reads it, and recomputes its verdict`, async () => {
      const { page, shot, checkAccess } = await arrive("/", { size });
      await page.getByLabel("Look up an agreement").fill(passed.agreementId);
      await page.getByRole("button", { name: "Look up" }).click();
      await page.getByRole("heading", { name: "Password reset for the members' area" }).waitFor(LONG);
      await page.getByText("Pass: the work meets the agreement").waitFor();
      await page.getByText("25 USDC went to the seller.").waitFor();
      await page.getByText("unless a model was configured, its judge is “rules”").first().waitFor();
      const timeline = page.locator(".timeline");
      for (const moment of ["Funded", "Delivered", "Judged, finally", "Certified", "Paid"])
        await timeline.getByText(moment, { exact: true }).waitFor();
      await recompute(page);
      expect(await results(page, "FAIL")).to.deep.equal([]);
      expect(await results(page, "NOT_CHECKED")).to.deep.equal([]);
      expect((await results(page, "PASS")).length).to.be.greaterThan(25);
      const step = page.locator("[data-step=verdictHash]");
      expect(await step.locator("dd").allTextContents()).to.deep.equal([
        passed.verdictHash,
        passed.verdictHash,
      ]);
      await shot("auditor-recomputed");
      await checkAccess();
    });
  }

  it("recomputes with all operators away, once somebody has handed over the documents", async () => {
    const { stack } = world;
    const { page, shot, checkAccess } = await arrive(`/agreement/${failed.agreementId}`, {
      offline: origins(stack.operators.map(({ url }) => url)),
    });
    await page.locator("[data-situation=operators_down]").waitFor(LONG);
    await page.locator("[data-situation=document_missing]").waitFor();
    await recompute(page);
    expect(await results(page, "NOT_CHECKED")).to.include("agreementHash");
    const [operator] = stack.operators;
    const files = await Promise.all(
      [failed.agreementHash, failed.submissionHash].map(async (hash, index) => {
        const path = join(folder, `${index}.json`);
        await writeFile(path, await (await fetch(`${operator?.url ?? ""}/v1/documents/${hash}`)).text());
        return path;
      }),
    );
    await page.getByLabel("Add a document that could not be had").setInputFiles(files);
    await page.locator("[data-step=agreementHash][data-result=PASS]").waitFor(LONG);
    await page.getByText("Everything follows").waitFor(LONG);
    expect(await results(page, "FAIL")).to.deep.equal([]);
    await shot("auditor-operators-down");
    await checkAccess();
  });

  it("saves the evidence, and recomputes it elsewhere without any network", async () => {
    const { page } = await arrive(`/agreement/${passed.agreementId}`);
    await recompute(page);
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save the evidence as a bundle" }).click();
    const path = join(folder, "bundle.json");
    await (await saving).saveAs(path);

    const elsewhere = await arrive("/recompute", {
      offline: (url) => url.origin !== new URL(world.served.url).origin,
    });
    await elsewhere.page.getByLabel("A bundle, or an agreement").setInputFiles(path);
    await recompute(elsewhere.page, "Recompute it by itself");
    await elsewhere.page.getByText("Everything follows").waitFor(LONG);
    await elsewhere.shot("auditor-offline-bundle");
    await elsewhere.checkAccess();

    const forged = join(folder, "forged.json");
    await writeFile(
      forged,
      (await readFile(path, "utf8")).replace('\\"outcome\\":\\"PASS\\"', '\\"outcome\\":\\"FAIL\\"'),
    );
    const doubter = await arrive("/recompute");
    await doubter.page.getByLabel("A bundle, or an agreement").setInputFiles(forged);
    await recompute(doubter.page, "Recompute it by itself");
    await doubter.page.getByText("A step does not hold").waitFor(LONG);
    expect(await results(doubter.page, "FAIL")).to.include("adjudicationHash");
    await doubter.shot("auditor-forged-bundle");
    await doubter.checkAccess();
  });

  it("says of a file that is no bundle what is wrong with it", async () => {
    const { page, checkAccess } = await arrive("/recompute");
    const nested = join(folder, "nested.json");
    await writeFile(nested, "[".repeat(1_000_000));
    await page.getByLabel("A bundle, or an agreement").setInputFiles(nested);
    await page.getByRole("alert").getByText("nested.json").waitFor();
    await checkAccess();
  });

  it("finds a verdict by its hash, and prints it", async () => {
    const { page, shot, checkAccess } = await arrive("/");
    await page.getByLabel("Look up an agreement").fill(failed.verdictHash);
    await page.getByRole("button", { name: "Look up" }).click();
    await page.getByRole("search").getByRole("link", { name: failed.agreementId }).click();
    await page.waitForURL(/\/verdict\//);
    await page.getByText("Fail: the work does not meet the agreement").waitFor(LONG);
    await shot("auditor-verdict");
    await checkAccess();
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("nav").isVisible()).to.equal(false);
    expect(await page.getByText(failed.verdictHash).first().isVisible()).to.equal(true);
    await shot("auditor-verdict-printed");
  });

  it("sees a party's reputation, the same as the command line's", async () => {
    const { stack } = world;
    const profile = join(folder, "localnet.json");
    await writeProfile(stack, profile);
    const seller = stack.cast.seller.address;
    const { page, shot, checkAccess } = await arrive(`/party/${seller}`);
    await page.getByRole("heading", { name: "Completed as a seller" }).waitFor(LONG);
    const command = [ASSAY, "reputation", seller, "--network", profile];
    const { stdout: out } = await promisify(execFile)(process.execPath, command);
    const told = /completed\s+recent (.+?)\s{2,}all (.+?)\s{2,}by volume (.+)/.exec(out);
    expect(told, out).to.not.equal(null);
    const row = page.getByRole("row", { name: /^Completed, as a seller/ });
    expect(await row.getByRole("cell").allTextContents()).to.deep.equal(
      told?.slice(1, 4).map((one) => one.trim()),
    );
    await page.getByText("As a table").first().click();
    await shot("auditor-party");
    await checkAccess();
  });

  it("reads the times of charts in UTC, wherever one is", async () => {
    const { stack } = world;
    await passTime(stack, 3 * 3_600);
    await fundedDeal(stack);
    const axis = async (timezoneId: string): Promise<string> => {
      const { page } = await arrive(`/party/${stack.cast.seller.address}`, { timezoneId });
      await page.locator(".chart").first().waitFor(LONG);
      return (await page.locator(".chart svg > text").allTextContents()).join(" ");
    };
    const deadline = performance.now() + LONG.timeout;
    for (;;) {
      const [here, there] = await Promise.all([axis("UTC"), axis("Asia/Kathmandu")]);
      // Hours are there once the index has seen that they have passed.
      const hasHours = /\d\d (AM|PM)|\d\d:\d\d|[A-Z][a-z]+ \d\d/.test(here);
      if ((hasHours && here === there) || performance.now() > deadline) {
        expect([hasHours, there]).to.deep.equal([true, here]);
        return;
      }
    }
  });

  it("is told that the index is gone, and reads on from the chain", async () => {
    const { stack } = world;
    const { page, shot, checkAccess } = await arrive("/totals", { offline: origins([stack.graph.queryUrl]) });
    await page.getByText("The index gives no answer").waitFor(LONG);
    await page.getByText("Solvent: the escrow holds everything that it owes").waitFor(LONG);
    await shot("auditor-index-down");
    await checkAccess();
  });

  it("is told that the chain is gone, and what the index says is marked as unproven", async () => {
    const { stack } = world;
    const { page, shot, checkAccess } = await arrive(`/agreement/${passed.agreementId}`, {
      offline: origins([stack.evm.rpcUrl]),
    });
    await page.getByText("The chain can't be read").waitFor(LONG);
    await page.getByText("The chain does not answer, so none of this is proven.").waitFor(LONG);
    await page.getByText("Paid to the seller").waitFor();
    await shot("auditor-chain-down");
    await checkAccess();
  });

  it("notices that the chain took an event back", async () => {
    const visitor = await visit(world);
    visitors.push(visitor);
    let isTakenBack = false;
    // A node after a reorganisation: the transaction that ended the agreement is in none of its blocks any more.
    await visitor.context.route(
      (url) => url.origin === new URL(world.stack.evm.rpcUrl).origin,
      async (route) => {
        const { method } = (route.request().postDataJSON() ?? {}) as { method?: string };
        if (!isTakenBack || method !== "eth_getLogs") return route.continue();
        const response = await route.fetch();
        const answer = (await response.json()) as { result: { transactionHash: string }[] };
        const result = answer.result.filter((log) => log.transactionHash !== passed.transactions.settle);
        return route.fulfill({ response, json: { ...answer, result } });
      },
    );
    await visitor.goto(`/agreement/${passed.agreementId}`);
    await visitor.page.getByText("Pass: the work meets the agreement").waitFor(LONG);
    isTakenBack = true;
    await visitor.page.locator("[data-situation=reorged]").waitFor(LONG);
    await visitor.shot("auditor-reorged");
    await visitor.checkAccess();
    isTakenBack = false;
    await visitor.page.locator("[data-situation=reorged]").waitFor({ state: "detached", ...LONG });
  });

  for (const colorScheme of ["light", "dark"] as const)
    for (const size of ["desktop", "phone"] as Size[])
      it(`${size}, ${colorScheme}: every page can be used by everybody`, async () => {
        const seller = world.stack.cast.seller.address;
        const pages = {
          home: "/",
          totals: "/totals",
          party: `/party/${seller}`,
          agreement: `/agreement/${failed.agreementId}`,
          verdict: `/verdict/${passed.verdictHash}`,
          recompute: "/recompute",
          missing: "/no/such/page",
        };
        const visitor = await arrive("/", { size, colorScheme });
        for (const [name, path] of Object.entries(pages)) {
          await visitor.goto(path);
          await visitor.page
            .locator("main .loading")
            .first()
            .waitFor({ state: "detached", ...LONG });
          await visitor.shot(`${name}-${colorScheme}`);
          await visitor.checkAccess();
        }
      });
});
