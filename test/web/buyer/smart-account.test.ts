import { expect } from "chai";
import { untilStatus } from "../support/chain.ts";
import { goToFund, openFunded, write } from "../support/steps.ts";
import { visit } from "../support/visitor.ts";
import { openWorld } from "../support/world.ts";

/** What EIP-7702 writes to an account that lets a contract's code act for it. */
const DELEGATION = "0xef0100";

describe("a buyer whose account signs through code (EIP-7702)", function () {
  this.timeout(60_000);

  it("is offered to approve and fund, and nothing that its signature could not do", async () => {
    const { stack, ...world } = await openWorld();
    const owner = stack.cast.guests[2]!;
    await stack.token.mint(owner.address, 2_000_000n);
    await stack.venue.provider.send("anvil_setCode", [
      owner.address,
      `${DELEGATION}${stack.venue.quorum.slice(2)}`,
    ]);
    const buyer = await visit({ stack, ...world }, { key: owner.privateKey });
    await buyer.goto("/new");
    await buyer.connect();
    await write(buyer, { seller: stack.cast.seller.address, reward: "2" });
    await goToFund(buyer);
    await buyer.page.getByText("Your account is a smart account").first().waitFor();
    expect(await buyer.page.getByLabel(/ERC-3009/).isDisabled()).to.equal(true);
    await buyer.checkAccess();
    await buyer.page.getByRole("button", { name: "Allow the escrow to take 2 USDC" }).click();
    await buyer.page.getByRole("button", { name: "Fund", exact: true }).click();
    const id = await openFunded(buyer);
    await untilStatus(stack, id, "Funded");
    expect(buyer.wallet?.signed).to.equal(null);
    await buyer.leave();
  });
});
