import { expect } from "chai";
import {
  MAX_FAILURES,
  STATE_NAMES,
  deadlineOf,
  effectsOf,
  isOpen,
  observe,
  transition,
  type Event,
  type EventType,
  type StateName,
  type SubmissionState,
} from "../../../oracle/src/core/index.ts";
import { AGREEMENT, BLOCK, PASS, SUBMISSION, hash, state } from "../support/states.ts";

const OTHER_BLOCK = { number: 11, hash: hash(0xb1) };
const SEEN = { verdictHash: PASS.verdictHash, transactionHash: hash(0x81), block: OTHER_BLOCK };

/** One event of every type, such as a state that expects it would get. */
const EVENTS: { readonly [Type in EventType]: Extract<Event, { type: Type }> } = {
  SubmissionSeen: { type: "SubmissionSeen", block: OTHER_BLOCK, submittedAt: 1_100, documentsBy: 2_100 },
  SubmissionOrphaned: { type: "SubmissionOrphaned", blockHash: BLOCK.hash },
  Anchored: { type: "Anchored" },
  DocumentsReady: { type: "DocumentsReady", rounds: 2, at: 1_500 },
  Withheld: { type: "Withheld", verdict: { ...PASS, outcome: "WITHHELD" } },
  CarrySigned: { type: "CarrySigned", transactionHash: hash(0x61) },
  CarryEnded: { type: "CarryEnded" },
  RelaySigned: { type: "RelaySigned", transactionHash: hash(0x61) },
  RelayBroadcast: { type: "RelayBroadcast" },
  RelayFailed: { type: "RelayFailed", reason: "reverted" },
  JudgeTransactionFound: { type: "JudgeTransactionFound", judgeTx: hash(0x91) },
  JudgePending: { type: "JudgePending" },
  JudgeAccepted: { type: "JudgeAccepted" },
  JudgeVerdict: { type: "JudgeVerdict", verdict: PASS },
  JudgeInconclusive: { type: "JudgeInconclusive", judgeTx: hash(0x92) },
  JudgeVoid: { type: "JudgeVoid", reason: "cancelled" },
  RoundsLeft: { type: "RoundsLeft" },
  RoundsUsed: { type: "RoundsUsed", verdict: { ...PASS, outcome: "UNDETERMINED" } },
  Attested: { type: "Attested", digest: hash(0xd1) },
  QuorumReached: { type: "QuorumReached", at: 1_600 },
  Disagreement: { type: "Disagreement", reason: "another digest" },
  SettlementSigned: { type: "SettlementSigned", transactionHash: hash(0x81) },
  SettlementBroadcast: { type: "SettlementBroadcast" },
  SettlementIncluded: { type: "SettlementIncluded", block: OTHER_BLOCK },
  SettlementReorged: { type: "SettlementReorged" },
  SettlementFailed: { type: "SettlementFailed", reason: "reverted" },
  SettlementSeen: { type: "SettlementSeen", settlement: SEEN },
  SettlementOrphaned: { type: "SettlementOrphaned", blockHash: OTHER_BLOCK.hash },
  SettlementFinal: { type: "SettlementFinal" },
  Closed: { type: "Closed", reason: "the agreement expired" },
  WindowClosed: { type: "WindowClosed" },
  Quarantined: { type: "Quarantined", reason: "can't be judged" },
  Requeued: { type: "Requeued" },
};

/** A state of that name with what it always has by then. */
function in_(name: StateName): SubmissionState {
  const judged = STATE_NAMES.indexOf(name) >= STATE_NAMES.indexOf("VERDICT_FINAL") && isOpen(name);
  return state({
    name,
    rounds: 2,
    relayTx: name === "RELAY_SENT" ? hash(0x61) : null,
    judgeTx: ["JUDGING", "PROVISIONAL"].includes(name) ? hash(0x90) : null,
    inconclusive: name === "INCONCLUSIVE" ? [hash(0x92)] : [],
    verdict: judged ? PASS : null,
    seen: name === "SETTLED_SEEN" ? SEEN : null,
    resume: name === "SETTLED_SEEN" ? "SETTLE_INCLUDED" : null,
  });
}

const OPEN_BEFORE_SETTLEMENT = STATE_NAMES.filter((name) => isOpen(name) && name !== "SETTLED_SEEN");

/** The table of core/README.md. What is not here must change nothing. */
const TABLE: readonly (readonly [readonly StateName[], EventType, StateName])[] = [
  [["OBSERVED"], "Anchored", "ANCHORED"],
  [["OBSERVED"], "SubmissionOrphaned", "ORPHANED"],
  [["ORPHANED"], "SubmissionSeen", "OBSERVED"],
  [["ANCHORED"], "DocumentsReady", "RELAY_READY"],
  [["ANCHORED"], "Withheld", "VERDICT_FINAL"],
  [["RELAY_READY"], "CarrySigned", "RELAY_READY"],
  [["RELAY_READY"], "Withheld", "VERDICT_FINAL"],
  [["RELAY_READY"], "RelaySigned", "RELAY_READY"],
  [["RELAY_READY", "RELAY_SENT"], "JudgeTransactionFound", "JUDGING"],
  [["RELAY_READY", "RELAY_SENT"], "RelayFailed", "RELAY_READY"],
  [["JUDGING"], "JudgeAccepted", "PROVISIONAL"],
  [["PROVISIONAL"], "JudgePending", "JUDGING"],
  [["JUDGING", "PROVISIONAL"], "JudgeVerdict", "VERDICT_FINAL"],
  [["JUDGING", "PROVISIONAL"], "JudgeInconclusive", "INCONCLUSIVE"],
  [["JUDGING", "PROVISIONAL"], "JudgeVoid", "RELAY_READY"],
  [["JUDGING", "PROVISIONAL", "INCONCLUSIVE"], "JudgeTransactionFound", "JUDGING"],
  [["INCONCLUSIVE"], "RoundsLeft", "ANCHORED"],
  [["VERDICT_FINAL"], "Attested", "ATTESTED"],
  [["ATTESTED"], "QuorumReached", "QUORUM"],
  [["VERDICT_FINAL", "ATTESTED", "QUORUM", "SETTLE_READY"], "Disagreement", "CONFLICT"],
  [["QUORUM"], "SettlementSigned", "SETTLE_READY"],
  [["SETTLE_READY"], "SettlementBroadcast", "SETTLE_SENT"],
  [["SETTLE_SENT"], "SettlementIncluded", "SETTLE_INCLUDED"],
  [["SETTLE_INCLUDED"], "SettlementReorged", "SETTLE_SENT"],
  [["QUORUM", "SETTLE_READY", "SETTLE_SENT", "SETTLE_INCLUDED"], "SettlementFailed", "QUORUM"],
  [[...OPEN_BEFORE_SETTLEMENT, "QUARANTINED"], "SettlementSeen", "SETTLED_SEEN"],
  [["SETTLED_SEEN"], "SettlementOrphaned", "SETTLE_INCLUDED"],
  [["SETTLED_SEEN"], "SettlementFinal", "SETTLED"],
  [[...OPEN_BEFORE_SETTLEMENT, "SETTLED_SEEN", "QUARANTINED"], "Closed", "EXPIRED"],
  [
    [...OPEN_BEFORE_SETTLEMENT.filter((name) => name !== "SETTLE_INCLUDED"), "QUARANTINED"],
    "WindowClosed",
    "EXPIRED",
  ],
  [OPEN_BEFORE_SETTLEMENT.filter((name) => !name.startsWith("SETTLE_")), "Quarantined", "QUARANTINED"],
  [["QUARANTINED", "CONFLICT"], "Requeued", "ANCHORED"],
];

describe("transition", () => {
  for (const name of STATE_NAMES)
    describe(`from ${name}`, () => {
      for (const type of Object.keys(EVENTS) as EventType[]) {
        const row = TABLE.find(([from, event]) => from.includes(name) && event === type);
        const target = row?.[2];
        it(target === undefined ? `ignores ${type}` : `goes to ${target} on ${type}`, () => {
          const before = in_(name);
          const { state: after, effects } = transition(before, EVENTS[type]);
          if (target === undefined) {
            expect(after).to.equal(before);
            expect(effects).to.deep.equal([]);
          } else {
            expect(after.name).to.equal(target);
            expect(after).to.not.equal(before);
            expect(effects).to.deep.equal(effectsOf(after));
          }
        });
      }
    });

  it("starts with the submission's log", () => {
    const { state: first, effects } = observe({
      agreementId: AGREEMENT,
      submissionHash: SUBMISSION,
      block: BLOCK,
      submittedAt: 1_000,
      documentsBy: 2_000,
      adjudicateBy: 5_000,
    });
    expect(first.name).to.equal("OBSERVED");
    expect(effects).to.deep.equal(["anchor"]);
  });

  it("sends only what is journalled", () => {
    const signed = transition(in_("RELAY_READY"), EVENTS.RelaySigned).state;
    expect(signed.relayTx).to.equal(hash(0x61));
    expect(transition(signed, EVENTS.RelayBroadcast).state.name).to.equal("RELAY_SENT");
  });

  it("sends nothing else while a send carries the output, and goes on when that has ended", () => {
    const carrying = transition(in_("RELAY_READY"), EVENTS.CarrySigned).state;
    expect(carrying.carryTx).to.equal(hash(0x61));
    for (const event of [
      EVENTS.RelaySigned,
      EVENTS.CarrySigned,
      EVENTS.Withheld,
      EVENTS.JudgeTransactionFound,
    ])
      expect(transition(carrying, event).state).to.equal(carrying);
    const ended = transition(carrying, EVENTS.CarryEnded).state;
    expect(ended.carryTx).to.equal(null);
    expect(transition(ended, EVENTS.RelaySigned).state.relayTx).to.equal(hash(0x61));
    const failed = transition(carrying, EVENTS.RelayFailed).state;
    expect([failed.carryTx, failed.relayFailures]).to.deep.equal([null, 1]);
    const parked = transition({ ...carrying, name: "QUARANTINED" }, EVENTS.Requeued).state;
    expect(parked.carryTx).to.equal(null);
  });

  it("is WITHHELD only as long as nobody was asked", () => {
    const signed = transition(in_("RELAY_READY"), EVENTS.RelaySigned).state;
    expect(transition(signed, EVENTS.Withheld).state).to.equal(signed);
  });

  it("parks a submission whose sends keep failing", () => {
    let current = in_("RELAY_SENT");
    for (let failures = 1; failures < MAX_FAILURES; failures++) {
      current = transition(current, EVENTS.RelayFailed).state;
      expect(current.name).to.equal("RELAY_READY");
      current = { ...current, name: "RELAY_SENT" };
    }
    current = transition(current, EVENTS.RelayFailed).state;
    expect(current.name).to.equal("QUARANTINED");
    expect(current.reason).to.equal("reverted");
  });

  it("parks a submission whose settlements keep failing", () => {
    const current = { ...in_("SETTLE_SENT"), settleFailures: MAX_FAILURES - 1 };
    expect(transition(current, EVENTS.SettlementFailed).state.name).to.equal("QUARANTINED");
  });

  it("counts every round once", () => {
    const once = transition(in_("JUDGING"), EVENTS.JudgeInconclusive).state;
    const again = transition({ ...once, name: "JUDGING" }, EVENTS.JudgeInconclusive).state;
    expect(again.inconclusive).to.deep.equal([hash(0x92)]);
  });

  it("is UNDETERMINED only when every agreed round is used", () => {
    const used = { ...in_("INCONCLUSIVE"), inconclusive: [hash(0x92), hash(0x93)] };
    expect(transition(used, EVENTS.RoundsLeft).state).to.equal(used);
    expect(transition(used, EVENTS.RoundsUsed).state.verdict?.outcome).to.equal("UNDETERMINED");
  });

  it("conflicts with a final settlement by another verdict", () => {
    const other = { ...in_("SETTLED_SEEN"), seen: { ...SEEN, verdictHash: hash(0x72) } };
    const { state: after } = transition(other, EVENTS.SettlementFinal);
    expect(after.name).to.equal("CONFLICT");
    expect(after.reason).to.include(hash(0x72)).and.include(PASS.verdictHash);
  });

  it("takes others' settlement for done when it had no verdict itself", () => {
    const { state: after } = transition({ ...in_("SETTLED_SEEN"), verdict: null }, EVENTS.SettlementFinal);
    expect(after.name).to.equal("SETTLED");
    expect(after.reason).to.equal("settled by others before this operator had a verdict");
  });

  it("keeps the verdict when a person requeues", () => {
    const parked = { ...in_("QUARANTINED"), verdict: PASS, settleFailures: MAX_FAILURES };
    const { state: after } = transition(parked, EVENTS.Requeued);
    expect(after.name).to.equal("VERDICT_FINAL");
    expect(after.settleFailures).to.equal(0);
  });

  it("ignores the orphaning of another block", () => {
    const observed = in_("OBSERVED");
    expect(transition(observed, { type: "SubmissionOrphaned", blockHash: hash(0xee) }).state).to.equal(
      observed,
    );
    const seen = in_("SETTLED_SEEN");
    expect(transition(seen, { type: "SettlementOrphaned", blockHash: hash(0xee) }).state).to.equal(seen);
  });
});

describe("observe", () => {
  it("lets what was signed before a rebuild stand: it is anchored, and then only collected and delivered", () => {
    const { block, submittedAt, documentsBy, adjudicateBy } = state();
    const seen = {
      agreementId: AGREEMENT,
      submissionHash: SUBMISSION,
      block,
      submittedAt,
      documentsBy,
      adjudicateBy,
    };
    const recalled = observe({ ...seen, signed: { verdict: PASS, digest: hash(0xd1) } }).state;
    expect(recalled).to.deep.include({ name: "OBSERVED", verdict: PASS, digest: hash(0xd1) });
    expect(transition(recalled, { type: "Anchored" })).to.deep.equal({
      state: { ...recalled, name: "VERDICT_FINAL" },
      effects: ["attest"],
    });
  });
});

describe("deadlineOf", () => {
  it("is the end of the document window while documents are missing", () => {
    expect(deadlineOf(in_("ANCHORED"))).to.equal(2_000);
  });

  it("is the end of the adjudication window for every other open state", () => {
    for (const name of STATE_NAMES.filter((entry) => isOpen(entry) && entry !== "ANCHORED"))
      expect(deadlineOf(in_(name)), name).to.equal(5_000);
    expect(deadlineOf(in_("QUARANTINED"))).to.equal(5_000);
  });

  it("is none for what is over or waits for a person alone", () => {
    for (const name of ["SETTLED", "ORPHANED", "EXPIRED", "CONFLICT"] as const)
      expect(deadlineOf(in_(name)), name).to.equal(null);
  });
});
