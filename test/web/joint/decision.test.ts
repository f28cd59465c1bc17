import { expect } from "chai";
import {
  BUNDLE_SCHEMA,
  RESPONSIBILITY_VERDICTS,
  ROLES,
  buildVerdictRecord,
  canonicalize,
  encodeDocument,
  jointPlanOf,
  openCase,
  outcomeForRole,
  type CaseFile,
  type Evidence,
  type Finding,
  type Hex,
  type ResponsibilityVerdict,
  type Role,
} from "@assay/protocol";
import { situationsOf } from "../../../web/src/agreement/situation.ts";
import type { AgreementView } from "../../../web/src/agreement/view.ts";
import { jointOutcomeInWords, responsibilityIn, VERDICTS_IN_WORDS } from "../../../web/src/joint/decision.ts";
import { settledCase } from "../../protocol/audit/support/case.ts";
import {
  OUTPUTS,
  hashOf,
  jointAgreement,
  jointSubmission,
  storedRecord,
} from "../../protocol/support/joint.ts";

const TRANSACTION: Hex = `0x${"77".repeat(32)}`;
const AGREEMENT = jointAgreement();
const PLAN = jointPlanOf(AGREEMENT);

/** One side as the page reads it, with the verdict record that this finding makes; none when it is left out. */
async function sideCase(role: Role, finding?: (partnerSubmissionHash: Hex) => Finding): Promise<CaseFile> {
  const { evm } = await settledCase();
  const { agreementId } = PLAN.sides[role];
  const other = hashOf(await jointSubmission(AGREEMENT, role === "A" ? "B" : "A"));
  const record =
    finding === undefined
      ? null
      : canonicalize(
          buildVerdictRecord({
            agreement: AGREEMENT,
            agreementId,
            submissionHash: hashOf(await jointSubmission(AGREEMENT, role)),
            chainId: AGREEMENT.joint.chainId,
            escrow: AGREEMENT.joint.escrow,
            finding: finding(other),
          }),
        );
  const evidence: Evidence = {
    schema: BUNDLE_SCHEMA,
    agreementId,
    evm: { ...evm, transactions: [] },
    documents: { agreement: new TextDecoder().decode(encodeDocument(AGREEMENT)), submission: null },
    verdictRecord: record,
    judge: null,
    gaps: [],
  };
  return openCase(evidence);
}

const attributed =
  (verdict: ResponsibilityVerdict) =>
  (partnerSubmissionHash: Hex): Finding => ({
    kind: "attributed",
    record: storedRecord(AGREEMENT, verdict),
    outputs: OUTPUTS,
    partnerSubmissionHash,
    transaction: TRANSACTION,
  });

/** As far as situations look at it. */
function viewWith(file: CaseFile, outcome: CaseFile["outcome"], role: Role): AgreementView {
  return {
    agreementId: PLAN.sides[role].agreementId,
    status: "Split",
    terms: PLAN.sides[role].terms,
    file: { ...file, outcome },
    events: [],
    operators: [],
    vanished: [],
    now: PLAN.sides[role].terms.deliverBy,
  };
}

describe("a joint agreement's decision on the page", () => {
  for (const verdict of RESPONSIBILITY_VERDICTS)
    it(`${verdict} is told from the verdict record of either side, and says what it means for it`, async () => {
      for (const role of ROLES) {
        const file = await sideCase(role, attributed(verdict));
        expect(responsibilityIn(file)).to.include({ verdict, role });
        const words = jointOutcomeInWords(file, outcomeForRole(verdict, role));
        expect(words).to.equal(
          {
            PASS: `Pass: agent ${role} is not at fault`,
            FAIL: `Fail: agent ${role} is at fault`,
            UNDETERMINED: "Undetermined: the texts do not show who was at fault",
          }[outcomeForRole(verdict, role)],
        );
        expect(VERDICTS_IN_WORDS[verdict]).to.match(/^[A-Z].+ed\b/);
      }
    });

  it("nothing is told without a verdict record", async () => {
    const file = await sideCase("A");
    expect(file.joint?.role).to.equal("A");
    expect(responsibilityIn(file)).to.equal(null);
  });

  it("rounds without agreement are no finding: neither words nor situation say INCONCLUSIVE", async () => {
    const file = await sideCase("A", () => ({ kind: "undetermined", transactions: [TRANSACTION] }));
    expect(responsibilityIn(file)).to.equal(null);
    expect(jointOutcomeInWords(file, "UNDETERMINED")).to.include("no verdict");
    const [rounds] = situationsOf(viewWith(file, "UNDETERMINED", "A")).filter(
      ({ name }) => name === "undetermined",
    );
    expect(rounds?.meaning).to.include("50%").and.not.include("INCONCLUSIVE");
    const inconclusive = await sideCase("B", attributed("INCONCLUSIVE"));
    const [found] = situationsOf(viewWith(inconclusive, "UNDETERMINED", "B")).filter(
      ({ name }) => name === "undetermined",
    );
    expect(found?.meaning).to.include("INCONCLUSIVE").and.include("25%");
  });

  it("a withheld side is told with every reason that it may have", async () => {
    const file = await sideCase("A", () => ({ kind: "withheld" }));
    const [withheld] = situationsOf(viewWith(file, "WITHHELD", "A")).filter(
      ({ name }) => name === "withheld",
    );
    expect(withheld?.meaning).to.include("no output that its agent signed");
  });

  it("an agreement of one seller keeps its own words", async () => {
    const file = openCase(await settledCase());
    expect(responsibilityIn(file)).to.equal(null);
    expect(jointOutcomeInWords(file, "PASS")).to.equal(null);
  });
});
