import { expect } from "chai";
import {
  audit,
  toAddress,
  type AuditStep,
  type Evidence,
  type Hex,
  type JudgeTransactionEvidence,
} from "@assay/protocol";
import { settledCase } from "./support/case.ts";

const OTHER = toAddress(`0x${"4".repeat(40)}`);
const STRANGER = toAddress(`0x${"9".repeat(40)}`);
const ID: Hex = `0x${"73".repeat(32)}`;

/** What another relayer's transaction was, beside what the verdict's own one was. */
type Changes = Partial<JudgeTransactionEvidence>;

describe("canonical record", () => {
  let evidence: Evidence;

  before(async () => {
    evidence = await settledCase({ otherRelayers: [OTHER] });
  });

  /** The step's finding with a record of number 3, where the verdict's is number 4. */
  function withLower(sender: typeof OTHER, transactions?: readonly Changes[]): AuditStep {
    const judge = evidence.judge!;
    const [own] = judge.transactions;
    const rivals = transactions?.map((changes) => ({ ...own!, id: ID, sender, ...changes }));
    const lower = { sender, sequence: 3, ...(rivals === undefined ? {} : { transactions: rivals }) };
    const changed = { ...evidence, judge: { ...judge, records: [...judge.records!, lower] } };
    return audit(changed).steps.find(({ id }) => id === "canonicalRecord")!;
  }

  it("fails when a named relayer's lower-numbered record counts", () => {
    const step = withLower(OTHER, [{}]);
    expect(step).to.include({
      result: "FAIL",
      expected: "4",
      note: `record 3 of ${OTHER} comes first: transaction ${ID} counts`,
    });
  });

  it("passes over a lower-numbered record of somebody who is not named", () => {
    expect(withLower(STRANGER)).to.include({ result: "PASS" });
  });

  const conditions: readonly [string, Changes, string][] = [
    ["ran on its leader alone", { leaderOnly: true }, "leader only true"],
    ["had too few validators", { participants: 4 }, "validators 5 asked for, 4 took part"],
    ["was not final", { status: "ACCEPTED" }, "status ACCEPTED"],
    ["was not agreed on", { result: "NO_MAJORITY" }, "result NO_MAJORITY"],
    ["ended in an error", { execution: "FINISHED_WITH_ERROR" }, "execution FINISHED_WITH_ERROR"],
    ["went elsewhere", { recipient: STRANGER }, `recipient ${STRANGER}`],
    ["carried something else", { calldata: "0x00" }, "calldata SHA-256 "],
  ];
  for (const [what, changes, says] of conditions) {
    it(`passes when the transaction behind the lower-numbered record ${what}, and says so`, () => {
      const step = withLower(OTHER, [changes]);
      expect(step.result).to.equal("PASS");
      expect(step.note).to.include(`record 3 of ${OTHER} does not count: transaction ${ID} has ${says}`);
    });
  }

  it("fails when one of several transactions counts", () => {
    expect(withLower(OTHER, [{ leaderOnly: true }, {}])).to.include({ result: "FAIL" });
  });

  it("is not checked when nobody looked for the transaction, when there is none, or when it is not told", () => {
    const notes = [withLower(OTHER), withLower(OTHER, []), withLower(OTHER, [{ status: null }])].map(
      ({ result, note }) => `${result}: ${note}`,
    );
    expect(notes).to.deep.equal([
      `NOT_CHECKED: record 3 of ${OTHER} is numbered lower; its transaction was not looked for`,
      `NOT_CHECKED: record 3 of ${OTHER} is numbered lower; the transaction that stored it was not found`,
      `NOT_CHECKED: record 3 of ${OTHER} is numbered lower; the network does not tell status of transaction ${ID}`,
    ]);
  });
});
