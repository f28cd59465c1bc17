import { expect } from "chai";
import { rulesModel } from "../../../../localnet/src/genlayer/models/rules.ts";
import {
  attributeByRules,
  readWorkflowPrompt,
} from "../../../../localnet/src/genlayer/models/responsibility-rules.ts";

const texts = (obligationA: string, obligationB: string, outputA: string, outputB: string) =>
  new Map([
    ["obligation of agent A", obligationA],
    ["obligation of agent B", obligationB],
    ["output of agent A", outputA],
    ["output of agent B", outputB],
  ]);

describe("rules judge of responsibility", () => {
  const cases: [string, ReturnType<typeof texts>, string][] = [
    ["both deliver", texts("has `a b`", "has `c`", "a  b", "c"), "NEITHER_AGENT_FAULT"],
    ["A leaves something out", texts("has `a` and `x`", "has `c`", "a", "c"), "AGENT_A_FAULT"],
    ["B leaves something out", texts("has `a`", "has `c`", "a", "d"), "AGENT_B_FAULT"],
    ["both leave something out", texts("has `a`", "has `c`", "x", "y"), "SHARED_FAULT"],
    ["an obligation has no fragments", texts("is good", "has `c`", "a", "c"), "INCONCLUSIVE"],
    ["the fragment is in the other's output only", texts("has `a`", "has `c`", "x", "a c"), "AGENT_A_FAULT"],
  ];
  for (const [name, given, verdict] of cases) {
    it(`finds ${verdict} when ${name}`, () => {
      expect(attributeByRules(given)).to.equal(verdict);
    });
  }

  it("reads no other prompt", async () => {
    expect(readWorkflowPrompt("You judge whether a delivery satisfies")).to.equal(undefined);
    const asked = rulesModel.answer({
      prompt: "Who was at fault?",
      responseFormat: "text",
      signal: new AbortController().signal,
    });
    const error = await asked.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.include({
      name: "ModelError",
      kind: "model",
      message: "the rules judge reads the prompts of this project's contracts only",
    });
  });
});
