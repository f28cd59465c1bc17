import { documentHash } from "@assay/protocol";
import { expect } from "chai";
import { EXAMPLE_NAMES, loadExample } from "../../examples/index.ts";
import { textOf, valueOf, run, SENDER } from "./support/executor.ts";
import {
  adjudicate,
  agreement,
  AGREEMENT_ID,
  caseOf,
  ESCROW,
  EVM_CHAIN_ID,
  keyOf,
  recordOf,
  storedRecord,
  submission,
  VERIFIER,
} from "./support/verifier.ts";

describe("AgreementVerifier", () => {
  describe("examples, judged by rules", () => {
    const expected = {
      "password-reset/lenient": ["PASS", "PASS", "PASS", "PASS", "PASS", "FAIL"],
      "password-reset/strict": ["PASS", "PASS", "PASS", "PASS", "PASS", "PASS"],
      "research-brief": ["PASS", "PASS", "PASS", "PASS", "PASS"],
    } as const;
    for (const name of EXAMPLE_NAMES) {
      it(`decides ${name} by what is in its files`, async () => {
        const example = loadExample(name);
        const item = caseOf(agreement(example.agreement), submission(example.submission));
        const leader = await adjudicate(item);
        const record = await recordOf(item);
        expect(record.requirements.map(({ result }) => result)).to.deep.equal(expected[name]);
        const validator = await adjudicate(item, { leader });
        expect(validator.validatorVotes).to.deep.equal([true]);
        expect(validator.state).to.deep.equal(leader.state);
      });
    }
  });

  it("stores a record that binds everything it was given", async () => {
    const item = caseOf();
    const result = await adjudicate(item);
    const stored = await storedRecord(result.state!, item);
    expect(stored).to.include({ version: 1, sequence: 1, key: keyOf(item) });
    expect(stored.adjudicationHash).to.equal(documentHash(Buffer.from(stored.record)));
    expect(JSON.parse(stored.record)).to.deep.include({
      adjudicationKey: keyOf(item),
      agreementHash: documentHash(Buffer.from(item.agreement)),
      submissionHash: documentHash(Buffer.from(item.submission)),
      agreementId: AGREEMENT_ID,
      chainId: EVM_CHAIN_ID,
      escrow: ESCROW,
      outcome: "PASS",
    });
    expect(stored.notes).to.contain("rules judge, no language model");
  });

  it("has no record of what was never judged", async () => {
    const item = caseOf();
    const state = (await adjudicate(item)).state!;
    const other = caseOf(agreement(), submission({ summary: "other" }));
    expect(await storedRecord(state, other)).to.include({ version: 0, record: "", sequence: 0 });
  });

  it("tells what it is", async () => {
    const info = valueOf(await run(VERIFIER, "read", { method: "contract_info" }));
    expect(info).to.include({ name: "Assay agreement verifier", records: 0 });
  });

  it("refuses a sender that the agreement does not name", async () => {
    const result = await adjudicate(caseOf(), { sender: `0x${"99".repeat(20)}` });
    expect(result.kind).to.equal("user-error");
    expect(textOf(result)).to.match(/^\[EXPECTED\] sender: the agreement does not name /);
  });

  it("refuses a second record of the same sender and key", async () => {
    const item = caseOf();
    const state = (await adjudicate(item)).state!;
    const again = await adjudicate(item, { state });
    expect(textOf(again)).to.match(/^\[EXPECTED\] key: this sender has a record/);
    expect(again.state).to.equal(null);
    expect(SENDER).to.not.equal("");
  });
});
