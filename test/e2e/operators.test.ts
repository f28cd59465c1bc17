import { expect } from "chai";
import type { Address } from "@assay/protocol";
import { balanceOf, expire, type Deal } from "../../scripts/local/parties.ts";
import type { Stack } from "../../scripts/local/stack.ts";
import { REWARD } from "../../scripts/local/walk.ts";
import { createGate, type Gate } from "./support/gate.ts";
import { startLiar } from "./support/impostor.ts";
import {
  certificatesOf,
  deliver,
  fundedDeal,
  operatorUrl,
  passTime,
  statusOf,
  untilSettled,
  untilState,
} from "./support/scene.ts";
import { openStack } from "./support/world.ts";

const HOUR = 3600;
/** The operator that fails; the first two stay honest and up. */
const FAILING = 2;

describe("three operators of which two have to sign, end to end", function () {
  this.timeout(120_000);
  let stack: Stack;
  const gates: Gate[] = [];

  before(async () => {
    stack = await openStack();
  });
  after(async () => {
    await stack.restartOperator(FAILING, "stop", {
      ASSAY_EVM_RPC_URL: stack.evm.rpcUrl,
      ASSAY_GENLAYER_RPC_URL: stack.genlayer.rpcUrl,
    });
    await Promise.all(gates.map((gate) => gate.close()));
  });

  const sellerHolds = (): Promise<bigint> => balanceOf(stack.venue, stack.cast.seller.address as Address);

  async function expectPaidOnce(deal: Deal, before: bigint): Promise<void> {
    expect((await sellerHolds()) - before).to.equal(REWARD);
    expect(await certificatesOf(stack, deal)).to.have.length(1);
    expect(await statusOf(stack, deal)).to.equal("Released");
  }

  it("serve the same operators.json, which announces all of them", async () => {
    const lists = await Promise.all(
      stack.operators.map(async ({ url }) => (await fetch(`${url}/v1/operators`)).json() as Promise<object>),
    );
    expect(lists[1]).to.deep.equal(lists[0]);
    expect(lists[2]).to.deep.equal(lists[0]);
    const { members, threshold } = lists[0] as {
      members: { address: string; url: string }[];
      threshold: number;
    };
    expect(threshold).to.equal(2);
    expect(members.map(({ address }) => address)).to.deep.equal(stack.venue.members);
    expect(members.map(({ url }) => url)).to.have.members(stack.operators.map(({ url }) => url));
  });

  it("all come to the same verdict about documents that only one of them was given", async () => {
    const before = await sellerHolds();
    const deal = await fundedDeal(stack, "password-reset/strict", 0);
    await deliver(stack, deal, "password-reset/strict", 1);
    const views = await Promise.all([0, 1, 2].map((operator) => untilSettled(stack, deal, operator)));
    expect(new Set(views.flatMap(({ verdict }) => verdict?.verdictHash ?? [])).size).to.equal(1);
    await expectPaidOnce(deal, before);
  });

  it("settle without the one that is killed, and it agrees once it is back", async () => {
    const before = await sellerHolds();
    await stack.operators[FAILING]?.kill();
    const deal = await fundedDeal(stack, "password-reset/strict");
    await deliver(stack, deal, "password-reset/strict");
    const [one, other] = await Promise.all([untilSettled(stack, deal, 0), untilSettled(stack, deal, 1)]);
    expect(other.verdict?.verdictHash).to.equal(one.verdict?.verdictHash);
    await expectPaidOnce(deal, before);
    await stack.restartOperator(FAILING, "kill");
    await untilSettled(stack, deal, FAILING);
    await expectPaidOnce(deal, before);
  });

  it("settle without the one that is cut off from both chains, and it catches up", async () => {
    const before = await sellerHolds();
    const [evm, genlayer] = [await createGate(stack.evm.rpcUrl), await createGate(stack.genlayer.rpcUrl)];
    gates.push(evm, genlayer);
    await stack.restartOperator(FAILING, "stop", {
      ASSAY_EVM_RPC_URL: evm.url,
      ASSAY_GENLAYER_RPC_URL: genlayer.url,
    });
    for (const gate of gates) gate.shut();
    const deal = await fundedDeal(stack, "password-reset/strict");
    await deliver(stack, deal, "password-reset/strict");
    await Promise.all([untilSettled(stack, deal, 0), untilSettled(stack, deal, 1)]);
    expect((await fetch(`${operatorUrl(stack, FAILING)}/v1/agreements/${deal.agreementId}`)).status).to.equal(
      404,
    );
    expect((await fetch(`${operatorUrl(stack, FAILING)}/readyz`)).status).to.equal(503);
    for (const gate of gates) gate.open();
    await untilSettled(stack, deal, FAILING);
    await expectPaidOnce(deal, before);
  });

  it("pay nobody when one of them signs another outcome: the escrow's clocks decide", async () => {
    const before = await sellerHolds();
    await stack.operators[FAILING]?.stop();
    const keys = stack.cast.operators[FAILING];
    if (!keys) throw new Error("The cast has no third operator");
    const honest = [operatorUrl(stack, 0), operatorUrl(stack, 1)];
    const liar = await startLiar(operatorUrl(stack, FAILING), keys.attester, stack.venue, honest);
    try {
      const deal = await fundedDeal(stack, "password-reset/strict");
      await deliver(stack, deal, "password-reset/strict");
      const views = await Promise.all(
        [0, 1].map((operator) => untilState(stack, deal, "CONFLICT", operator)),
      );
      for (const { reason } of views)
        expect(reason).to.match(
          new RegExp(`^operator ${keys.attester.address} at http://127\\.0\\.0\\.1:\\d+ signed 0x`),
        );
      expect(await statusOf(stack, deal)).to.equal("Submitted");
      await passTime(stack, 3 * HOUR + 1);
      await expire(stack.venue, deal, stack.cast.relayer);
      expect(await statusOf(stack, deal)).to.equal("Split");
      expect((await sellerHolds()) - before).to.equal((REWARD * 4_000n) / 10_000n);
      expect(await certificatesOf(stack, deal)).to.have.length(0);
    } finally {
      await liar.stop();
    }
  });
});
