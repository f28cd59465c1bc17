import { expect } from "chai";
import type { Hex } from "@assay/protocol";
import type { Visitor } from "./visitor.ts";

/** What the buyer of a test writes. */
export interface Order {
  readonly seller: string;
  readonly reward?: string;
  /** Name of the button in the form. */
  readonly example?: "Example: code" | "Example: a text";
}

/** Writes an agreement from an example and goes to its review. The buyer is connected. */
export async function write(
  visitor: Visitor,
  { seller, reward = "25", example = "Example: code" }: Order,
): Promise<void> {
  const { page } = visitor;
  await visitor.goto("/new");
  await page.getByRole("button", { name: example }).click();
  await page.getByLabel("Seller’s address").fill(seller);
  await page.getByLabel("Reward in USDC").fill(reward);
  await page.getByRole("group", { name: "Deliver within" }).getByRole("button", { name: "30 days" }).click();
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByRole("heading", { name: "What is signed, exactly" }).waitFor();
}

/** Goes on from the review to where the wallet is asked. */
export async function goToFund({ page }: Visitor): Promise<void> {
  await page.getByRole("button", { name: "Go on to fund it" }).click();
  await page.getByRole("heading", { name: /^Lock / }).waitFor();
}

/** Opens the agreement once it is funded, and gives its id. */
export async function openFunded({ page }: Visitor): Promise<Hex> {
  await page.getByText("The agreement is funded").waitFor();
  await page.getByRole("link", { name: "Open the agreement" }).click();
  await page.waitForURL(/\/agreement\/0x[0-9a-f]{64}/);
  return idIn(page.url());
}

/** Writes an agreement and funds it in the way that is offered first. */
export async function writeAndFund(visitor: Visitor, order: Order): Promise<Hex> {
  await write(visitor, order);
  await goToFund(visitor);
  await visitor.page.getByRole("button", { name: "Sign and fund" }).click();
  return openFunded(visitor);
}

function idIn(url: string): Hex {
  const id = /\/agreement\/(0x[0-9a-f]{64})/.exec(url)?.[1];
  expect(id, url).to.not.equal(undefined);
  return id as Hex;
}

/** Opens an act on the agreement's page. */
export async function openAct({ page }: Visitor, title: string): Promise<void> {
  const act = page.locator("details.act", { has: page.locator("summary", { hasText: title }) });
  await act.waitFor();
  if ((await act.getAttribute("open")) === null) await act.locator("summary").first().click();
}

/** Puts the files of a folder into the delivery. */
export async function chooseFolder({ page }: Visitor, folder: string): Promise<void> {
  await page.getByLabel("Choose a folder …").setInputFiles(folder);
  await page.getByRole("list", { name: "Files of the delivery" }).waitFor();
}

/** Drops files and folders of this machine on a part of the page, as the desktop does. */
export async function dropOn({ page, context }: Visitor, selector: string, paths: string[]): Promise<void> {
  const target = page.locator(selector);
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (box === null) throw new Error(`${selector} is not on the page`);
  const session = await context.newCDPSession(page);
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", {
      type,
      x: box.x + box.width / 2,
      y: box.y + 10,
      data: { items: [], files: paths, dragOperationsMask: 1 },
    });
  await session.detach();
}
