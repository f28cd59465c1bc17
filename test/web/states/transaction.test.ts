import { expect } from "chai";
import type { Deal } from "../../../scripts/local/parties.ts";
import { fundedDeal, pauseMining, send, untilStatus } from "../support/chain.ts";
import { goToFund, openAct, write } from "../support/steps.ts";
import { visit, type Visitor } from "../support/visitor.ts";
import { openWorld, type World } from "../support/world.ts";

describe("a transaction's states, as the page shows them", function () {
  this.timeout(60_000);
  let world: World;
  let seller: Visitor;

  before(async () => {
    world = await openWorld();
  });
  afterEach(() => seller.leave());

  /** A funded agreement, of which the seller is about to accept the terms. */
  async function aboutToAccept(): Promise<Deal> {
    const deal = await fundedDeal(world.stack);
    seller = await visit(world, { key: world.stack.cast.seller.privateKey });
    await seller.goto(`/agreement/${deal.agreementId}`);
    await seller.connect();
    await openAct(seller, "Accept the terms");
    return deal;
  }
  const accept = (): Promise<void> =>
    seller.page.getByRole("button", { name: "Accept", exact: true }).click();
  /** The page has seen that a node holds the transaction, and knows its number by that. */
  const untilKnown = (): Promise<void> =>
    seller.page.getByText("No node here knows").waitFor({ state: "detached" });
  const says = (text: string): Promise<void> => seller.page.getByText(text).first().waitFor();

  it("rejected in the wallet: nothing is sent, and it can be asked again", async () => {
    const deal = await aboutToAccept();
    seller.wallet?.answer("reject");
    await accept();
    await says("You said no in your wallet.");
    await seller.checkAccess();
    await seller.shot("transaction-rejected");
    seller.wallet?.answer("approve");
    await accept();
    await untilStatus(world.stack, deal.agreementId, "Accepted");
  });

  it("asking: says to look at the wallet, and a second click asks nothing", async () => {
    await aboutToAccept();
    seller.wallet?.answer({ afterMilliseconds: 1_500 }, "eth_sendTransaction");
    await accept();
    await says("Look at your wallet");
    expect(await seller.page.getByRole("button", { name: "Accept", exact: true }).isDisabled()).to.equal(
      true,
    );
    await says("Accepted");
    expect(seller.wallet?.prompts.filter(({ method }) => method === "eth_sendTransaction")).to.have.length(1);
  });

  it("pending: goes on being followed after a reload, until it is final", async () => {
    const deal = await aboutToAccept();
    seller.wallet?.hold();
    await accept();
    await says("Sent; waiting for a block");
    await seller.checkAccess();
    await seller.shot("transaction-pending");
    await seller.page.reload();
    await says("Sent; waiting for a block");
    await seller.wallet?.release();
    await says("It is final");
    await untilStatus(world.stack, deal.agreementId, "Accepted");
  });

  it("replaced by a faster copy: followed under its new hash", async () => {
    await aboutToAccept();
    const mining = await pauseMining(world.stack);
    let hash: string | undefined;
    try {
      await accept();
      await says("Sent; waiting for a block");
      await untilKnown();
      hash = await seller.wallet?.replace("faster");
    } finally {
      await mining.resume();
    }
    await says("It is final");
    expect(await seller.page.locator(`code[title="${hash ?? ""}"]`).count()).to.be.at.least(1);
  });

  it("cancelled in the wallet: says so, and it can be begun again", async () => {
    const deal = await aboutToAccept();
    const mining = await pauseMining(world.stack);
    try {
      await accept();
      await says("Sent; waiting for a block");
      await untilKnown();
      await seller.wallet?.replace("cancel");
    } finally {
      await mining.resume();
    }
    await says("You cancelled it in your wallet");
    await seller.checkAccess();
    await seller.shot("transaction-replaced");
    await seller.page.getByRole("button", { name: "Begin again" }).click();
    await accept();
    await untilStatus(world.stack, deal.agreementId, "Accepted");
  });

  it("failed in its block: says why, in words", async () => {
    const deal = await aboutToAccept();
    seller.wallet?.hold();
    await accept();
    await says("Sent; waiting for a block");
    await send(world.stack, world.stack.cast.buyer, "cancel", deal.terms);
    await seller.wallet?.release();
    await says("It failed in its block");
    await says("The agreement has ended: the buyer was refunded.");
  });

  it("reorged: says that the block is gone, and is included again", async () => {
    const deal = await aboutToAccept();
    const mining = await pauseMining(world.stack);
    try {
      await accept();
      await says("Sent; waiting for a block");
      await mining.mine();
      await says("which is not final yet");
      await mining.reorg();
      await says("Its block left the chain");
      await seller.checkAccess();
      await seller.shot("transaction-reorged");
      await seller.wallet?.release();
    } finally {
      await mining.resume();
    }
    await says("It is final");
    await untilStatus(world.stack, deal.agreementId, "Accepted");
  });

  it("a wallet that can't sign typed data: the page offers to approve instead", async () => {
    seller = await visit(world, { key: world.stack.cast.buyer.privateKey });
    await seller.goto("/new");
    await seller.connect();
    await write(seller, { seller: world.stack.cast.seller.address, reward: "1" });
    await goToFund(seller);
    seller.wallet?.answer("refuse", "eth_signTypedData_v4");
    await seller.page.getByRole("button", { name: "Sign and fund" }).click();
    await says("Your wallet does not know how to do this.");
    await seller.page.getByRole("button", { name: "Allow the escrow to take 1 USDC" }).waitFor();
  });
});
