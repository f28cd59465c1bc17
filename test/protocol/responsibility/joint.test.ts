import { readFileSync } from "node:fs";
import { expect } from "chai";
import {
  type Agreement,
  type Finding,
  type JointAgreement,
  type ResponsibilityRecord,
  DocumentError,
  RESPONSIBILITY_VERDICTS,
  agreementIdOf,
  buildVerdictRecord,
  encodeDocument,
  fitsAgreement,
  jointPlanOf,
  jointWorkflowId,
  outcomeForRole,
  parseAgreement,
  parseSubmission,
  parseVerdictRecord,
  roleIn,
  sha256,
  verdictHash,
  workflowDigest,
  workflowKey,
} from "@assay/protocol";
import { edited } from "../support/edit.ts";
import { AGENTS, OUTPUTS, hashOf, jointAgreement, jointSubmission, storedRecord } from "../support/joint.ts";
import { refusalOf } from "../support/refusal.ts";
import { fullDocument } from "../support/vectors.ts";

const ordinary = parseAgreement(fullDocument("agreement").canonical);
const agreement = jointAgreement();
const plan = jointPlanOf(agreement);
const STEP = { index: 0, method: "GET", pathTemplate: "/a", auth: false } as const;
const hash = (byte: string) => `0x${byte.repeat(32)}` as const;

describe("joint agreements", () => {
  describe("in documents", () => {
    it("are read as they were written, and leave every other agreement as it was", () => {
      const bytes = encodeDocument(agreement);
      expect(parseAgreement(bytes)).to.deep.equal(agreement);
      expect(Buffer.from(encodeDocument(ordinary)).toString()).to.equal(fullDocument("agreement").canonical);
    });

    const { joint } = agreement;
    const one = ordinary.requirements[0]!;
    const refused: readonly (readonly [string, Partial<Agreement>, string])[] = [
      ["requirements beside the obligations", { requirements: [one] }, "requirements"],
      ["evidence beside the outputs", { evidenceRequired: ["a log"] }, "evidenceRequired"],
      ["reporters", { reporters: [{ id: "lab", address: joint.escrow }] }, "reporters"],
      [
        "steps to walk",
        { execution: { nonce: hash("01"), recorder: joint.escrow, steps: [STEP] } },
        "execution",
      ],
      [
        "one seller on both sides",
        { joint: { ...joint, b: { ...joint.b, seller: joint.a.seller } } },
        "joint.b.seller",
      ],
      [
        "an amount with a leading zero",
        { joint: { ...joint, a: { ...joint.a, reward: "07" } } },
        "joint.a.reward",
      ],
      [
        "an amount beyond 256 bits",
        { joint: { ...joint, a: { ...joint.a, salt: (2n ** 256n).toString() } } },
        "joint.a.salt",
      ],
      [
        "an obligation that the contract would refuse",
        { joint: { ...joint, a: { ...joint.a, obligation: "x".repeat(6_001) } } },
        "joint.a.obligation",
      ],
      [
        "more relayers than a workflow takes assessors",
        {
          adjudication: {
            ...agreement.adjudication,
            relayers: Array.from(
              { length: 9 },
              (_unused, index) => `0x${`${index + 1}`.repeat(40)}` as const,
            ),
          },
        },
        "adjudication.relayers",
      ],
    ];
    for (const [what, changes, path] of refused)
      it(`refuse ${what}`, () => {
        const error = refusalOf(DocumentError, () => encodeDocument({ ...agreement, ...changes }));
        expect([error.code, error.path]).to.deep.equal(["invalid", path]);
        for (const { hint } of error.issues) expect(hint).to.match(/^[A-Z].*\.$/);
      });

    it("refuse unknown members", () => {
      const document = edited(Buffer.from(encodeDocument(agreement)).toString(), [
        { path: ["joint", "role"], value: "A" },
      ]);
      expect(refusalOf(DocumentError, () => encodeDocument(document as unknown as Agreement)).path).to.equal(
        "joint",
      );
    });

    it("are none without a requirement and without sides", () => {
      const { joint: _sides, ...rest } = agreement;
      expect(refusalOf(DocumentError, () => encodeDocument(rest)).path).to.equal("requirements");
    });
  });

  describe("make two escrow agreements and one workflow", () => {
    it("whose ids are the digests of the two sides' terms", () => {
      for (const role of ["A", "B"] as const) {
        const { terms, agreementId } = plan.sides[role];
        expect(terms.agreementHash).to.equal(hashOf(agreement));
        expect(agreementIdOf(terms, agreement.joint.chainId, agreement.joint.escrow)).to.equal(agreementId);
        expect(roleIn(plan, agreementId)).to.equal(role);
      }
      expect(plan.sides.A.agreementId).to.not.equal(plan.sides.B.agreementId);
      expect(roleIn(plan, hash("99"))).to.equal(null);
    });

    it("whose workflow has the sellers as agents and the relayers as assessors", () => {
      const { workflow, place } = plan;
      expect([workflow.agentA, workflow.agentB]).to.deep.equal([AGENTS.A.address, AGENTS.B.address]);
      expect(workflow.assessors).to.deep.equal(agreement.adjudication.relayers);
      expect(place.workflowKey).to.equal(workflowKey(workflow));
      expect(plan.workflowDigest).to.equal(workflowDigest(workflow));
    });

    it("whose workflow's id is the SHA-256 of the money of both sides", () => {
      const text = (value: string): Buffer => {
        const bytes = Buffer.from(value);
        const size = Buffer.alloc(8);
        size.writeBigUInt64BE(BigInt(bytes.length));
        return Buffer.concat([size, bytes]);
      };
      const { joint } = agreement;
      const fields = [
        text("assay/joint/1"),
        text("31337"),
        text(joint.escrow.toLowerCase()),
        text(joint.adjudicator.toLowerCase()),
        Buffer.from(`0000000000000020${joint.adjudicatorConfig.slice(2)}`, "hex"),
        text("1800001000"),
        text("1800009000"),
        ...[joint.a, joint.b].flatMap((side) => [
          text(side.buyer.toLowerCase()),
          text(side.seller.toLowerCase()),
          text(side.reward),
          text(String(side.noVerdictSellerBps)),
          text(side.salt),
        ]),
      ];
      expect(`0x${jointWorkflowId(joint)}`).to.equal(sha256(Buffer.concat(fields)));
    });

    const { joints } = JSON.parse(
      readFileSync(new URL("../../vectors/responsibility.json", import.meta.url), "utf8"),
    ) as { joints: { name: string; joint: JointAgreement["joint"]; workflowId: string }[] };
    for (const vector of joints)
      it(`is what a second implementation says: ${vector.name}`, () => {
        expect(jointWorkflowId(vector.joint)).to.equal(vector.workflowId);
      });

    const { joint } = agreement;
    const money: readonly (readonly [string, Partial<JointAgreement["joint"]>])[] = [
      ["another reward", { a: { ...joint.a, reward: "40000001" } }],
      ["another buyer", { b: { ...joint.b, buyer: joint.a.buyer } }],
      ["another share without a verdict", { b: { ...joint.b, noVerdictSellerBps: 0 } }],
      ["another salt", { a: { ...joint.a, salt: "3" } }],
      ["roles swapped", { a: joint.b, b: joint.a }],
      ["another escrow", { escrow: joint.adjudicator }],
      ["another chain", { chainId: 1 }],
      ["other operators", { adjudicatorConfig: hash("38") }],
      ["another deadline", { adjudicateBy: joint.adjudicateBy + 1 }],
    ];
    for (const [what, changes] of money)
      it(`none of which is that of ${what}`, () => {
        const other = jointPlanOf(jointAgreement(changes));
        expect(other.place.workflowKey).to.not.equal(plan.place.workflowKey);
        for (const { agreementId } of Object.values(other.sides))
          expect(roleIn(plan, agreementId)).to.equal(null);
      });

    it("the texts of which are what the agents consent to", () => {
      const other = jointPlanOf(jointAgreement({ acceptanceCriteria: "Anything goes." }));
      expect(other.place.workflowKey).to.equal(plan.place.workflowKey);
      expect(other.workflowDigest).to.not.equal(plan.workflowDigest);
    });
  });

  describe("take submissions", () => {
    it("that hold the agent's output with its signature", async () => {
      for (const role of ["A", "B"] as const) {
        const submission = await jointSubmission(agreement, role);
        expect(parseSubmission(encodeDocument(submission))).to.deep.equal(submission);
        expect(fitsAgreement(agreement, submission)).to.equal(true);
      }
    });

    it("and none without one, or with somebody else's, or about something else", async () => {
      const submission = await jointSubmission(agreement, "A");
      const { output, ...bare } = submission;
      const others = [
        bare,
        { ...submission, output: { ...output!, text: "Another output." } },
        await jointSubmission(agreement, "A", { signer: AGENTS.B }),
        await jointSubmission(agreement, "A", { of: jointAgreement({ patience: 2, chainId: 1 }) }),
        { ...submission, agreementId: hash("99") },
        // The other side's agreement does not take this agent's output.
        { ...submission, agreementId: plan.sides.B.agreementId },
      ];
      for (const other of others) expect(fitsAgreement(agreement, other)).to.equal(false);
    });

    it("while agreements of one seller take none with an output", async () => {
      const submission = await jointSubmission(agreement, "A");
      expect(fitsAgreement(ordinary, submission)).to.equal(false);
      const { output: _output, ...bare } = submission;
      expect(fitsAgreement(ordinary, bare)).to.equal(true);
    });
  });

  describe("end by the workflow's verdict", () => {
    const submissionHashes = { A: hash("5a"), B: hash("5b") };
    const finding = (record: ResponsibilityRecord, changes: object = {}): Finding => ({
      kind: "attributed",
      record,
      outputs: OUTPUTS,
      partnerSubmissionHash: submissionHashes.B,
      transaction: hash("91"),
      ...changes,
    });
    const build = (found: Finding, of: Agreement = agreement, agreementId = plan.sides.A.agreementId) =>
      buildVerdictRecord({
        agreement: of,
        agreementId,
        submissionHash: submissionHashes.A,
        chainId: agreement.joint.chainId,
        escrow: agreement.joint.escrow,
        finding: found,
      });

    it("for each agent: not at fault is PASS, at fault is FAIL, INCONCLUSIVE is UNDETERMINED", () => {
      const pairs = RESPONSIBILITY_VERDICTS.map((verdict) => [
        outcomeForRole(verdict, "A"),
        outcomeForRole(verdict, "B"),
      ]);
      expect(pairs).to.deep.equal([
        ["FAIL", "PASS"],
        ["PASS", "FAIL"],
        ["FAIL", "FAIL"],
        ["PASS", "PASS"],
        ["UNDETERMINED", "UNDETERMINED"],
      ]);
    });

    for (const verdict of RESPONSIBILITY_VERDICTS)
      it(`${verdict}: each side's record has its outcome, and names the other side`, () => {
        const stored = storedRecord(agreement, verdict);
        const a = build(finding(stored));
        const b = build(
          finding(stored, { partnerSubmissionHash: submissionHashes.A }),
          agreement,
          plan.sides.B.agreementId,
        );
        expect([a.outcome, b.outcome]).to.deep.equal([
          outcomeForRole(verdict, "A"),
          outcomeForRole(verdict, "B"),
        ]);
        expect(a.responsibility).to.deep.include({
          verdict,
          role: "A",
          partner: { agreementId: plan.sides.B.agreementId, submissionHash: submissionHashes.B },
        });
        expect([a.relayer, a.transactions, a.requirements]).to.deep.equal([
          stored.assessor,
          [hash("91")],
          [],
        ]);
        expect(parseVerdictRecord(encodeDocument(a))).to.deep.equal(a);
        expect(verdictHash(a)).to.not.equal(verdictHash(b));
      });

    const stored = storedRecord(agreement, "AGENT_B_FAULT");
    const strangers: readonly (readonly [string, Finding])[] = [
      ["another workflow", finding({ ...stored, workflowKey: hash("01") })],
      ["a commitment to other texts", finding({ ...stored, workflowDigest: hash("01") })],
      ["other outputs", finding({ ...stored, assessmentDigest: hash("01") })],
      [
        "an output that was not submitted",
        finding(stored, { outputs: { ...OUTPUTS, B: "Something else." } }),
      ],
      ["a verdict that its digest does not hold", finding({ ...stored, verdict: "AGENT_A_FAULT" })],
      ["another place among the records", finding({ ...stored, sequence: 8 })],
      [
        "an assessor whom the agreement does not name",
        finding({ ...stored, assessor: AGENTS.A.address as `0x${string}` }),
      ],
    ];
    for (const [what, found] of strangers)
      it(`but not by a record about ${what}`, () => {
        expect(refusalOf(DocumentError, () => build(found)).code).to.equal("mismatch");
      });

    it("but not for an agreement that is neither side, or has one seller", () => {
      expect(refusalOf(DocumentError, () => build(finding(stored), agreement, hash("99"))).path).to.equal(
        "joint",
      );
      expect(refusalOf(DocumentError, () => build(finding(stored), ordinary)).path).to.equal("joint");
    });

    it("or by the agreed rounds, or because the submission was withheld, as any other", () => {
      const undetermined = build({ kind: "undetermined", transactions: [hash("91"), hash("92")] });
      expect([undetermined.outcome, undetermined.responsibility]).to.deep.equal(["UNDETERMINED", undefined]);
      expect(build({ kind: "withheld" }).outcome).to.equal("WITHHELD");
    });

    it("and a record whose outcome is not the verdict's for its side is none", () => {
      const record = build(finding(stored));
      for (const [changes, path] of [
        [{ outcome: "FAIL" }, "responsibility"],
        [{ outcome: "WITHHELD" }, "responsibility"],
        [{ responsibility: { ...record.responsibility, role: "B" } }, "responsibility"],
        [{ transactions: [] }, "transactions"],
        [{ transactions: [hash("91"), hash("92")] }, "transactions"],
        [{ adjudicationHash: hash("93") }, "adjudicationHash"],
        [{ requirements: [{ id: "R1", result: "PASS", decidedBy: "model" }] }, "requirements"],
      ] as const) {
        const spoilt = { ...record, ...changes } as typeof record;
        expect(refusalOf(DocumentError, () => encodeDocument(spoilt)).path, path).to.equal(path);
      }
      const { relayer: _relayer, ...anonymous } = record;
      expect(refusalOf(DocumentError, () => encodeDocument(anonymous)).path).to.equal("relayer");
    });
  });
});
