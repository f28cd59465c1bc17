import { join } from "node:path";
import { expect } from "chai";
import { jointPlanOf, parseAgreement } from "@assay/protocol";
import { requireFitting } from "../../cli/src/work/fitting.ts";
import { readOutput, signOutput } from "../../cli/src/work/output.ts";
import { AGENTS, jointAgreement, jointSubmission } from "../protocol/support/joint.ts";
import { fullDocument } from "../protocol/support/vectors.ts";

describe("an output of an agent", () => {
  it("is not signed for terms that the joint document does not make, nor by anybody but the agent", async () => {
    const path = join(import.meta.dirname, "fitting.test.ts");
    const agreement = jointAgreement();
    const elsewhere = { agreementId: `0x${"0".repeat(64)}` as const };
    const refusal = await readOutput(path, elsewhere, agreement).catch((error: unknown) => error);
    expect(String(refusal)).to.include("neither side of its joint document");
    const { A } = jointPlanOf(agreement).sides;
    const unsigned = await readOutput(path, A, agreement);
    const other = await signOutput(unsigned, A, undefined, null).catch((error: unknown) => error);
    expect(String(other)).to.include("only the agent");
  });
});

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
