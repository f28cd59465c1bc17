import { expect } from "chai";
import { encodeDocument, parseAgreement, parseSubmission, type Agreement } from "@assay/protocol";
import { EXAMPLE_NAMES, loadExample } from "../../examples/index.ts";

const ADJUDICATION: Agreement["adjudication"] = {
  network: "localnet",
  chainId: 61127,
  consensusMain: "0xb7278A61aa25c888815aFC32Ad3cC52fF24fE575",
  contract: "0x095D1b8B4FEFEd6B66219F698F389ecDE72F3e27",
  codeHash: `0x${"ab".repeat(32)}`,
  relayers: ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"],
  minValidators: 5,
  rounds: 3,
};

describe("example documents", () => {
  for (const name of EXAMPLE_NAMES) {
    it(`${name}: agreement and submission are valid documents`, () => {
      const { agreement, submission } = loadExample(name);
      const agreementBytes = encodeDocument({
        schema: "assay/agreement/1",
        ...agreement,
        adjudication: ADJUDICATION,
      });
      const agreementId = `0x${"11".repeat(32)}` as const;
      const submissionBytes = encodeDocument({ schema: "assay/submission/1", agreementId, ...submission });
      expect(parseAgreement(agreementBytes).requirements).to.deep.equal(agreement.requirements);
      expect(Object.keys(parseSubmission(submissionBytes).files)).to.have.members(
        Object.keys(submission.files),
      );
    });
  }

  it("both password resets answer one and the same agreement", () => {
    expect(loadExample("password-reset/lenient").agreement).to.deep.equal(
      loadExample("password-reset/strict").agreement,
    );
  });
});
