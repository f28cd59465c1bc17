import { expect } from "chai";
import {
  IDLE,
  isOver,
  isUnderWay,
  nextTransaction,
  type Look,
  type Sent,
  type Transaction,
  type TransactionEvent,
} from "../../../web/src/wallet/transaction.ts";

const WORDS = { message: "No.", hint: "Try again." };
const ACCOUNT = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const hash = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;
const sent: Sent = {
  hash: hash("a"),
  from: ACCOUNT,
  call: { to: ACCOUNT, data: "0x01" },
  nonce: null,
  sinceBlock: 5,
};
const place = { number: 7, hash: hash("7") };
const NOTHING: Look = { receipt: null, isKnown: false, nonce: null, finalHeight: 5, rival: null };

const clicked: TransactionEvent = { type: "clicked" };
const asking: TransactionEvent = { type: "asked", what: "send" };
const isSent: TransactionEvent = { type: "sent", sent };
const looked = (look: Partial<Look>): TransactionEvent => ({ type: "looked", look: { ...NOTHING, ...look } });
const included = looked({
  receipt: { place, succeeded: true, words: WORDS },
  isKnown: true,
  finalHeight: 6,
});
const after = (...events: TransactionEvent[]): Transaction => events.reduce(nextTransaction, IDLE);

describe("a transaction, from the click to the block that stays", () => {
  it("is simulated before the wallet is asked", () => {
    expect(after(clicked).name).to.equal("simulating");
    expect(after(clicked, asking)).to.deep.equal({ name: "asking", what: "send" });
  });

  it("never asks the wallet when the simulation refuses, and says why", () => {
    const refused = after(clicked, { type: "refused", words: WORDS });
    expect(refused).to.deep.equal({ name: "refused", words: WORDS });
    expect(nextTransaction(refused, asking)).to.equal(refused);
  });

  it("tells a no from a failure of the wallet, and either can be tried again", () => {
    for (const type of ["rejected", "failed"] as const) {
      const state = after(clicked, asking, { type, words: WORDS });
      expect(state).to.deep.equal({ name: type, words: WORDS });
      expect(nextTransaction(state, clicked).name).to.equal("simulating");
    }
  });

  it("is pending once it is sent, and learns its nonce when a node knows it", () => {
    expect(after(clicked, asking, isSent)).to.deep.equal({ name: "pending", sent, isKnown: false });
    expect(after(clicked, asking, isSent, looked({ isKnown: true, nonce: 3 }))).to.deep.equal({
      name: "pending",
      sent: { ...sent, nonce: 3 },
      isKnown: true,
    });
  });

  it("goes on after a reload, without a question before it", () => {
    expect(after(isSent).name).to.equal("pending");
  });

  it("is included first, and final only when its block is", () => {
    expect(after(isSent, included)).to.deep.equal({ name: "included", sent, place });
    const final = after(
      isSent,
      included,
      looked({ receipt: { place, succeeded: true, words: WORDS }, finalHeight: 7 }),
    );
    expect(final).to.deep.equal({ name: "final", sent, place });
  });

  it("is never final while the node does not tell what is", () => {
    const look = looked({ receipt: { place, succeeded: true, words: WORDS }, finalHeight: null });
    expect(after(isSent, look).name).to.equal("included");
  });

  it("is reorged when its block leaves the chain, and included again by another one", () => {
    const reorged = after(isSent, included, looked({ isKnown: true }));
    expect(reorged).to.deep.equal({ name: "reorged", sent, was: place });
    expect(nextTransaction(reorged, looked({})).name).to.equal("reorged");
    expect(nextTransaction(reorged, included).name).to.equal("included");
  });

  it("goes on with a faster copy of itself", () => {
    const state = after(isSent, looked({ rival: { hash: hash("b"), kind: "same_call" } }));
    expect(state).to.deep.equal({ name: "pending", sent: { ...sent, hash: hash("b") }, isKnown: true });
  });

  for (const kind of ["cancelled", "other"] as const)
    it(`is replaced for good by a transaction that is ${kind}`, () => {
      const state = after(isSent, looked({ rival: { hash: hash("b"), kind } }));
      expect(state).to.include({ name: "replaced", by: hash("b"), isCancelled: kind === "cancelled" });
      expect(isOver(state)).to.equal(true);
      expect(nextTransaction(state, included)).to.equal(state);
    });

  it("says why it failed in its block", () => {
    const state = after(isSent, looked({ receipt: { place, succeeded: false, words: WORDS } }));
    expect(state).to.deep.equal({ name: "reverted", sent, place, words: WORDS });
  });

  it("is not begun again by a second click while it may still count", () => {
    const underWay = [
      after(clicked),
      after(clicked, asking),
      after(isSent),
      after(isSent, included),
      after(isSent, included, looked({})),
    ];
    for (const state of underWay) {
      expect(isUnderWay(state), state.name).to.equal(true);
      expect(nextTransaction(state, clicked), state.name).to.equal(state);
    }
  });

  it("can be dismissed when it is over or no node knows it, and not while it waits", () => {
    expect(after(clicked, { type: "refused", words: WORDS }, { type: "dismissed" })).to.equal(IDLE);
    expect(after(isSent, looked({ isKnown: false }), { type: "dismissed" })).to.equal(IDLE);
    expect(after(isSent, looked({ isKnown: true }), { type: "dismissed" }).name).to.equal("pending");
  });
});
