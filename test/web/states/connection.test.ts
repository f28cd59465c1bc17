import { expect } from "chai";
import { goToFund, write } from "../support/steps.ts";
import { visit, type Visitor, type VisitorOptions } from "../support/visitor.ts";
import { openWorld, type World } from "../support/world.ts";

describe("the wallet's states, as the page shows them", function () {
  this.timeout(60_000);
  let world: World;
  let visitor: Visitor;

  before(async () => {
    world = await openWorld();
  });
  afterEach(() => visitor.leave());

  async function arrive(path: string, options: VisitorOptions = {}): Promise<Visitor> {
    visitor = await visit(world, options);
    await visitor.goto(path);
    return visitor;
  }
  const buyerKey = (): string => world.stack.cast.buyer.privateKey;

  it("no wallet: says how to get one, and lets everything else be done", async () => {
    const { page, shot, checkAccess } = await arrive("/new");
    await page.getByRole("button", { name: "Connect a wallet" }).click();
    await page.getByText("This browser has no wallet").waitFor();
    await page.getByRole("button", { name: "Look again" }).click();
    await checkAccess();
    await shot("no-wallet");
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Example: code" }).click();
    expect(await page.getByLabel("Title", { exact: true }).inputValue()).to.include("Password reset");
  });

  it("disconnected: nobody is asked on loading, and the review says what the wallet is for", async () => {
    const { page, wallet } = await arrive("/new", { key: buyerKey() });
    await page.getByRole("button", { name: "Example: code" }).click();
    await page.getByLabel("Seller’s address").fill(world.stack.cast.seller.address);
    await page.getByLabel("Reward in USDC").fill("1");
    await page
      .getByRole("group", { name: "Deliver within" })
      .getByRole("button", { name: "30 days" })
      .click();
    await page.getByRole("button", { name: "Review" }).click();
    await page.getByText("Connect a wallet to see the agreement in full").waitFor();
    expect(wallet?.prompts).to.deep.equal([]);
    await visitor.checkAccess();
    await page.getByRole("main").getByRole("button", { name: "Test Wallet" }).click();
    await page.getByRole("heading", { name: "What is signed, exactly" }).waitFor();
  });

  it("rejected: says so, and connects when asked again", async () => {
    const { page, wallet, checkAccess, shot } = await arrive("/new", { key: buyerKey() });
    wallet?.answer("reject");
    await page.getByRole("button", { name: "Connect a wallet" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Test Wallet" }).click();
    await page.getByText("You said no in your wallet.").waitFor();
    await checkAccess();
    await shot("connection-rejected");
    wallet?.answer("approve");
    await page.getByRole("dialog").getByRole("button", { name: "Test Wallet" }).click();
    await page.getByRole("button", { name: /^Your wallet: 0x/ }).waitFor();
  });

  it("wrong network: nothing can be sent until the wallet has changed, on a click", async () => {
    const { page, wallet, checkAccess, shot } = await arrive("/new", { key: buyerKey(), chainId: 1 });
    await page.getByRole("button", { name: "Connect a wallet" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Test Wallet" }).click();
    await page.getByRole("button", { name: "Your wallet: wrong network" }).click();
    await page.getByText("Your wallet is on another network").waitFor();
    await checkAccess();
    await shot("wrong-network");
    wallet?.answer("reject");
    await page.getByRole("button", { name: "Change to Localnet" }).click();
    await page.getByText("You stayed on the other network.").waitFor();
    wallet?.answer("approve");
    await page.getByRole("button", { name: "Change to Localnet" }).click();
    await page.getByText("Your wallet is on another network").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: /^Your wallet: 0x/ }).waitFor();
  });

  it("comes back after a reload without asking anybody, and stays away after disconnecting", async () => {
    const { page, wallet, connect, goto } = await arrive("/new", { key: buyerKey() });
    await connect();
    const asked = wallet?.prompts.length;
    await goto("/new");
    await page.getByRole("button", { name: /^Your wallet: 0x/ }).click();
    expect(wallet?.prompts.length).to.equal(asked);
    await page.getByRole("button", { name: "Disconnect" }).click();
    await goto("/new");
    await page.getByRole("button", { name: "Connect a wallet" }).waitFor();
  });

  it("follows the wallet to another account, of which the same terms make another agreement", async () => {
    const { page, wallet, connect } = await arrive("/new", { key: buyerKey() });
    await connect();
    await write(visitor, { seller: world.stack.cast.seller.address });
    const idOf = (): Promise<string | null> =>
      page.getByText("Agreement’s id").locator("xpath=following-sibling::dd").textContent();
    const before = await idOf();
    await goToFund(visitor);
    await wallet?.useAccount(world.stack.cast.guests[0]!.privateKey);
    await page.getByText("Only the buyer can do this").waitFor();
    await visitor.checkAccess();
    await wallet?.useAccount(buyerKey());
    await page.getByRole("button", { name: "Sign and fund" }).waitFor();
    await page.getByRole("button", { name: "Back", exact: true }).click();
    expect(await idOf()).to.equal(before);
  });
});
