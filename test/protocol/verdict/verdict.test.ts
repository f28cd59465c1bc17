import { Wallet, verifyTypedData } from "ethers";
import { expect } from "chai";
import {
  type AdjudicationRecord,
  type Agreement,
  DocumentError,
  type Finding,
  type Hex,
  OUTCOMES,
  OUTCOME_CODES,
  type Verdict,
  ValueError,
  ZERO_HASH,
  agreementIdOf,
  buildVerdictRecord,
  encodeDocument,
  outcomeOfCode,
  parseAdjudication,
  parseAgreement,
  parseVerdictRecord,
  verdictDigest,
  verdictHash,
  verdictOf,
  verdictTypedData,
} from "@assay/protocol";
import { digestByHand, keccakByHand } from "../support/by-hand.ts";
import { refusalOf } from "../support/refusal.ts";
import { documentVectors, fullDocument, identifierVectors } from "../support/vectors.ts";

const { chainId, quorum, verdicts } = identifierVectors;
const quorumByHand = { name: "Assay Verdict", version: "1", chainId, address: quorum };
const VERDICT_TYPE =
  "Verdict(address escrow,bytes32 agreementId,bytes32 submissionHash,uint8 outcome,bytes32 verdictHash,address judge,bytes32 judgeTx,uint48 notAfter)";

const agreement = parseAgreement(fullDocument("agreement").canonical);
const [passed, failed] = documentVectors.accepted
  .filter(({ format }) => format === "adjudication")
  .map(({ canonical }) => parseAdjudication(canonical)) as [AdjudicationRecord, AdjudicationRecord];
const hashOf = (byte: string): Hex => `0x${byte.repeat(32)}`;

function build(finding: Finding, overrides: { agreement?: Agreement; agreementId?: Hex } = {}) {
  const { agreementId, submissionHash, escrow } = passed;
  return buildVerdictRecord({
    agreement,
    agreementId,
    submissionHash,
    chainId,
    escrow,
    finding,
    ...overrides,
  });
}

describe("outcomes", () => {
  it("have the certificate codes 1 to 4, in order", () => {
    expect(OUTCOMES.map((outcome) => OUTCOME_CODES[outcome])).to.deep.equal([1, 2, 3, 4]);
    expect([1, 2, 3, 4].map(outcomeOfCode)).to.deep.equal(OUTCOMES);
  });

  it("are none for any other code", () => {
    for (const code of [0, 5, -1, 1.5, 255]) expect(outcomeOfCode(code)).to.equal(undefined);
  });
});

describe("verdict certificates", () => {
  for (const { name, record, certificate, digest } of verdicts) {
    it(`${name}: have the vector's hash, members and digest`, () => {
      const parsed = parseVerdictRecord(record);
      expect(verdictHash(parsed)).to.equal(certificate.verdictHash);
      expect(keccakByHand(record)).to.equal(certificate.verdictHash);
      expect(verdictOf(parsed, certificate.notAfter)).to.deep.equal(certificate);
      expect(verdictDigest(certificate, chainId, quorum)).to.equal(digest);
      const { escrow, agreementId, submissionHash, outcome, judge, judgeTx, notAfter } = certificate;
      const members = [
        escrow,
        agreementId,
        submissionHash,
        outcome,
        certificate.verdictHash,
        judge,
        judgeTx,
        notAfter,
      ];
      expect(digestByHand(quorumByHand, VERDICT_TYPE, members)).to.equal(digest);
    });
  }

  const certificate = verdicts[0]!.certificate;

  it("are what ethers signs and recovers", async () => {
    const wallet = new Wallet(hashOf("22"));
    const { domain, types, message } = verdictTypedData(certificate, chainId, quorum);
    const signature = await wallet.signTypedData(domain, types, message);
    expect(verifyTypedData(domain, types, message, signature)).to.equal(wallet.address);
  });

  const changes: { [member in keyof Verdict]: Verdict[member] } = {
    escrow: quorum,
    agreementId: hashOf("01"),
    submissionHash: hashOf("02"),
    outcome: OUTCOME_CODES.FAIL,
    verdictHash: hashOf("03"),
    judge: quorum,
    judgeTx: hashOf("04"),
    notAfter: certificate.notAfter + 1,
  };
  for (const [member, value] of Object.entries(changes)) {
    it(`have another digest with another ${member}`, () => {
      expect(verdictDigest({ ...certificate, [member]: value }, chainId, quorum)).to.not.equal(
        verdicts[0]!.digest,
      );
    });
  }

  it("have another digest on another chain and for another quorum", () => {
    expect(verdictDigest(certificate, chainId + 1, quorum)).to.not.equal(verdicts[0]!.digest);
    expect(verdictDigest(certificate, chainId, certificate.escrow)).to.not.equal(verdicts[0]!.digest);
  });

  it("refuse an outcome that is no uint8", () => {
    expect(
      refusalOf(ValueError, () => verdictDigest({ ...certificate, outcome: 256 }, chainId, quorum)).code,
    ).to.equal("uint_out_of_range");
  });

  it("carry a zero transaction when the submission was withheld, the last one when undetermined", () => {
    expect(verdictOf(build({ kind: "withheld" }), 1).judgeTx).to.equal(ZERO_HASH);
    const transactions = [hashOf("71"), hashOf("72")];
    expect(verdictOf(build({ kind: "undetermined", transactions }), 1).judgeTx).to.equal(hashOf("72"));
  });
});

describe("buildVerdictRecord", () => {
  const findings: readonly [name: string, finding: Finding][] = [
    ["PASS", { kind: "adjudicated", adjudication: passed, transaction: hashOf("71") }],
    ["FAIL", { kind: "adjudicated", adjudication: failed, transaction: hashOf("71") }],
    ["UNDETERMINED", { kind: "undetermined", transactions: [hashOf("71"), hashOf("72"), hashOf("73")] }],
    ["WITHHELD", { kind: "withheld" }],
  ];
  for (const [name, finding] of findings) {
    it(`gives the vector's record: ${name}`, () => {
      const record = verdicts.find((verdict) => verdict.name === name)!.record;
      expect(Buffer.from(encodeDocument(build(finding))).toString("utf8")).to.equal(record);
    });
  }

  it("leaves out the leader's prose and the checks' details", () => {
    const record = build({ kind: "adjudicated", adjudication: passed, transaction: hashOf("71") });
    expect(record.requirements[0]).to.deep.equal({ id: "REQ-1", result: "PASS", decidedBy: "check" });
  });

  describe("refuses a stored record", () => {
    const strangers: readonly [name: string, change: Partial<AdjudicationRecord>, path: string][] = [
      ["of another agreement id", { agreementId: hashOf("01") }, "agreementId"],
      ["of another agreement text", { agreementHash: hashOf("01") }, "agreementHash"],
      ["of another submission", { submissionHash: hashOf("01") }, "submissionHash"],
      ["of another chain", { chainId: 1 }, "chainId"],
      ["of another escrow", { escrow: quorum }, "escrow"],
      ["under another key", { adjudicationKey: hashOf("01") }, "adjudicationKey"],
      ["from a relayer that the agreement does not name", { relayer: quorum }, "relayer"],
      ["without one of the requirements", { requirements: passed.requirements.slice(1) }, "requirements"],
      [
        "with requirements in another order",
        { requirements: passed.requirements.toReversed() },
        "requirements[0].id",
      ],
      [
        "in which a model decided what a check decides",
        {
          requirements: passed.requirements.map(({ id }) => ({
            id,
            result: "PASS" as const,
            decidedBy: "model" as const,
          })),
        },
        "requirements[0].check",
      ],
      [
        "in which a check decided what the models judge",
        {
          requirements: [
            ...passed.requirements.slice(0, 3),
            { id: "REQ-4", result: "PASS", decidedBy: "check", check: "file_exists" },
          ],
        },
        "requirements[3].check",
      ],
      [
        "in which another check decided",
        {
          requirements: [
            { id: "REQ-1", result: "PASS", decidedBy: "check", check: "file_exists" },
            ...passed.requirements.slice(1),
          ],
        },
        "requirements[0].check",
      ],
    ];
    for (const [name, change, path] of strangers) {
      it(name, () => {
        const finding: Finding = {
          kind: "adjudicated",
          adjudication: { ...passed, ...change },
          transaction: hashOf("71"),
        };
        const refusal = refusalOf(DocumentError, () => build(finding));
        expect({ code: refusal.code, path: refusal.path }).to.deep.equal({ code: "mismatch", path });
        expect(refusal.hint).to.match(/^Do not attest/);
      });
    }

    it("that is about another text of the agreement", () => {
      const finding: Finding = { kind: "adjudicated", adjudication: passed, transaction: hashOf("71") };
      const refusal = refusalOf(DocumentError, () =>
        build(finding, { agreement: { ...agreement, title: "Other" } }),
      );
      expect(refusal.issues.map(({ path }) => path)).to.deep.equal(["adjudicationKey", "agreementHash"]);
    });

    it("that is not valid itself", () => {
      const finding: Finding = {
        kind: "adjudicated",
        adjudication: { ...passed, outcome: "FAIL" },
        transaction: hashOf("71"),
      };
      expect(refusalOf(DocumentError, () => build(finding)).code).to.equal("invalid");
    });
  });

  it("refuses UNDETERMINED without transactions", () => {
    const refusal = refusalOf(DocumentError, () => build({ kind: "undetermined", transactions: [] }));
    expect({ code: refusal.code, path: refusal.path }).to.deep.equal({
      code: "invalid",
      path: "transactions",
    });
  });

  it("refuses ids that are none", () => {
    expect(refusalOf(ValueError, () => build({ kind: "withheld" }, { agreementId: "0x12" })).code).to.equal(
      "hex_malformed",
    );
  });
});

describe("one agreement, through all formats", () => {
  it("carries the same 32 bytes from terms to certificate", () => {
    const vector = identifierVectors.agreements[0]!;
    const terms = { ...vector.terms, reward: BigInt(vector.terms.reward), salt: BigInt(vector.terms.salt) };
    const agreementId = agreementIdOf(terms, chainId, vector.escrow);
    const record = buildVerdictRecord({
      agreement,
      agreementId,
      submissionHash: fullDocument("submission").sha256,
      chainId,
      escrow: vector.escrow,
      finding: { kind: "withheld" },
    });
    const verdict = verdictOf(record, terms.adjudicateBy);
    expect(verdict.agreementId).to.equal(agreementId);
    expect(record.agreementHash).to.equal(terms.agreementHash);
    expect(record.adjudicationKey).to.equal(identifierVectors.adjudicationKeys[0]!.adjudicationKey);
    expect(verdict.notAfter).to.equal(terms.adjudicateBy);
  });
});
