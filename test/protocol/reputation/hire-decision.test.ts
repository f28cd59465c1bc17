import { expect } from "chai";
import fc from "fast-check";
import {
  type AgreementFact,
  DEFAULT_HIRE_POLICY,
  type Ending,
  type HireDecision,
  hireDecision,
  reputationOf,
} from "@assay/protocol";
import { AS_OF, OTHER, SELLER, fact } from "./support/facts.ts";

const decide = (agreements: AgreementFact[], policy = DEFAULT_HIRE_POLICY): HireDecision =>
  hireDecision(reputationOf({ party: SELLER, asOf: AS_OF, agreements }), policy);

const facts = (...endings: Ending[]): AgreementFact[] => endings.map((as, index) => fact(`${index}`, as));

describe("hireDecision", () => {
  it("declines a seller who passed one of four, and says so in numbers", () => {
    const { decision, reasons, evidence } = decide(facts("passed", "failed", "failed", "noShows"));
    expect({ decision, evidence }).to.deep.equal({ decision: "DECLINE", evidence: 4 });
    expect(reasons[0]).to.equal("It completes 25% (4.55% to 69.94%), below the 70% demanded.");
    expect(reasons[1]).to.equal("Counted: 4 agreements; 1 passed, 2 failed or given up, 1 not delivered.");
  });

  it("hires a seller who passed four of four", () => {
    const { decision, completion } = decide(facts("passed", "passed", "passed", "passed"));
    expect(decision).to.equal("HIRE");
    expect(completion).to.include({ bps: 10_000, highBps: 10_000 });
    expect(completion.lowBps).to.equal(5_100);
  });

  it("neither praises nor blames a seller of whom too little is known", () => {
    expect(decide([]).reasons[0]).to.equal("No agreement of this seller says anything yet.");
    expect(decide(facts("passed")).reasons[0]).to.equal("Only 1 agreement can be counted; 3 are demanded.");
    expect(decide(facts("passed", "passed", "passed"))).to.include({ decision: "INSUFFICIENT_EVIDENCE" });
    for (const ending of ["cancelled", "declined", "lapsed", "settled", "undetermined", "unjudged"] as const)
      expect(decide(facts(ending, ending, ending)).decision, ending).to.equal("INSUFFICIENT_EVIDENCE");
  });

  it("counts an accepted agreement that is overdue as not delivered, and warns of it", () => {
    const overdue = fact("late", null, 1, { submittedAt: null });
    const { decision, evidence, cautions } = decide([overdue]);
    expect({ decision, evidence }).to.deep.equal({ decision: "DECLINE", evidence: 1 });
    expect(cautions).to.include("Overdue right now: 1 agreement that it had accepted.");
  });

  it("warns when one buyer stands behind the history", () => {
    expect(decide(facts("passed", "passed")).cautions).to.deep.equal([
      "All of it was with one buyer, who may be the same person.",
    ]);
    const mixed = [...facts("passed", "passed"), fact("other", "passed", 0, { buyer: OTHER })];
    expect(decide(mixed).cautions).to.deep.equal(["2 of 3 agreements were with one and the same buyer."]);
  });

  it("follows the demands that it is given", () => {
    const agreements = facts("passed", "failed");
    const lax = { thresholdBps: 5_000, floorBps: 0, minimumEvidence: 1, basis: "all" } as const;
    expect(decide(agreements, lax).decision).to.equal("HIRE");
    expect(decide(agreements, { ...lax, thresholdBps: 5_001 }).decision).to.equal("DECLINE");
    expect(decide(agreements, { ...lax, minimumEvidence: 3 }).decision).to.equal("INSUFFICIENT_EVIDENCE");
  });

  it("never turns from HIRE to another answer because one more agreement passed", () => {
    const ending = fc.constantFrom<Ending>("passed", "failed", "noShows", "settled");
    fc.assert(
      fc.property(fc.array(ending, { maxLength: 12 }), (endings) => {
        const before = decide(facts(...endings)).decision;
        const after = decide(facts(...endings, "passed")).decision;
        return before !== "HIRE" || after === "HIRE";
      }),
    );
  });
});
