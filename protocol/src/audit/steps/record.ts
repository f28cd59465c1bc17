import { type CaseFile, endedByVerdict, isCertificate, reasonFor } from "../case-file.ts";
import { type Comparison, compare, compareAll, fail, notChecked, pass } from "../finding.ts";
import { keccak256 } from "../../primitives/keccak256.ts";
import { utf8Encode } from "../../primitives/utf8.ts";
import type { Finding } from "../report.ts";
import { adjudicationKey } from "../../verdict/adjudication-key.ts";
import type { VerdictRecord } from "../../documents/verdict-record.ts";
import type { StepDefinition } from "./step.ts";

/** The verdict record is the certified one, and about this agreement. */
export const RECORD_STEPS: readonly StepDefinition[] = [
  {
    id: "verdictHash",
    title: "The verdict record hashes to the verdict hash on chain",
    basis: "computed",
    examine: (file) => {
      const { record, history, certificate } = file;
      if (!endedByVerdict(file)) return notChecked("no verdict ended the agreement");
      if (record === null)
        return notChecked(reasonFor(file, "verdictRecord", "the verdict record was not found"));
      const hash = keccak256(utf8Encode(record.text));
      const finding = compare(
        history.ending?.verdictHash,
        hash,
        "Keccak-256 of the record's canonical bytes",
      );
      if (finding.result === "FAIL") return finding;
      if (record.fault !== null)
        return fail(`the bytes are those that were certified, but no valid record: ${record.fault}`, finding);
      return isCertificate(certificate) && certificate.verdict.verdictHash !== hash
        ? compare(certificate.verdict.verdictHash, hash, "the certificate's verdict hash")
        : finding;
    },
  },
  {
    id: "recordSubject",
    title: "The verdict record is about this agreement, submission, escrow and judge",
    basis: "computed",
    examine: (file) =>
      withRecord(file, (record) => {
        const { evidence, terms, history, agreement } = file;
        const comparisons: Comparison[] = [
          ["agreementId", evidence.agreementId, record.agreementId],
          ["agreementHash", terms?.agreementHash, record.agreementHash],
          ["submissionHash", history.submitted?.submissionHash, record.submissionHash],
          ["chainId", evidence.evm.chainId, record.chainId],
          ["escrow", evidence.evm.escrow, record.escrow],
        ];
        const agreed = agreement?.document?.adjudication;
        if (agreed !== undefined)
          for (const member of ["network", "chainId", "consensusMain", "contract", "codeHash"] as const)
            comparisons.push([`judge.${member}`, agreed[member], record.judge[member]]);
        const finding = compareAll(comparisons, "the record against terms, events and agreement");
        return agreed === undefined && finding.result === "PASS"
          ? { ...finding, note: `${finding.note}; its judge was not compared: no agreement document` }
          : finding;
      }),
  },
  {
    id: "recordRequirements",
    title: "The verdict record judges the agreement's requirements, each by who was agreed",
    basis: "computed",
    examine: (file) => withRecord(file, (record) => requirements(file, record)),
  },
  {
    id: "adjudicationKey",
    title: "The adjudication key follows from escrow, agreement and submission",
    basis: "computed",
    examine: (file) =>
      withRecord(file, (record) => {
        const key =
          file.key ??
          adjudicationKey({
            chainId: record.chainId,
            escrow: record.escrow,
            agreementId: record.agreementId,
            agreementHash: record.agreementHash,
            submissionHash: record.submissionHash,
          });
        return compare(key, record.adjudicationKey, "SHA-256 over the length-prefixed fields");
      }),
  },
];

/** Runs a step that needs the verdict record. */
export function withRecord(file: CaseFile, examine: (record: VerdictRecord) => Finding): Finding {
  if (file.record === null)
    return notChecked(
      endedByVerdict(file)
        ? reasonFor(file, "verdictRecord", "the verdict record was not found")
        : "no verdict ended the agreement",
    );
  const { document, fault } = file.record;
  return document === null ? fail(`the verdict record is not valid: ${fault ?? ""}`) : examine(document);
}

function requirements(file: CaseFile, record: VerdictRecord): Finding {
  if (file.joint !== null) return pass("a workflow's verdict decides: the agreement has no requirements");
  if (record.requirements.length === 0)
    return record.outcome === "PASS" || record.outcome === "FAIL"
      ? fail(`${record.outcome} without results`)
      : pass(`${record.outcome} judges no requirement`);
  const agreed = file.agreement?.document?.requirements;
  if (agreed === undefined)
    return notChecked(reasonFor(file, "agreement", "there is no valid agreement document"));
  if (agreed.length !== record.requirements.length)
    return compare(agreed.length, record.requirements.length, "number of requirements");
  for (const [index, { id, check }] of agreed.entries()) {
    const judged = record.requirements[index];
    if (judged?.id !== id) return compare(id, judged?.id, `requirement ${index + 1}`);
    // Only a check may decide what has one; a check of the web may be left out once another has failed.
    const allowed = check === undefined ? ["model", "none"] : ["check"];
    if ((check?.type as string | undefined) === "http_status") allowed.push("none");
    if (!allowed.includes(judged.decidedBy))
      return fail(`who decided ${id}`, { expected: allowed.join(" or "), actual: judged.decidedBy });
  }
  return pass("ids in order, checks by code, the rest by models; the outcome follows from the results", {
    expected: agreed.map(({ id }) => id).join(", "),
    actual: "equal",
  });
}
