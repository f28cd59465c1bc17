import { expect } from "chai";
import {
  DocumentError,
  canonicalize,
  encodeBundle,
  keccak256,
  sealEnvelope,
  sha256,
  statementOf,
  utf8Encode,
  type AuditStep,
} from "@assay/protocol";
import { droppedSource, readDropped } from "../../../web/src/recompute/dropped.ts";
import { runAudit } from "../../../web/src/recompute/run-audit.ts";
import { settledCase } from "../../protocol/audit/support/case.ts";

describe("recomputing on the page", () => {
  it("tells each step as it is found, and comes to what the audit says", async () => {
    const evidence = await settledCase();
    const steps: AuditStep[] = [];
    const report = await runAudit(evidence, (step) => void steps.push(step));
    expect(report.result).to.equal("PASS");
    expect(report.steps).to.deep.equal(steps);
  });

  it("finds the step where a bundle was changed", async () => {
    const evidence = await settledCase();
    const changed = { ...evidence, verdictRecord: evidence.verdictRecord?.replace("PASS", "FAIL") ?? null };
    const report = await runAudit(changed, () => undefined);
    expect(report.result).to.equal("FAIL");
    expect(report.steps.filter(({ result }) => result === "FAIL").map(({ id }) => id)).to.include(
      "verdictHash",
    );
  });

  it("lets the page breathe: other work gets its turn in between", async () => {
    const evidence = await settledCase();
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    const slow = (): void => {
      const start = performance.now();
      while (performance.now() - start < 30);
    };
    await runAudit(evidence, slow);
    clearInterval(timer);
    expect(turns).to.be.greaterThan(5);
  });

  describe("from a file", () => {
    it("takes a bundle", async () => {
      const evidence = await settledCase();
      expect(readDropped(encodeBundle(evidence))).to.deep.equal({ kind: "bundle", evidence, signers: [] });
    });

    it("takes an in-toto envelope", async () => {
      const evidence = await settledCase();
      const envelope = sealEnvelope(statementOf(evidence, "PASS"), []);
      expect(readDropped(utf8Encode(canonicalize(envelope)))).to.deep.include({ kind: "bundle", evidence });
    });

    it("takes a document, which counts under its hash and no other", async () => {
      const evidence = await settledCase();
      const bytes = utf8Encode(evidence.documents.submission ?? "");
      expect(readDropped(bytes)).to.include({ kind: "document", schema: "assay/submission/1" });
      const source = droppedSource([utf8Encode("other"), bytes]);
      expect(await source.document(sha256(bytes))).to.deep.equal(bytes);
      expect(await source.document(`0x${"1".repeat(64)}`)).to.equal(null);
      const record = evidence.verdictRecord ?? "";
      const records = droppedSource([utf8Encode(record)]);
      expect(await records.verdictRecord("0x", keccak256(utf8Encode(record)))).to.equal(record);
    });

    it("refuses what is none of these, in words", () => {
      for (const text of ["", "hello", "{}", "[1]", '{"schema":"assay/bundle/9"}', '{"a":1,"a":2}'])
        expect(() => readDropped(utf8Encode(text)), text).to.throw(/./);
      expect(() => readDropped(utf8Encode("{}"))).to.throw(DocumentError);
    });

    it("refuses JSON that nests without end, at once", () => {
      const start = performance.now();
      expect(() => readDropped(utf8Encode("[".repeat(2_000_000)))).to.throw(/./);
      expect(performance.now() - start).to.be.lessThan(2_000);
    });
  });
});
