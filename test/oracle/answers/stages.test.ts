import { expect } from "chai";
import { stagesOf } from "../../../oracle/src/answers/agreements.ts";
import type { StateName } from "../../../oracle/src/core/index.ts";
import type { TransitionRow } from "../../../oracle/src/store/index.ts";
import { state } from "../support/states.ts";

const life = (...states: StateName[]): readonly TransitionRow[] =>
  states.map((to, index) => ({ from: null, to, event: "", reason: null, at: 1_000 * index }));

const relayedAt = (...states: StateName[]) =>
  stagesOf(state(), life(...states), []).find(({ stage }) => stage === "relayed")?.at;

describe("stages of a submission", () => {
  it("is relayed when the operator has sent it", () => {
    expect(relayedAt("OBSERVED", "ANCHORED", "RELAY_READY", "RELAY_SENT", "JUDGING")).to.equal(
      "1970-01-01T00:00:03.000Z",
    );
  });

  it("is relayed when a fellow's transaction is followed", () => {
    expect(relayedAt("OBSERVED", "ANCHORED", "RELAY_READY", "JUDGING")).to.equal("1970-01-01T00:00:03.000Z");
  });

  it("is not relayed before", () => {
    expect(relayedAt("OBSERVED", "ANCHORED", "RELAY_READY")).to.equal(null);
  });
});
