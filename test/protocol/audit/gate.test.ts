import {
  GATE_AUDIT_STEPS,
  audit,
  encodeBundle,
  parseBundle,
  toAddress,
  type Evidence,
  type Hex,
} from "@assay/protocol";
import { expect } from "chai";
import { gatedCase, type GatedChanges } from "./support/gated-case.ts";
import { settledCase } from "./support/case.ts";

const OTHER: Hex = `0x${"99".repeat(32)}`;
const idsOf = (evidence: Evidence, result: "FAIL" | "NOT_CHECKED"): string[] =>
  audit(evidence)
    .steps.filter((step) => step.result === result)
    .map(({ id }) => id);

describe("audit of an agreement that a gate released", () => {
  it("passes every step, from the terms to the payment, with nothing left unchecked", () => {
    const report = audit(gatedCase());
    expect(report.steps.map(({ id, result }) => [id, result])).to.deep.equal(
      GATE_AUDIT_STEPS.map(({ id }) => [id, "PASS"]),
    );
    expect(report).to.include({ result: "PASS", outcome: "PASS", ending: "Released", notChecked: 0 });
  });

  it("is the same from a bundle", () => {
    const evidence = gatedCase();
    expect(audit(parseBundle(encodeBundle(evidence)))).to.deep.equal(audit(evidence));
  });

  it("needs no document to know a gate's terms: the delivered proof is what they commit to", () => {
    const evidence = gatedCase();
    const bare = { ...evidence, documents: { agreement: null, submission: null } };
    expect(idsOf(bare, "FAIL")).to.deep.equal([]);
    expect(idsOf(bare, "NOT_CHECKED")).to.deep.equal(["agreementHash"]);
  });

  it("leaves agreements that operators decide to the other steps", async () => {
    const { steps } = audit(await settledCase());
    expect(steps.map(({ id }) => id))
      .to.include("threshold")
      .and.not.include("executionConfig");
  });

  it("says that nothing is proven yet while nothing is", () => {
    const report = audit(gatedCase({ open: true }));
    expect(report).to.include({ result: "INCOMPLETE", failed: 0, outcome: null });
    expect(report.steps.find(({ id }) => id === "executionSignature")?.note).to.equal(
      "the agreement has not ended",
    );
  });

  const record = (change: (hash: Hex) => Hex): GatedChanges => ({
    delivery: (delivery) => ({
      ...delivery,
      records: delivery.records.map((one, index) =>
        index === 2 ? { ...one, responseHash: change(one.responseHash) } : one,
      ),
    }),
  });
  const FAULTS: [name: string, changes: GatedChanges, failed: string[]][] = [
    [
      "a record that was changed",
      record(() => OTHER),
      ["executionTerminal", "executionSubmission", "executionSignature", "executionVerdict", "gateEvent"],
    ],
    [
      "a walk without its last step",
      { delivery: (delivery) => ({ ...delivery, records: delivery.records.slice(0, -1) }) },
      ["executionRecords", "executionSubmission", "executionVerdict", "gateEvent"],
    ],
    ["a foreign signature", { signer: `0x${"f0".repeat(32)}` }, ["executionSignature"]],
    ["another submission than the walk's end", { submitted: OTHER }, ["executionSubmission"]],
    ["another verdict hash", { released: { verdictHash: OTHER } }, ["executionVerdict"]],
    ["a gate that logs another end", { released: { terminal: OTHER } }, ["executionTerminal", "gateEvent"]],
    ["a recorder who is the seller", { terms: { seller: recorderOf() } }, ["executionRecorder"]],
  ];
  for (const [name, changes, failed] of FAULTS)
    it(`fails ${name}`, () => {
      expect(idsOf(gatedCase(changes), "FAIL")).to.deep.equal(failed);
    });

  it("fails terms that commit to another walk: then no gate decides, and there is no certificate either", () => {
    const report = audit(gatedCase({ terms: { adjudicatorConfig: OTHER } }));
    expect(report.result).to.equal("FAIL");
    expect(report.steps.map(({ id }) => id)).to.include("threshold");
  });

  it("does not blame a proof that another contract hid", () => {
    const evidence = gatedCase({ to: toAddress(`0x${"ba".repeat(20)}`) });
    const input: Hex = "0x12";
    const transactions = evidence.evm.transactions.map((one, index) =>
      index === 2 ? { ...one, input } : one,
    );
    const hidden = { ...evidence, evm: { ...evidence.evm, transactions } };
    expect(idsOf(hidden, "FAIL")).to.deep.equal([]);
    expect(idsOf(hidden, "NOT_CHECKED")).to.include("executionSignature").and.include("gateEvent");
  });
});

function recorderOf() {
  const { agreement } = gatedCase().documents;
  return toAddress((JSON.parse(agreement!) as { execution: { recorder: string } }).execution.recorder);
}
