import { expect } from "chai";
import {
  AUDIT_STEPS,
  OUTCOMES,
  audit,
  encodeBundle,
  parseBundle,
  toAddress,
  type AuditReport,
  type Evidence,
  type Hex,
} from "@assay/protocol";
import { settledCase, type Delivery } from "./support/case.ts";
import { replaced } from "./support/flip.ts";

const unmet = ({ steps }: AuditReport): string[] =>
  steps.filter(({ result }) => result !== "PASS").map(({ id, result, note }) => `${result} ${id}: ${note}`);

describe("audit", () => {
  for (const outcome of OUTCOMES) {
    it(`${outcome}: nothing fails on complete evidence`, async () => {
      const report = audit(await settledCase({ outcome }));
      expect(unmet(report).filter((step) => step.startsWith("FAIL"))).to.deep.equal([]);
      expect(report.outcome).to.equal(outcome);
    });
  }

  it("PASS and FAIL: every step is checked, and holds", async () => {
    for (const outcome of ["PASS", "FAIL"] as const)
      expect(unmet(audit(await settledCase({ outcome })))).to.deep.equal([]);
  });

  for (const delivery of ["deliver", "deliverMany", "deliverPacked"] satisfies Delivery[]) {
    it(`reads the certificate out of ${delivery}'s calldata`, async () => {
      const report = audit(await settledCase({ delivery, signing: [0, 1, 2] }));
      expect(report.steps.find(({ id }) => id === "signatures")).to.include({ result: "PASS" });
      expect(report.failed).to.equal(0);
    });
  }

  it("finds a certificate that another contract passed on, and says so when it can't", async () => {
    for (const delivery of ["deliver", "deliverMany", "deliverPacked"] satisfies Delivery[]) {
      const evidence = await settledCase({ delivery });
      const { input } = evidence.evm.transactions[2]!;
      const batched = through(evidence, `0x12345678${"00".repeat(31)}${input.slice(2)}${"00".repeat(7)}`);
      expect(unmet(audit(batched)), delivery).to.deep.equal([]);
      const hidden = audit(through(evidence, "0x12345678"));
      expect(hidden.failed, delivery).to.equal(0);
      expect(unmet(hidden)).to.include(
        "NOT_CHECKED signatures: the certificate was delivered through another contract whose calldata does not show it",
      );
    }
  });

  function through(evidence: Evidence, input: Hex): Evidence {
    const to = toAddress(`0x${"9".repeat(40)}`);
    const changed = replaced(evidence, ["evm", "transactions", 2, "to"], to);
    return replaced(changed, ["evm", "transactions", 2, "input"], input);
  }

  it("names its steps once each, in one order, whatever it finds", async () => {
    const ids = AUDIT_STEPS.map(({ id }) => id);
    expect(new Set(ids).size).to.equal(ids.length);
    for (const outcome of OUTCOMES)
      expect(audit(await settledCase({ outcome })).steps.map(({ id }) => id)).to.deep.equal(ids);
  });

  it("a bundle reads as the evidence that was written", async () => {
    const evidence = await settledCase();
    expect(parseBundle(encodeBundle(evidence))).to.deep.equal(evidence);
  });
});
