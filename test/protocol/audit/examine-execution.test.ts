import {
  type AuditStep,
  type ExecutionFacts,
  type ExecutionReport,
  type Hex,
  type Terms,
  agreementIdOf,
  examineExecution,
  executionGateConfigOf,
  executionTerminalTypedData,
  executionVerdictHash,
  toAddress,
  typedDataDigest,
} from "@assay/protocol";
import { expect } from "chai";
import { AbiCoder, Wallet, id, keccak256 } from "ethers";
import { executionChainVectors } from "../execution/support/vectors.ts";

const vectors = executionChainVectors();
const mission = vectors.missions[0]!;
const RECORDER = toAddress(vectors.recorder.address);
const OTHER: Hex = `0x${"99".repeat(32)}`;
const { chainId, verifyingContract } = vectors.domain;
const escrow = toAddress(verifyingContract);

/** The first mission of the vectors, for the agreement that its recorder signed for. */
const WALK: ExecutionFacts = {
  execution: { nonce: mission.nonce, recorder: RECORDER, steps: [...mission.steps] },
  records: mission.records,
  terminal: mission.terminal,
  signature: mission.signature,
  committedRoot: mission.committedRoot,
  subject: { chainId, escrow, agreementId: mission.agreementId },
};

const TERMS: Terms = {
  buyer: toAddress(`0x${"b0".repeat(20)}`),
  seller: toAddress(`0x${"5e".repeat(20)}`),
  reward: 10_000n,
  agreementHash: OTHER,
  adjudicator: toAddress(`0x${"ad".repeat(20)}`),
  adjudicatorConfig: executionGateConfigOf(mission.committedRoot, RECORDER),
  deliverBy: 2_000_000_000,
  adjudicateBy: 2_000_100_000,
  noVerdictSellerBps: 0,
  salt: 7n,
};

/** The same walk under terms that a gate decides, all of it known. */
function gated(terms: Partial<Terms> = {}): ExecutionFacts {
  const all = { ...TERMS, ...terms };
  const subject = { chainId, escrow, agreementId: agreementIdOf(all, chainId, escrow) };
  const digest = typedDataDigest(executionTerminalTypedData({ ...mission, ...subject }));
  return {
    ...WALK,
    subject,
    terms: all,
    agreementHash: OTHER,
    gate: { submitted: mission.terminal },
    signature: new Wallet(vectors.recorder.privateKey).signingKey.sign(digest).serialized,
  };
}

function stepOf(report: ExecutionReport, stepId: string): AuditStep {
  return report.steps.find((step) => step.id === stepId) ?? expect.fail(`no step ${stepId}`);
}

function failedIn(facts: ExecutionFacts): string[] {
  return examineExecution(facts)
    .steps.filter(({ result }) => result === "FAIL")
    .map((step) => step.id);
}

describe("examineExecution", () => {
  it("passes a walk that a gate pays for, every step with the values compared", () => {
    const report = examineExecution(gated());
    expect(report.steps.map(({ id: stepId, result }) => [stepId, result])).to.deep.equal(
      [
        "agreementId",
        "agreementHash",
        "executionRecorder",
        "executionRoot",
        "executionConfig",
        "executionRecords",
        "executionTerminal",
        "executionSubmission",
        "executionSignature",
      ].map((stepId) => [stepId, "PASS"]),
    );
    expect(report).to.include({
      result: "PASS",
      failed: 0,
      notChecked: 0,
      committedRoot: mission.committedRoot,
      terminal: mission.terminal,
    });
    for (const { expected, actual } of report.steps) {
      expect(expected).to.be.a("string").that.is.not.equal("");
      expect(actual).to.be.a("string").that.is.not.equal("");
    }
  });

  it("recomputes every call of it", () => {
    const { calls } = examineExecution(WALK);
    expect(calls.map(({ attestation, chain }) => ({ attestation, chain }))).to.deep.equal(
      mission.records.map(({ attestation, chain }) => ({ attestation, chain })),
    );
    expect(calls.map(({ finding }) => finding.result)).to.deep.equal(mission.records.map(() => "PASS"));
  });

  it("says of an agreement that a judge decides nothing about a gate", () => {
    const { gate, ...judged } = gated({ adjudicatorConfig: OTHER });
    expect(gate).to.not.equal(undefined);
    expect(examineExecution(judged)).to.include({ result: "PASS" });
  });

  for (const { name, claim, code } of vectors.claims) {
    it(`${code === null ? "passes" : "fails"} ${name}`, () => {
      const facts: ExecutionFacts = {
        execution: { nonce: claim.nonce, recorder: RECORDER, steps: [...claim.steps] },
        records: claim.records,
        terminal: claim.terminal,
        signature: mission.signature,
        subject: WALK.subject!,
        ...(claim.committedRoot !== undefined && { committedRoot: claim.committedRoot }),
      };
      expect(failedIn(facts).length > 0).to.equal(code !== null);
    });
  }

  const foreign = Wallet.createRandom();
  const DOUBTS: [name: string, facts: ExecutionFacts, failed: string[]][] = [
    ["terms of another agreement", { ...gated(), terms: { ...TERMS, salt: 8n } }, ["agreementId"]],
    ["another agreement document", { ...gated(), agreementHash: mission.nonce }, ["agreementHash"]],
    ["terms that commit to another root", gated({ adjudicatorConfig: OTHER }), ["executionConfig"]],
    ["the seller as recorder", gated({ seller: RECORDER }), ["executionRecorder"]],
    ["the buyer as recorder", gated({ buyer: RECORDER }), ["executionRecorder"]],
    ["another submission on chain", { ...gated(), gate: { submitted: OTHER } }, ["executionSubmission"]],
    [
      "a walk signed for another agreement",
      { ...gated(), signature: mission.signature },
      ["executionSignature"],
    ],
    [
      "another recorder than agreed on",
      {
        ...gated(),
        execution: { ...WALK.execution, recorder: toAddress(foreign.address) },
      },
      ["executionConfig", "executionSignature"],
    ],
    ["a signature that is none", { ...gated(), signature: "0x1234" }, ["executionSignature"]],
    ["a signature that is no hex", { ...gated(), signature: "signed" }, ["executionSignature"]],
    ["a recorder's contract that denies it", { ...gated(), recorderAnswer: false }, ["executionSignature"]],
    [
      "a walk one step short",
      { ...gated(), records: mission.records.slice(0, -1) },
      ["executionRecords", "executionSubmission"],
    ],
    [
      "a chain cut off at its last step, with the chain up to there as its terminal",
      { ...gated(), records: mission.records.slice(0, -1), terminal: mission.records.at(-2)!.chain },
      ["executionRecords", "executionSubmission"],
    ],
  ];
  for (const [name, facts, failed] of DOUBTS) {
    it(`fails ${name}`, () => {
      expect(failedIn(facts)).to.deep.equal(failed);
    });
  }

  it("takes the word of a recorder that is a contract about its own signature", () => {
    const contract = { ...gated(), signature: "0x1234", recorderAnswer: true };
    expect(examineExecution(contract).result).to.equal("PASS");
  });

  it("points at the call that was changed", () => {
    const records = mission.records.map((record, index) =>
      index === 2 ? { ...record, responseHash: OTHER } : record,
    );
    const { calls, result } = examineExecution({ ...WALK, records });
    expect(result).to.equal("FAIL");
    expect(calls.slice(0, 3).map(({ finding }) => finding.result)).to.deep.equal(["PASS", "PASS", "FAIL"]);
    expect(calls[2]!.finding).to.include({
      expected: calls[2]!.attestation,
      actual: mission.records[2]!.attestation,
    });
  });

  it("needs nothing published where the end holds, and blames no step alone where it does not", () => {
    const records = mission.records.map(({ index, requestHash, responseHash }) => ({
      index,
      requestHash,
      responseHash,
    }));
    const resultsOf = (facts: ExecutionFacts) =>
      examineExecution(facts).calls.map(({ finding, chain }) => [finding.result, finding.actual === chain]);
    expect(resultsOf({ ...WALK, records })).to.deep.equal(records.map(() => ["PASS", true]));
    expect(resultsOf({ ...WALK, records, terminal: OTHER })).to.deep.equal(
      records.map(() => ["NOT_CHECKED", false]),
    );
  });

  it("lets a value that was published beside the records decide nothing, and says that it is wrong", () => {
    const records = mission.records.map((record) => ({ ...record, chain: OTHER }));
    const { calls, failed } = examineExecution({ ...WALK, records });
    expect(failed).to.equal(0);
    expect(calls[0]!.finding).to.include({ result: "PASS", actual: OTHER });
    expect(calls[0]!.finding.note).to.contain("decides nothing");
  });

  it("calls a walk that goes on neither good nor bad", () => {
    const records = mission.records.slice(0, 2);
    const report = examineExecution({ ...WALK, records, terminal: null, signature: null });
    expect(report.result).to.equal("INCOMPLETE");
    expect(stepOf(report, "executionRecords").note).to.contain("2 of 5 steps");
    expect(report.calls.map(({ finding }) => finding.result)).to.deep.equal([
      "PASS",
      "PASS",
      "NOT_CHECKED",
      "NOT_CHECKED",
      "NOT_CHECKED",
    ]);
  });

  it("claims nothing without the facts: no terms, no submission, no agreement", () => {
    const { terms, agreementHash, ...unknown } = gated();
    expect([terms, agreementHash]).to.not.include(undefined);
    const report = examineExecution({ ...unknown, gate: { submitted: null } });
    expect(
      report.steps.filter(({ result }) => result === "NOT_CHECKED").map((step) => step.id),
    ).to.deep.equal([
      "agreementId",
      "agreementHash",
      "executionRecorder",
      "executionConfig",
      "executionSubmission",
    ]);
    const { subject, ...unbound } = WALK;
    expect(subject).to.not.equal(undefined);
    expect(stepOf(examineExecution(unbound), "executionSignature").result).to.equal("NOT_CHECKED");
  });

  it("names what the escrow reports for it, as the gate does", () => {
    const word = ["bytes32", "bytes32", "bytes32", "bytes32", "address"];
    const type =
      "ExecutionVerdict(bytes32 agreementId,bytes32 committedRoot,bytes32 terminal,address recorder)";
    const { agreementId, committedRoot, terminal } = mission;
    expect(executionVerdictHash({ agreementId, committedRoot, terminal, recorder: RECORDER })).to.equal(
      keccak256(
        AbiCoder.defaultAbiCoder().encode(word, [id(type), agreementId, committedRoot, terminal, RECORDER]),
      ),
    );
  });
});
