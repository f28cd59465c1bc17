import { expect } from "chai";
import {
  assess,
  readStudioTransaction,
  verdictConditions,
  type Condition,
  type VerdictFacts,
} from "../../../oracle/src/judge/index.ts";
import { NO_RECORD, agreement, facts, recordOf, transaction } from "../support/facts.ts";
import { SUBMISSION, hash } from "../support/states.ts";

const STRANGER = "0x1111111111111111111111111111111111111111";

function unmet(of: VerdictFacts): readonly Condition[] {
  return verdictConditions(of).map(({ condition }) => condition);
}

describe("verdictConditions", () => {
  it("are all met by a final, agreed, successful judgement of this very submission", () => {
    expect(unmet(facts())).to.deep.equal([]);
    expect(unmet(facts({}, { result: "AGREE" }))).to.deep.equal([]);
  });

  const single: readonly (readonly [string, Condition, VerdictFacts])[] = [
    ["a sender that the agreement does not name", "sender", facts({}, { sender: STRANGER })],
    ["an unknown sender", "sender", facts({}, { sender: null })],
    ["another contract", "recipient", facts({}, { recipient: STRANGER })],
    ["an unknown recipient", "recipient", facts({}, { recipient: null })],
    ["a run of the leader alone", "leaderOnly", facts({}, { leaderOnly: true })],
    ["no word about who ran it", "leaderOnly", facts({}, { leaderOnly: null })],
    ["too few validators asked for", "validators", facts({}, { initialValidators: 4 })],
    ["too few that took part", "validators", facts({}, { participants: 4 })],
    ["no word about validators", "validators", facts({}, { initialValidators: null })],
    ["no word about participants", "validators", facts({}, { participants: null })],
    ["other documents in the transaction", "calldata", facts({}, { calldata: "0x1605" })],
    ["unknown calldata", "calldata", facts({}, { calldata: null })],
    ["no record", "recordPresent", facts({ records: [NO_RECORD, NO_RECORD] })],
    ["an unreadable record", "recordPresent", facts({ records: [null, null] })],
    [
      "two reads that differ",
      "recordStable",
      facts({ records: [recordOf(), recordOf({}, { sequence: 8 })] }),
    ],
    ["a second read that fails", "recordStable", facts({ records: [recordOf(), null] })],
    ["swapped code", "codeHash", facts({ codeHash: hash(0x66) })],
    ["no code", "codeHash", facts({ codeHash: null })],
    [
      "an escrow that settled",
      "escrow",
      facts({
        escrow: { status: "Released", submissionHashPrefix: SUBMISSION.slice(0, 64) as `0x${string}` },
      }),
    ],
    [
      "an escrow with another submission",
      "escrow",
      facts({
        escrow: { status: "Submitted", submissionHashPrefix: hash(0x52).slice(0, 64) as `0x${string}` },
      }),
    ],
    ["an unreadable escrow", "escrow", facts({ escrow: null })],
  ];
  for (const [what, condition, of] of single)
    it(`fail on ${what}, and on nothing else`, () => {
      // A stranger's record is about a stranger, so that condition falls with the sender.
      const also = condition === "sender" ? ["recordSubject"] : [];
      expect(unmet(of)).to.have.members([condition, ...also]);
    });

  const subjects: readonly (readonly [string, Record<string, unknown>])[] = [
    ["another key", { adjudicationKey: hash(1) }],
    ["another agreement document", { agreementHash: hash(1) }],
    ["another agreement", { agreementId: hash(1) }],
    ["another submission", { submissionHash: hash(1) }],
    ["another chain", { chainId: 1 }],
    ["another escrow", { escrow: STRANGER }],
    ["another relayer", { relayer: STRANGER }],
    ["another sequence number", { sequence: 8 }],
  ];
  for (const [what, change] of subjects)
    it(`fail on a record about ${what}`, () => {
      const record = recordOf(change);
      expect(unmet(facts({ records: [record, record] }))).to.deep.equal(["recordSubject"]);
    });

  for (const [what, outer] of [
    ["of an unknown version", { version: 2 }],
    ["kept under another key", { key: hash(1) }],
    ["kept for another sender", { sender: STRANGER }],
    ["whose hash is not that of its text", { adjudicationHash: hash(1) }],
  ] as const)
    it(`fail on a record ${what}`, () => {
      const record = recordOf({}, outer);
      expect(unmet(facts({ records: [record, record] }))).to.deep.equal(["recordSubject"]);
    });

  const PASS_R1 = { id: "R1", result: "PASS", decidedBy: "check", check: "file_exists" };
  for (const [what, change] of [
    [
      "is PASS although a requirement fails",
      { requirements: [PASS_R1, { id: "R2", result: "FAIL", decidedBy: "model" }] },
    ],
    ["is FAIL although every requirement passes", { outcome: "FAIL" }],
    ["is no outcome", { outcome: "MAYBE" }],
    ["leaves a requirement out", { requirements: [PASS_R1] }],
    [
      "judges a requirement that was not agreed",
      { requirements: [PASS_R1, { id: "R3", result: "PASS", decidedBy: "model" }] },
    ],
    [
      "lets a model decide what a check decides",
      {
        requirements: [
          { id: "R1", result: "PASS", decidedBy: "model" },
          { id: "R2", result: "PASS", decidedBy: "model" },
        ],
      },
    ],
    [
      "turns the requirements round",
      { requirements: [{ id: "R2", result: "PASS", decidedBy: "model" }, PASS_R1] },
    ],
  ] as const)
    it(`fail on a record that ${what}`, () => {
      const record = recordOf(change);
      expect(unmet(facts({ records: [record, record] }))).to.deep.equal(["recordOutcome"]);
    });

  it("accept FAIL whose undecided requirements a failed check explains", () => {
    const record = recordOf({
      outcome: "FAIL",
      requirements: [
        {
          id: "R1",
          result: "FAIL",
          decidedBy: "check",
          check: "file_exists",
          detail: "report.md is missing",
        },
        { id: "R2", result: "NOT_JUDGED", decidedBy: "none" },
      ],
    });
    expect(unmet(facts({ records: [record, record] }))).to.deep.equal([]);
  });

  it("demand as many validators as the agreement does", () => {
    const strict = {
      ...facts().subject,
      agreement: { ...agreement, adjudication: { ...agreement.adjudication, minValidators: 11 } },
    };
    expect(unmet(facts({ subject: strict }))).to.deep.equal(["validators"]);
    expect(unmet(facts({ subject: strict }, { initialValidators: 11, participants: 11 }))).to.deep.equal([]);
  });
});

const STATUS_NUMBERS = [...Array.from({ length: 15 }, (_unused, number) => number), 15, 99, undefined];
const RESULT_NUMBERS = [0, 1, 2, 3, 4, 5, 6, 7, 8, undefined];
const EXECUTION_NUMBERS = [0, 1, 2, 3, undefined];

/** A transaction as genlayer-js hands it out on a Studio-like network. */
function raw(changes: Record<string, unknown>): Record<string, unknown> {
  return {
    status: 7,
    result: 6,
    txExecutionResult: 1,
    sender: transaction.sender,
    recipient: transaction.recipient,
    leader_only: false,
    execution_mode: "NORMAL",
    num_of_initial_validators: 5,
    consensus_data: {
      votes: Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`0x${String(n).repeat(40)}`, "agree"])),
    },
    data: { calldata: { base64: "FgQ=" } },
    ...changes,
  };
}

function kindOf(changes: Record<string, unknown>): string {
  const read = readStudioTransaction(transaction.id, raw(changes));
  return read === null ? "unreadable" : assess(facts({}, read)).kind;
}

describe("the truth table of a judge transaction", () => {
  it("knows one combination of status, result and execution that is a verdict, in its two spellings", () => {
    const verdicts = [];
    for (const status of STATUS_NUMBERS)
      for (const result of RESULT_NUMBERS)
        for (const txExecutionResult of EXECUTION_NUMBERS)
          if (kindOf({ status, result, txExecutionResult }) === "verdict")
            verdicts.push([status, result, txExecutionResult]);
    expect(verdicts).to.deep.equal([
      [7, 1, 1],
      [7, 6, 1],
    ]);
  });

  it("acts on nothing but FINALIZED and CANCELED", () => {
    for (const status of STATUS_NUMBERS.filter((number) => number !== 7 && number !== 8))
      expect(["pending", "accepted"], String(status)).to.include(kindOf({ status }));
    expect(kindOf({ status: 5 })).to.equal("accepted");
    expect(kindOf({ status: 8 })).to.equal("void");
  });

  it("counts no round while a record stands, and one when none does", () => {
    const read = readStudioTransaction(transaction.id, raw({ result: 7 }))!;
    expect(assess(facts({}, read)).kind).to.equal("superseded");
    expect(assess(facts({ records: [NO_RECORD, NO_RECORD] }, read)).kind).to.equal("inconclusive");
    expect(assess(facts({ records: [NO_RECORD, null] }, read)).kind).to.equal("hold");
  });

  it("counts FINALIZED with an error as a round without a record", () => {
    const read = readStudioTransaction(transaction.id, raw({ txExecutionResult: 2 }))!;
    expect(assess(facts({ records: [NO_RECORD, NO_RECORD] }, read)).kind).to.equal("inconclusive");
  });

  it("holds when the result or the execution is not told, or unknown", () => {
    for (const changes of [
      { result: undefined },
      { txExecutionResult: undefined },
      { result: 8 },
      { txExecutionResult: 3 },
    ])
      expect(kindOf(changes), JSON.stringify(changes)).to.equal("hold");
  });

  it("holds while an agreed record can't be read yet", () => {
    expect(assess(facts({ records: [NO_RECORD, NO_RECORD] })).kind).to.equal("hold");
    expect(assess(facts({ escrow: null })).kind).to.equal("hold");
    expect(assess(facts({ codeHash: null })).kind).to.equal("hold");
  });

  it("refuses swapped code and a record about something else for good", () => {
    expect(assess(facts({ codeHash: hash(0x66) })).kind).to.equal("refused");
    const record = recordOf({ submissionHash: hash(1) });
    expect(assess(facts({ records: [record, record] })).kind).to.equal("refused");
  });

  for (const [what, changes] of [
    ["run by its leader alone", { leader_only: true }],
    ["in another execution mode", { execution_mode: "LEADER_SELF_VALIDATOR" }],
    ["judged by too few", { num_of_initial_validators: 3 }],
    ["without votes", { consensus_data: { votes: {} } }],
    ["sent by a stranger", { sender: STRANGER }],
    ["sent to another contract", { recipient: STRANGER }],
    ["about other documents", { data: { calldata: { base64: "FgU=" } } }],
  ] as const)
    it(`voids a transaction ${what}`, () => {
      expect(kindOf(changes)).to.equal("void");
    });

  for (const [what, changes] of [
    ["sender", { sender: undefined, from_address: undefined }],
    ["calldata", { data: null }],
    ["execution mode", { leader_only: undefined }],
    ["recipient", { recipient: undefined, to_address: undefined }],
    ["number of validators", { num_of_initial_validators: undefined }],
    ["vote", { consensus_data: null }],
  ] as const)
    it(`holds when the ${what} is not told`, () => {
      expect(kindOf(changes)).to.equal("hold");
    });

  it("reads the names of statuses and results like their numbers", () => {
    const named = {
      status: Number.NaN,
      statusName: "FINALIZED",
      result: undefined,
      result_name: "MAJORITY_AGREE",
      txExecutionResult: undefined,
      txExecutionResultName: "FINISHED_WITH_RETURN",
    };
    expect(kindOf(named)).to.equal("verdict");
    expect(kindOf({ ...named, result_name: undefined, resultName: "AGREE" })).to.equal("verdict");
  });

  it("knows nothing when number and name contradict each other", () => {
    expect(kindOf({ status: 7, statusName: "ACCEPTED" })).to.equal("pending");
    expect(kindOf({ result: 6, result_name: "MAJORITY_DISAGREE" })).to.equal("hold");
    expect(kindOf({ txExecutionResult: 1, txExecutionResultName: "NONDET_DISAGREE" })).to.equal("hold");
    expect(kindOf({ status: 7, statusName: "OUT_OF_FEE" })).to.equal("pending");
  });

  it("takes garbage in any field for missing", () => {
    for (const field of [
      "status",
      "result",
      "txExecutionResult",
      "sender",
      "recipient",
      "leader_only",
      "num_of_initial_validators",
      "consensus_data",
      "data",
    ])
      for (const garbage of [null, {}, [], "", "x", -1, true, 1.5])
        expect(
          kindOf({ [field]: garbage, ...(field === "sender" ? { from_address: garbage } : {}) }),
          `${field} ${JSON.stringify(garbage)}`,
        ).to.not.equal("verdict");
  });
});
