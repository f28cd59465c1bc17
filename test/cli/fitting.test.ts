import { expect } from "chai";
import { parseAgreement } from "@assay/protocol";
import { requireFitting } from "../../cli/src/work/fitting.ts";
import { AGENTS, jointAgreement, jointSubmission } from "../protocol/support/joint.ts";
import { fullDocument } from "../protocol/support/vectors.ts";

describe("a submission that fits its agreement", () => {
  const agreement = jointAgreement();

  it("under a joint agreement holds the agent's signed output", async () => {
    const submission = await jointSubmission(agreement, "A");
    expect(() => requireFitting(agreement, submission)).to.not.throw();
    const { output: _output, ...bare } = submission;
    expect(() => requireFitting(agreement, bare)).to.throw(
      "whose submissions hold the agent's signed output",
    );
    const foreign = await jointSubmission(agreement, "A", { signer: AGENTS.B });
    expect(() => requireFitting(agreement, foreign)).to.throw("is not that of this side's seller");
  });

  it("under any other holds none", async () => {
    const ordinary = parseAgreement(fullDocument("agreement").canonical);
    const submission = await jointSubmission(agreement, "A");
    expect(() => requireFitting(ordinary, submission)).to.throw("no workflow decides this agreement");
    const { output: _output, ...bare } = submission;
    expect(() => requireFitting(ordinary, bare)).to.not.throw();
  });
});
