import { expect } from "chai";
import fc from "fast-check";

import {
  type Consensus,
  ConsensusError,
  type ConsensusEvent,
  isDecided,
  lastRound,
  nextStep,
  pending,
  TERMINAL,
  transition,
  windowEnd,
} from "../../../../localnet/src/genlayer/consensus/consensus.ts";
import type { Vote } from "../../../../localnet/src/genlayer/consensus/names.ts";
import type { Hex } from "../../../../localnet/src/genlayer/execution/executor.ts";

const NODES: readonly Hex[] = Array.from(
  { length: 26 },
  (_, index) => `0x${String(index).padStart(40, "0")}` as const,
);

const fresh = (mode: Consensus["mode"] = "NORMAL", maxRotations = 3): Consensus =>
  pending({ mode, committeeSize: 5, maxRotations });

/** Applies events one second apart, from the first second on. */
function play(
  start: Consensus,
  ...events: readonly (ConsensusEvent["type"] | Partial<ConsensusEvent>)[]
): Consensus {
  return events.reduce<Consensus>((consensus, event, index) => {
    const given = typeof event === "string" ? { type: event } : event;
    const filled = {
      at: (index + 1) * 1000,
      candidates: NODES,
      outcome: "return",
      ...given,
    } as ConsensusEvent;
    return transition(consensus, filled.type === "committed" ? withVotes(consensus, filled) : filled);
  }, start);
}

/** Fills up the votes of a committee: whoever is not named agrees. */
function withVotes(consensus: Consensus, event: ConsensusEvent & { type: "committed" }): ConsensusEvent {
  const { committee } = lastRound(consensus);
  const votes = Object.fromEntries(committee.map((node) => [node, "agree"]));
  return { ...event, votes: { ...votes, ...event.votes } };
}

/** The last `count` nodes of the committee vote `vote`. */
const votes = (consensus: Consensus, vote: Vote, count: number): Partial<ConsensusEvent> => ({
  type: "committed",
  votes: Object.fromEntries(
    lastRound(consensus)
      .committee.slice(-count)
      .map((node) => [node, vote]),
  ),
});

const led = (start = fresh()): Consensus => play(start, "activated", "proposing", "led");
const accepted = (start = fresh()): Consensus =>
  play(led(start), { type: "committed", votes: {} }, "revealed");

/** One round in which `count` validators vote `vote`. */
const voted = (consensus: Consensus, vote: Vote, count: number): Consensus =>
  play(consensus, votes(consensus, vote, count), "revealed");

const undetermined = (maxRotations = 0): Consensus =>
  voted(led(fresh("NORMAL", maxRotations)), "disagree", 3);

describe("consensus", () => {
  it("asks for each step in turn until a transaction is accepted", () => {
    const steps: string[] = [];
    let consensus = fresh();
    for (const event of [
      "activated",
      "proposing",
      "led",
      { type: "committed", votes: {} },
      "revealed",
    ] as const) {
      steps.push(`${consensus.status} ${nextStep(consensus).do}`);
      consensus = play(consensus, event);
    }
    steps.push(`${consensus.status} ${nextStep(consensus).do}`);

    expect(steps).to.deep.equal([
      "PENDING activate",
      "ACTIVATED propose",
      "PROPOSING lead",
      "COMMITTING vote",
      "REVEALING reveal",
      "ACCEPTED wait",
    ]);
    expect(consensus.result).to.equal("MAJORITY_AGREE");
  });

  it("lets the leader vote with its own proposal, and asks only the others to run it", () => {
    const step = nextStep(led());

    expect(step).to.deep.equal({ do: "vote", leader: NODES[0], voters: NODES.slice(1, 5) });
  });

  it("hands the proposal to the next leader when there is no majority, and a new node joins", () => {
    const rotated = voted(led(), "disagree", 3);

    expect(rotated.status).to.equal("PROPOSING");
    expect(lastRound(rotated).leader).to.equal(NODES[1]);
    expect(lastRound(rotated).committee).to.deep.equal(NODES.slice(1, 6));
    expect(rotated.rounds[0]).to.include({ result: "MAJORITY_DISAGREE", revealed: true });
  });

  it("is UNDETERMINED when the leaders are used up: one more than there are rotations", () => {
    let consensus = led();
    for (let rotation = 0; rotation < 3; rotation += 1) {
      consensus = play(voted(consensus, "disagree", 3), "led");
    }
    const ended = voted(consensus, "disagree", 3);

    expect(consensus.status).to.equal("COMMITTING");
    expect(ended.status).to.equal("UNDETERMINED");
    expect(ended.rounds.map(({ leader }) => leader)).to.deep.equal(NODES.slice(0, 4));
  });

  it("needs strictly more than half for any decision", () => {
    const split = play(led(fresh("NORMAL", 0)), {
      type: "committed",
      votes: { [NODES[1]!]: "disagree", [NODES[2]!]: "disagree", [NODES[3]!]: "timeout" },
    });

    expect(play(split, "revealed")).to.include({ status: "UNDETERMINED", result: "NO_MAJORITY" });
  });

  it("is VALIDATORS_TIMEOUT when most votes are timeouts, without a rotation", () => {
    expect(voted(led(), "timeout", 3)).to.include({ status: "VALIDATORS_TIMEOUT", result: "TIMEOUT" });
  });

  it("is LEADER_TIMEOUT when the leader runs out of time, without a rotation", () => {
    const consensus = play(fresh(), "activated", "proposing", { type: "led", outcome: "timeout" });

    expect(consensus).to.include({ status: "LEADER_TIMEOUT", result: "NO_MAJORITY", rotationsUsed: 0 });
    expect(consensus.execution).to.equal("FINISHED_WITH_ERROR");
  });

  it("accepts what its leader alone ran, with no vote, or its own", () => {
    const alone = led(fresh("LEADER_ONLY"));
    const self = led(fresh("LEADER_SELF_VALIDATOR"));

    expect(alone).to.include({ status: "ACCEPTED", result: "MAJORITY_AGREE" });
    expect(lastRound(alone).votes).to.deep.equal({});
    expect(lastRound(self).votes).to.deep.equal({ [NODES[0]!]: "agree" });
    expect(windowEnd(alone, 60_000)).to.equal(alone.windowStart);
  });

  it("ends the window after the full time when nothing was appealed", () => {
    const consensus = accepted();

    expect(windowEnd(consensus, 60_000)).to.equal((consensus.windowStart ?? 0) + 60_000);
    expect(windowEnd(led(), 60_000)).to.equal(null);
  });

  describe("appeals", () => {
    it("ask two nodes more than voted, none of whom was heard", () => {
      const appealed = play(accepted(), "appealed");

      expect(appealed.status).to.equal("APPEAL_COMMITTING");
      expect(lastRound(appealed).committee).to.deep.equal(NODES.slice(5, 12));
      expect(nextStep(appealed)).to.deep.equal({ do: "vote", leader: NODES[0], voters: NODES.slice(5, 12) });
    });

    it("that fail give ACCEPTED back, with four fifths of the window, not counting their own time", () => {
      const before = accepted();
      const appealed = transition(before, { type: "appealed", at: 10_000 });
      const failed = play(play(appealed, { type: "committed", votes: {} }), { type: "revealed", at: 25_000 });

      expect(failed.status).to.equal("ACCEPTED");
      expect(failed.windowStart).to.equal((before.windowStart ?? 0) + 15_000);
      expect(windowEnd(failed, 60_000)).to.equal((failed.windowStart ?? 0) + 48_000);
    });

    it("that fail twice have asked twice as many the second time, and find nobody the third", () => {
      let consensus = accepted();
      for (const size of [7, 14]) {
        const appealed = play(consensus, "appealed");
        expect(lastRound(appealed).committee).to.have.length(size);
        consensus = play(appealed, { type: "committed", votes: {} }, "revealed");
      }

      expect(() => play(consensus, "appealed"))
        .to.throw(ConsensusError)
        .with.property("message", "no validators are left to judge another appeal");
    });

    it("that win put the transaction back with a committee of all who voted, under the next leader", () => {
      const appealed = play(accepted(), "appealed");
      const won = voted(appealed, "disagree", 4);
      const again = play(won, "activated", "proposing");

      expect(won).to.include({
        status: "PENDING",
        result: "IDLE",
        execution: "NOT_VOTED",
        windowStart: null,
      });
      expect(lastRound(again).committee).to.deep.equal(NODES.slice(1, 13));
    });

    it("of what was not decided put the transaction back at once, with fresh rotations", () => {
      const again = play(undetermined(), "appealed");

      expect(again).to.include({ status: "PENDING", rotationsUsed: 0, committeeSize: 12 });
    });

    it("are refused for pending, final and leader-only transactions", () => {
      for (const consensus of [fresh(), play(accepted(), "window-elapsed"), led(fresh("LEADER_ONLY"))]) {
        expect(() => play(consensus, "appealed"))
          .to.throw(ConsensusError)
          .with.property("event", "appealed");
      }
    });
  });

  it("finalizes every decided status and nothing else", () => {
    for (const consensus of [accepted(), undetermined(), voted(led(), "timeout", 3)]) {
      expect(play(consensus, "window-elapsed")).to.include({ status: "FINALIZED", result: consensus.result });
    }
    expect(() => play(led(), "window-elapsed"))
      .to.throw(ConsensusError)
      .with.property("status", "COMMITTING");
  });

  it("cancels pending transactions only", () => {
    expect(play(fresh(), "canceled").status).to.equal("CANCELED");
    expect(() => play(led(), "canceled"))
      .to.throw(ConsensusError)
      .with.property("status", "COMMITTING");
  });

  it("rolls back whatever is not pending or final, and keeps its history", () => {
    const rolledBack = play(accepted(), "rolled-back");

    expect(rolledBack).to.include({ status: "PENDING", windowStart: null });
    expect(rolledBack.rounds).to.have.length(1);
    expect(() => play(play(accepted(), "window-elapsed"), "rolled-back")).to.throw(ConsensusError);
  });

  it("refuses to activate without validators", () => {
    expect(() => play(fresh(), { type: "activated", candidates: [] }))
      .to.throw(ConsensusError)
      .with.property("message", "there are no validators");
  });

  it("gets every transaction decided, whatever leaders and validators do", () => {
    const anyVote = fc.constantFrom<Vote>("agree", "disagree", "timeout", "deterministic_violation", "idle");
    const anyOutcome = fc.constantFrom("return", "error", "timeout");
    const script = fc.array(fc.tuple(anyOutcome, fc.array(anyVote, { minLength: 4, maxLength: 4 })), {
      minLength: 4,
      maxLength: 4,
    });
    fc.assert(
      fc.property(script, (rounds) => {
        let consensus = play(fresh(), "activated", "proposing");
        for (const [outcome, cast] of rounds) {
          if (isDecided(consensus.status)) break;
          consensus = play(consensus, { type: "led", outcome });
          if (consensus.status !== "COMMITTING") break;
          const [, ...voters] = lastRound(consensus).committee;
          const byNode = Object.fromEntries(voters.map((node, index) => [node, cast[index] ?? "idle"]));
          consensus = play(consensus, { type: "committed", votes: byNode }, "revealed");
        }
        expect(isDecided(consensus.status)).to.equal(true);
        expect(consensus.rounds.length).to.be.at.most(4);
        const final = play(consensus, "window-elapsed");
        expect(TERMINAL.has(final.status)).to.equal(true);
        expect(nextStep(final)).to.deep.equal({ do: "nothing" });
        const agreeing = Object.values(lastRound(final).votes).filter((vote) => vote === "agree").length;
        if (consensus.status === "ACCEPTED") expect(agreeing).to.be.at.least(3);
      }),
    );
  });
});
