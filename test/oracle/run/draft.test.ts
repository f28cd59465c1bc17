import { expect } from "chai";
import {
  annotated,
  commitOf,
  draftOf,
  extended,
  isDue,
  isEmpty,
  joined,
  stateOf,
} from "../../../oracle/src/run/draft.ts";
import type { Change } from "../../../oracle/src/run/step.ts";
import type { SubmissionRow } from "../../../oracle/src/store/index.ts";
import { KEY, SIGNED, outbox } from "../store/contract.ts";
import { PASS, hash, state } from "../support/states.ts";

const ROW = { state: state(), version: 3 } as SubmissionRow;
const VERDICT = { key: KEY, verdictHash: PASS.verdictHash, record: "{}" };

const anchored = extended(draftOf(ROW), "anchor", { events: [{ type: "Anchored" }] });
const ready = extended(anchored, "collectDocuments", {
  events: [{ type: "DocumentsReady", rounds: 2, at: 1_000 }],
  change: { verdicts: [VERDICT] },
});

describe("draft", () => {
  it("goes from state to state, and keeps every step with its own events", () => {
    expect(isEmpty(draftOf(ROW))).to.equal(true);
    expect(stateOf(draftOf(ROW))).to.equal(ROW.state);
    expect(stateOf(ready).name).to.equal("RELAY_READY");
    expect(ready.steps.map(({ after, events }) => [after.name, events])).to.deep.equal([
      ["ANCHORED", ["Anchored"]],
      ["RELAY_READY", ["DocumentsReady"]],
    ]);
    expect(ready.tasks).to.deep.equal(["anchor", "collectDocuments"]);
  });

  it("is the same one after an event that its state does not expect", () => {
    expect(extended(ready, "anchor", { events: [{ type: "Anchored" }] })).to.equal(ready);
  });

  it("is one commit: the last step with those before it, and everything beside them", () => {
    const commit = commitOf(ready, 9, 50, true);
    expect(commit).to.deep.equal({
      at: 9,
      verdicts: [VERDICT],
      released: [KEY],
      submissions: [
        {
          before: ROW,
          after: stateOf(ready),
          events: ["DocumentsReady"],
          earlier: [anchored.steps[0]],
          nextAt: 50,
        },
      ],
    });
  });

  it("has no next look once its state is terminal", () => {
    const closed = extended(draftOf(ROW), "closeWindow", { events: [{ type: "WindowClosed" }] });
    expect(commitOf(closed, 9, 50, true).submissions?.[0]?.nextAt).to.equal(null);
  });

  it("without a step only says when to look again, and what it noted", () => {
    const noted = annotated(draftOf(ROW), "relay", { sent: [{ transactionHash: hash(1), block: null }] });
    expect(commitOf(noted, 9, 50, false)).to.deep.equal({
      at: 9,
      sent: [{ transactionHash: hash(1), block: null }],
      postponed: [{ row: ROW, nextAt: 50 }],
    });
  });

  it("is due as soon as others have to see it or the next step reads it back, and when nothing follows", () => {
    const with_ = (change: Change) => annotated(draftOf(ROW), "attest", change);
    const attestation = { digest: hash(1), operator: SIGNED.operator, key: KEY, signature: "0x01" } as const;
    for (const change of [
      { signed: [SIGNED] },
      { attestations: [attestation] },
      { outbox: [outbox(1, 2)] },
      { bumps: [{ outboxId: 1, transaction: outbox(1, 2).transaction }] },
      { outboxStatus: [{ outboxId: 1, status: "closed" }] },
      { wakes: [hash(1)] },
    ] as const satisfies Change[])
      expect(isDue(with_(change)), JSON.stringify(Object.keys(change))).to.equal(true);
    for (const change of [
      { verdicts: [VERDICT] },
      { sent: [{ transactionHash: hash(1), block: 1 }] },
      { outboxStatus: [{ outboxId: 1, status: "included" }] },
      { signed: [], attestations: [] },
    ] as const satisfies Change[])
      expect(isDue(with_(change)), JSON.stringify(Object.keys(change))).to.equal(false);
    expect(isDue(ready)).to.equal(false);
    const closed = extended(ready, "closeWindow", { events: [{ type: "WindowClosed" }] });
    expect(isDue(closed)).to.equal(true);
  });

  it("shares one commit with others, lists end to end", () => {
    const one = commitOf(ready, 9, 50, true);
    const other = commitOf(annotated(draftOf(ROW), "relay", { outbox: [outbox(1, 2)] }), 9, 60, true);
    expect(joined([one, other], 9)).to.deep.equal({
      ...{ at: 9, verdicts: [VERDICT], outbox: [outbox(1, 2)], released: [KEY, KEY] },
      ...{ submissions: one.submissions, postponed: other.postponed },
    });
  });
});
