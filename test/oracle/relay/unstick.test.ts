import { expect } from "chai";
import { StrictRelay } from "../support/strict-relay.ts";
import { hash } from "../support/states.ts";

describe("a relayer's send without a receipt, where nonces are strict", () => {
  let relay: StrictRelay;
  beforeEach(() => {
    relay = new StrictRelay();
  });
  afterEach(() => relay.store.close());

  const typesOf = (step: Awaited<ReturnType<StrictRelay["watch"]>>) =>
    step !== null && "events" in step ? step.events.map(({ type }) => type) : [];

  it("goes out again with the same bytes every half minute", async () => {
    const submission = await relay.sent(0);
    relay.price = 10n ** 9n;
    await relay.watch(submission, 50);
    expect(relay.sends).to.have.length(2);
    expect(new Set(relay.sends.map((sent) => sent.hash)).size).to.equal(1);
  });

  it("is offered for an eighth more every minute, under the same nonce and with the same call", async () => {
    const submission = await relay.sent(0);
    relay.price = 10n ** 9n;
    await relay.watch(submission, 150);
    const prices = [...new Set(relay.sends.map((sent) => sent.gasPrice))];
    expect(prices).to.deep.equal([1_000n, 1_126n, 1_267n]);
    expect(new Set(relay.sends.map(({ nonce, data }) => `${nonce} ${data}`)).size).to.equal(1);
  });

  it("is found by the receipt of whichever of its bytes got into a block", async () => {
    const submission = await relay.sent(0);
    relay.price = 1_100n;
    await relay.watch(submission, 80);
    relay.mine();
    const step = await relay.watch(submission, 20);
    expect(typesOf(step)).to.deep.equal(["JudgeTransactionFound"]);
    expect(relay.nonce).to.equal(1);
  });

  it("gives its nonce to a transfer of nothing after five prices, and is sent anew only then", async () => {
    const submission = await relay.sent(0);
    relay.price = 1_750n;
    let step = null;
    for (let minute = 0; minute < 9 && step === null; minute++) {
      step = await relay.watch(submission, 60);
      relay.mine();
    }
    expect(typesOf(step)).to.deep.equal(["RelayFailed"]);
    const filler = relay.sends.at(-1)!;
    expect([filler.to, filler.data, filler.value, filler.nonce]).to.deep.equal([relay.relayer, "0x", 0n, 0]);
    expect(relay.nonce).to.equal(1);
  });

  it("is the one that counts when it gets into a block before the transfer that was to replace it", async () => {
    const submission = await relay.sent(0);
    relay.price = 10n ** 9n;
    await relay.watch(submission, 330);
    expect(relay.sends.at(-1)!.data, "a filler waits").to.equal("0x");
    relay.price = 0n;
    relay.mineThese(relay.sends[0]!);
    const step = await relay.watch(submission, 20);
    expect(typesOf(step)).to.deep.equal(["JudgeTransactionFound"]);
  });

  it("is never raised above ten times its first price", async () => {
    const submission = await relay.sent(0);
    relay.price = 10n ** 12n;
    await relay.watch(submission, 3_600);
    const highest = relay.sends.reduce((most, { gasPrice }) => (gasPrice! > most ? gasPrice! : most), 0n);
    expect(highest <= 11_260n).to.equal(true);
    expect(relay.sends.at(-1)!.gasPrice, "the cap never stops re-sending").to.equal(highest);
  });

  it("fails when another transaction took its nonce, but not before that has settled for a minute", async () => {
    const submission = await relay.sent(0);
    relay.burn(1);
    expect(await relay.watch(submission, 50)).to.equal(null);
    const step = await relay.watch(submission, 30);
    expect(typesOf(step)).to.deep.equal(["RelayFailed"]);
    expect(relay.sends, "a used nonce is never sent again").to.have.length(1);
  });

  it("waits behind an earlier send that is under way, and fills nothing", async () => {
    await relay.sent(0);
    const later = await relay.sent(1);
    relay.price = 10n ** 9n;
    await relay.watch(later, 200);
    expect(relay.sends.some(({ data }) => data === "0x")).to.equal(false);
    expect(relay.sends.filter(({ nonce }) => nonce === 0)).to.have.length(1);
  });

  it("gets into a block once the gap that a given-up send left below it is filled", async () => {
    const earlier = await relay.sent(0);
    const later = await relay.sent(1);
    relay.forget();
    await relay.giveUp(earlier);
    await relay.watch(later, 80);
    relay.mine();
    expect(relay.nonce).to.equal(2);
    expect(typesOf(await relay.watch(later, 20))).to.deep.equal(["JudgeTransactionFound"]);
    expect(relay.sends.filter(({ data }) => data === "0x").every(({ nonce }) => nonce === 0)).to.equal(true);
  });

  it("goes out again although the clock was set back an hour", async () => {
    const submission = await relay.sent(0);
    relay.price = 10n ** 9n;
    relay.now -= 3_600_000;
    await relay.look(submission);
    await relay.look(submission);
    expect(relay.sends.length).to.be.greaterThan(1);
  });

  it("takes the id from the receipt as soon as it is there", async () => {
    const submission = await relay.sent(0);
    relay.mine();
    const step = await relay.look(submission);
    expect("events" in step && step.events[0]).to.deep.equal({
      type: "JudgeTransactionFound",
      judgeTx: hash(0x99),
    });
  });
});
