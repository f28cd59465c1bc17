import { expect } from "chai";
import fc from "fast-check";
import {
  deadlineOf,
  effectsOf,
  isOpen,
  transition,
  type Event,
  type SubmissionState,
} from "../../../oracle/src/core/index.ts";
import { PASS, hash, state } from "../support/states.ts";

const blocks = fc.constantFrom({ number: 10, hash: hash(0xb0) }, { number: 11, hash: hash(0xb1) });
const hashes = fc.constantFrom(hash(1), hash(2), hash(3));
const verdicts = fc.record({
  outcome: fc.constantFrom("PASS" as const, "FAIL" as const, "UNDETERMINED" as const, "WITHHELD" as const),
  verdictHash: hashes,
  judgeTx: hashes,
});
const reason = fc.constant("because");

const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    type: fc.constant("SubmissionSeen" as const),
    block: blocks,
    submittedAt: fc.nat(),
    documentsBy: fc.nat(),
  }),
  fc.record({
    type: fc.constant("SubmissionOrphaned" as const),
    blockHash: blocks.map((block) => block.hash),
  }),
  fc.record({
    type: fc.constant("DocumentsReady" as const),
    rounds: fc.integer({ min: 1, max: 3 }),
    at: fc.nat(),
  }),
  fc.record({
    type: fc.constantFrom("Withheld" as const, "JudgeVerdict" as const, "RoundsUsed" as const),
    verdict: verdicts,
  }),
  fc.record({
    type: fc.constantFrom("CarrySigned" as const, "RelaySigned" as const, "SettlementSigned" as const),
    transactionHash: hashes,
  }),
  fc.record({
    type: fc.constantFrom("JudgeTransactionFound" as const, "JudgeInconclusive" as const),
    judgeTx: hashes,
  }),
  fc.record({
    type: fc.constantFrom(
      "RelayFailed" as const,
      "JudgeVoid" as const,
      "Disagreement" as const,
      "SettlementFailed" as const,
      "Closed" as const,
      "Quarantined" as const,
    ),
    reason,
  }),
  fc.record({ type: fc.constant("Attested" as const), digest: hashes }),
  fc.record({ type: fc.constant("QuorumReached" as const), at: fc.nat() }),
  fc.record({ type: fc.constant("SettlementIncluded" as const), block: blocks }),
  fc.record({
    type: fc.constant("SettlementOrphaned" as const),
    blockHash: blocks.map((block) => block.hash),
  }),
  fc.record({
    type: fc.constant("SettlementSeen" as const),
    settlement: fc.record({ verdictHash: hashes, transactionHash: hashes, block: blocks }),
  }),
  fc.record({
    type: fc.constantFrom(
      "Anchored" as const,
      "CarryEnded" as const,
      "RelayBroadcast" as const,
      "JudgePending" as const,
      "JudgeAccepted" as const,
      "RoundsLeft" as const,
      "SettlementBroadcast" as const,
      "SettlementReorged" as const,
      "SettlementFinal" as const,
      "WindowClosed" as const,
    ),
  }),
);

/** Runs events from the first state, telling of every step. */
function play(
  events: readonly Event[],
  onStep: (before: SubmissionState, event: Event, after: SubmissionState) => void,
) {
  let current = state();
  for (const entry of events) {
    const { state: after } = transition(current, entry);
    onStep(current, entry, after);
    current = after;
  }
  return current;
}

const runs = { numRuns: 2_000 };
const orders = fc.array(event, { maxLength: 80 });

describe("transition, with events in any order", () => {
  it("signs a settlement only over a verdict that this operator attested", () => {
    fc.assert(
      fc.property(orders, (events) => {
        const path: string[] = [];
        play(events, (before, _event, after) => {
          if (after !== before) path.push(after.name);
          if (
            after.name === "SETTLE_READY" &&
            before.name !== "SETTLE_READY" &&
            before.name !== "SETTLED_SEEN"
          ) {
            expect(after.verdict).to.not.equal(null);
            expect(after.digest).to.not.equal(null);
            expect(path).to.include.members(["VERDICT_FINAL", "ATTESTED", "QUORUM"]);
          }
        });
      }),
      runs,
    );
  });

  it("has at most one send to the judge's network under way, and follows it to its end", () => {
    fc.assert(
      fc.property(orders, (events) => {
        play(events, (before, entry, after) => {
          if (after.name === "RELAY_READY") expect([after.carryTx, after.relayTx]).to.include(null);
          if (before.name === "RELAY_READY" && before.carryTx !== null && after.name === "RELAY_READY")
            expect(
              after.carryTx === before.carryTx || ["CarryEnded", "RelayFailed"].includes(entry.type),
            ).to.equal(true);
        });
      }),
      runs,
    );
  });

  it("holds a verdict only after a final judgement, used-up rounds, or a window without the document", () => {
    fc.assert(
      fc.property(orders, (events) => {
        play(events, (before, entry, after) => {
          if (before.verdict === null && after.verdict !== null) {
            expect(["Withheld", "JudgeVerdict", "RoundsUsed"]).to.include(entry.type);
            expect(after.name).to.equal("VERDICT_FINAL");
          }
          if (before.verdict !== null) expect(after.verdict).to.deep.equal(before.verdict);
        });
      }),
      runs,
    );
  });

  it("settles at most once, and never leaves SETTLED or EXPIRED", () => {
    fc.assert(
      fc.property(orders, (events) => {
        let settled = 0;
        play(events, (before, _event, after) => {
          if (after.name === "SETTLED" && before.name !== "SETTLED") settled++;
          if (before.name === "SETTLED" || before.name === "EXPIRED") expect(after).to.equal(before);
        });
        expect(settled).to.be.at.most(1);
      }),
      runs,
    );
  });

  it("has at most one settlement in flight", () => {
    fc.assert(
      fc.property(orders, (events) => {
        play(events, (before, entry, after) => {
          if (entry.type === "SettlementSigned" && after !== before) expect(before.settleTx).to.equal(null);
        });
      }),
      runs,
    );
  });

  it("owes work and has a deadline in every open state, and none when it is over", () => {
    fc.assert(
      fc.property(orders, (events) => {
        const last = play(events, () => undefined);
        if (isOpen(last.name)) {
          expect(effectsOf(last)).to.have.length(1);
          expect(deadlineOf(last)).to.be.a("number");
        }
        if (["SETTLED", "ORPHANED", "EXPIRED"].includes(last.name)) {
          expect(effectsOf(last)).to.deep.equal([]);
          expect(deadlineOf(last)).to.equal(null);
        }
      }),
      runs,
    );
  });

  it("changes nothing when an event comes twice", () => {
    const repeatable: readonly Event[] = [
      { type: "Anchored" },
      { type: "DocumentsReady", rounds: 1, at: 1 },
      { type: "JudgeTransactionFound", judgeTx: hash(1) },
      { type: "JudgeVerdict", verdict: PASS },
      { type: "Attested", digest: hash(2) },
      { type: "QuorumReached", at: 2 },
      { type: "SettlementSigned", transactionHash: hash(3) },
      { type: "SettlementBroadcast" },
    ];
    let current = state();
    for (const entry of repeatable) {
      current = transition(current, entry).state;
      expect(transition(current, entry).state, entry.type).to.equal(current);
    }
    expect(current.name).to.equal("SETTLE_SENT");
  });
});
