import { Interface, getAddress } from "ethers";
import fc from "fast-check";
import { expect } from "chai";
import {
  audit,
  canonicalize,
  certificatesIn,
  historyOf,
  parseStrict,
  toTermsStruct,
  verdictQuorumAbi,
  agreementEscrowAbi,
  type Certificate,
  type Evidence,
  type Hex,
  type Terms,
} from "@assay/protocol";
import { settledCase } from "./support/case.ts";
import {
  flipped,
  flippedAt,
  leavesOf,
  nameOf,
  replaced,
  textIn,
  withText,
  type Member,
} from "./support/flip.ts";

const quorumInterface = new Interface(verdictQuorumAbi);
const escrowInterface = new Interface(agreementEscrowAbi);

/** The steps that fail. */
const failing = (evidence: Evidence): string[] =>
  audit(evidence).steps.flatMap(({ id, result }) => (result === "FAIL" ? [id] : []));

/** Which step answers for which document. */
const STEP_OF: Readonly<Record<Member, string>> = {
  agreement: "agreementHash",
  submission: "submissionHash",
  verdictRecord: "verdictHash",
  stored: "adjudicationHash",
};
const MEMBERS = Object.keys(STEP_OF) as Member[];

describe("tampering: every field", function () {
  this.timeout(60_000);
  let evidence: Evidence;

  before(async () => {
    evidence = await settledCase({ signing: [0, 1, 2] });
    expect(failing(evidence)).to.deep.equal([]);
  });

  for (const member of MEMBERS) {
    it(`of the ${member}: the audit fails and names ${STEP_OF[member]}`, () => {
      const document = parseStrict(textIn(evidence, member));
      const leaves = leavesOf(document);
      expect(leaves.length).to.be.greaterThan(3);
      for (const leaf of leaves) {
        const text = canonicalize(replaced(document, leaf.path, flipped(leaf.value)));
        expect(failing(withText(evidence, member, text)), nameOf(leaf)).to.include(STEP_OF[member]);
      }
    });
  }

  it("of the terms: the audit fails and names agreementId", () => {
    const { terms } = historyOf(evidence).funded!;
    for (const member of Object.keys(terms) as (keyof Terms)[]) {
      const other = { ...terms, [member]: otherThan(terms[member]) };
      const { data } = escrowInterface.encodeEventLog("Funded", [
        evidence.agreementId,
        terms.buyer,
        terms.seller,
        toTermsStruct(other),
      ]);
      const changed = replaced(evidence, ["evm", "transactions", 0, "logs", 0, "data"], data);
      expect(failing(changed), member).to.include.members(["agreementId", "inclusion"]);
    }
  });

  it("of the certificate: the audit fails and names the step that holds that field", () => {
    const [certificate] = certificatesIn(
      evidence.evm.transactions[2]!.input,
      historyOf(evidence).funded!.terms.adjudicator,
      evidence.evm.chainId,
    );
    const steps: Record<keyof Certificate, string[]> = {
      terms: ["certificateTerms"],
      verdict: ["certificate", "signatures"],
      members: ["quorum"],
      threshold: ["quorum"],
      signatures: ["signatures"],
    };
    // The third signature is one more than were needed: the quorum did not read it.
    const isSpare = (path: readonly unknown[]): boolean => path[0] === "signatures" && path[1] === 2;
    const leaves = leavesOf(certificate).filter(({ path }) => path[0] !== "members" && !isSpare(path));
    for (const leaf of leaves) {
      const changed = delivered(evidence, replaced(certificate!, leaf.path, otherThan(leaf.value)));
      expect(failing(changed), nameOf(leaf)).to.include.members(steps[leaf.path[0] as keyof Certificate]);
    }
    // A member can't be changed by a digit without leaving the ascending order, so each is left out instead.
    for (const index of certificate!.members.keys()) {
      const without = {
        ...certificate!,
        members: certificate!.members.toSpliced(index, 1),
        signatures: certificate!.signatures.toSpliced(index, 1),
      };
      expect(failing(delivered(evidence, without)), `member ${index}`).to.include("quorum");
    }
  });

  it("of a signature beyond the threshold, which nobody counted: it is named, and fails nothing", () => {
    const { input } = evidence.evm.transactions[2]!;
    const { adjudicator } = historyOf(evidence).funded!.terms;
    const [certificate] = certificatesIn(input, adjudicator, evidence.evm.chainId);
    const garbage = `0x${"ab".repeat(65)}` as const;
    const report = audit(delivered(evidence, replaced(certificate!, ["signatures", 2], garbage)));
    expect(report.failed).to.equal(0);
    const step = report.steps.find(({ id }) => id === "signatures");
    expect(step?.note).to.include(`not signed by ${certificate!.members[2]!}`);
    // The same in a place that the quorum's event counted.
    const counted = delivered(evidence, replaced(certificate!, ["signatures", 1], garbage));
    expect(failing(counted)).to.include("signatures").and.not.to.include("threshold");
  });

  /** Where a flip is noticed, by its place in the evidence; several entries where any of them may. */
  const NOTICED: Readonly<Record<string, string>> = {
    agreementId: "agreementId",
    "evm.chainId": "agreementId",
    "evm.escrow": "agreementId",
    "evm.token": "amounts",
    "evm.blocks[].number": "inclusion",
    "evm.blocks[].hash": "inclusion",
    "evm.blocks[].timestamp": "inclusion",
    "evm.blocks[].header": "inclusion",
    "evm.transactions[].block": "inclusion",
    "evm.transactions[].index": "inclusion",
    "evm.transactions[].logs[].address": "inclusion",
    "evm.transactions[].logs[].topics[]": "inclusion",
    "evm.transactions[].logs[].data": "inclusion",
    "evm.transactions[].receiptProof[]": "inclusion",
    "documents.agreement": "agreementHash",
    "documents.submission": "submissionHash",
    verdictRecord: "verdictHash",
    "judge.chainId": "judgeNetwork",
    "judge.consensusMain": "judgeNetwork",
    "judge.transactions[].status": "judgeStatus",
    "judge.transactions[].result": "judgeResult",
    "judge.transactions[].execution": "judgeExecution",
    "judge.transactions[].sender": "judgeSender",
    "judge.transactions[].recipient": "judgeRecipient",
    "judge.transactions[].leaderOnly": "judgeLeaderOnly",
    "judge.transactions[].calldata": "judgeCalldata",
    "judge.record.version": "judgeRecord",
    "judge.record.sequence": "judgeRecord",
    "judge.record.sender": "judgeRecord",
    "judge.record.key": "judgeRecord",
    "judge.record.record": "adjudicationHash",
    "judge.record.adjudicationHash": "adjudicationHash",
    "judge.records[].sender": "canonicalRecord",
    "judge.code": "codeHash",
  };

  /** Values that a flip leaves within what is allowed, or that name something without saying anything about it. */
  const HARMLESS: readonly string[] = [
    "schema",
    "evm.finalizedBlock",
    "evm.transactions[].hash",
    "evm.transactions[].to",
    "evm.transactions[].input",
    "judge.transactions[].id",
    "judge.transactions[].initialValidators",
    "judge.transactions[].participants",
    "judge.records[].sequence",
  ];

  it("of everything else in a bundle: the audit fails and names the step, or the field is listed here", () => {
    for (const leaf of leavesOf(evidence)) {
      const name = nameOf(leaf).replaceAll(".[]", "[]");
      if (HARMLESS.includes(name) || leaf.value === null) continue;
      expect(NOTICED, "every field is accounted for").to.have.property(name);
      const value = otherThan(leaf.value);
      expect(failing(replaced(evidence, leaf.path, value)), nameOf(leaf)).to.include(NOTICED[name]);
    }
  });

  it("too few validators, or a block that is not final, are too few and not final", () => {
    const few = replaced(evidence, ["judge", "transactions", 0, "participants"], 4);
    expect(failing(few)).to.deep.equal(["judgeValidators"]);
    const early = replaced(evidence, ["evm", "finalizedBlock"], 101);
    expect(failing(early)).to.deep.equal(["finality"]);
  });

  /** As `flipped`, with addresses in EIP-55 as bundles have them, and whatever kind of integer. */
  function otherThan(value: unknown): unknown {
    if (typeof value === "bigint") return value + 1n;
    const other = flipped(value);
    return typeof other === "string" && /^0x[0-9a-fA-F]{40}$/.test(other)
      ? getAddress(other.toLowerCase())
      : other;
  }
});

describe("tampering: every byte", function () {
  this.timeout(180_000);
  let evidence: Evidence;

  before(async () => {
    evidence = await settledCase();
  });

  it("of the packed certificate: the audit fails and names a step of the certificate", () => {
    const { input } = evidence.evm.transactions[2]!;
    // Selector, offset and length are the call's, and the zeros that fill the last word are nobody's.
    const start = 2 + 2 * (4 + 32 + 32);
    const size = Number(`0x${input.slice(start - 64, start)}`);
    for (let byte = 0; byte < size; byte++) {
      const changed = replaced(
        evidence,
        ["evm", "transactions", 2, "input"],
        flippedAt(input, start + 2 * byte + 1),
      );
      const steps = failing(changed);
      const named = steps.some((id) =>
        ["quorum", "certificateTerms", "certificate", "signatures"].includes(id),
      );
      expect(named, `byte ${byte}: ${steps.join(", ")}`).to.equal(true);
    }
  });

  it("of any document, record or event, at random: the audit fails and names the step", () => {
    const places = fc.constantFrom<readonly [string, readonly (string | number)[]]>(
      ["agreementHash", ["documents", "agreement"]],
      ["submissionHash", ["documents", "submission"]],
      ["verdictHash", ["verdictRecord"]],
      ["adjudicationHash", ["judge", "record", "record"]],
      ["agreementId", ["evm", "transactions", 0, "logs", 0, "data"]],
      ["submissionHash", ["evm", "transactions", 1, "logs", 0, "data"]],
      ["inclusion", ["evm", "transactions", 2, "logs", 1, "data"]],
      ["judgeCalldata", ["judge", "transactions", 0, "calldata"]],
    );
    fc.assert(
      fc.property(places, fc.nat(), ([step, path], at) => {
        const text = path.reduce<unknown>(
          (node, key) => Reflect.get(node as object, key),
          evidence,
        ) as string;
        const from = text.startsWith("0x") ? 2 : 0;
        const index = from + (at % (text.length - from));
        expect(failing(replaced(evidence, path, flippedAt(text, index)))).to.include(step);
      }),
      { numRuns: 150, seed: 7 },
    );
  });
});

/** The evidence with that certificate in the settling transaction's calldata. */
function delivered(evidence: Evidence, certificate: Certificate): Evidence {
  const { terms, verdict, members, threshold, signatures } = certificate;
  const input = quorumInterface.encodeFunctionData("deliver", [
    { terms: toTermsStruct(terms), verdict, quorum: { members, threshold }, signatures },
  ]) as Hex;
  return replaced(evidence, ["evm", "transactions", 2, "input"], input);
}
