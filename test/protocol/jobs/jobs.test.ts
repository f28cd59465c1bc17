import { expect } from "chai";
import { Interface } from "ethers";
import {
  ValueError,
  agreementHashIn,
  erc8183EvaluatorAbi,
  jobCommitment,
  jobDeliveryCalldata,
  jobKeyOf,
  type Address,
  type Hex,
  type JobCertificate,
} from "@assay/protocol";

const COMMERCE: Address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const HASH: Hex = `0x${"0f".repeat(32)}`;
const OTHER: Hex = `0x${"1e".repeat(32)}`;

describe("a job's description", () => {
  it("commits to the agreement that one of its lines names", () => {
    expect(jobCommitment(HASH)).to.equal(`assay/agreement/1 sha256:${HASH}`);
    expect(agreementHashIn(jobCommitment(HASH))).to.equal(HASH);
    expect(agreementHashIn(`Write a brief.\n\n${jobCommitment(HASH)}\nThank you!`)).to.equal(HASH);
  });

  it("commits to nothing when two lines do, even to the same agreement", () => {
    expect(agreementHashIn(`${jobCommitment(HASH)}\n${jobCommitment(OTHER)}`)).to.equal(null);
    expect(agreementHashIn(`${jobCommitment(HASH)}\n${jobCommitment(HASH)}`)).to.equal(null);
  });

  for (const [what, description] of [
    ["is empty", ""],
    ["is about something else", "job"],
    ["names it within a line", `by ${jobCommitment(HASH)}`],
    ["goes on after it", `${jobCommitment(HASH)} or so`],
    ["ends the line as on Windows", `${jobCommitment(HASH)}\r\n`],
    ["ends the line otherwise than with a line feed", `Hi\u2028${jobCommitment(HASH)}`],
    ["writes the hash in capitals", `assay/agreement/1 sha256:0x${"0F".repeat(32)}`],
    ["leaves a digit out", jobCommitment(HASH).slice(0, -1)],
    ["has one digit more", `${jobCommitment(HASH)}0`],
    ["is of another version", `assay/agreement/2 sha256:${HASH}`],
  ] as const)
    it(`commits to nothing when it ${what}`, () => {
      expect(agreementHashIn(description)).to.equal(null);
    });

  it("is read in a time that grows with its length alone", () => {
    const started = performance.now();
    expect(agreementHashIn("assay/agreement/1 sha256:0x".repeat(200_000))).to.equal(null);
    expect(performance.now() - started).to.be.below(1_000);
  });
});

describe("jobKeyOf", () => {
  it("tells chains, contracts and jobs apart", () => {
    const keys = [
      jobKeyOf(1, COMMERCE, 7n),
      jobKeyOf(2, COMMERCE, 7n),
      jobKeyOf(1, COMMERCE, 8n),
      jobKeyOf(1, "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512", 7n),
    ];
    expect(new Set(keys).size).to.equal(4);
  });

  it("refuses what is no job id", () => {
    expect(() => jobKeyOf(1, COMMERCE, 2n ** 256n)).to.throw(ValueError, "jobId");
    expect(() => jobKeyOf(1, COMMERCE, -1n)).to.throw(ValueError, "jobId");
  });
});

describe("jobDeliveryCalldata", () => {
  const certificate = (outcome: number): JobCertificate => ({
    jobId: 7n,
    verdict: {
      escrow: COMMERCE,
      agreementId: jobKeyOf(1, COMMERCE, 7n),
      submissionHash: HASH,
      outcome,
      verdictHash: OTHER,
      judge: COMMERCE,
      judgeTx: OTHER,
      notAfter: 1_900_000_000,
    },
    members: [COMMERCE],
    threshold: 1,
    signatures: ["0x1234"],
  });

  it("is a call of deliver that says the same", () => {
    for (const outcome of [1, 2, 4]) {
      const data = jobDeliveryCalldata(certificate(outcome));
      const call = new Interface(erc8183EvaluatorAbi).parseTransaction({ data: data ?? "0x" });
      expect(call?.name).to.equal("deliver");
      expect(call?.args["jobId"]).to.equal(7n);
      expect((call?.args["verdict"] as { outcome: bigint }).outcome).to.equal(BigInt(outcome));
      expect((call?.args["quorum"] as { threshold: bigint }).threshold).to.equal(1n);
    }
  });

  it("is nothing for UNDETERMINED, which the evaluator refuses", () => {
    expect(jobDeliveryCalldata(certificate(3))).to.equal(null);
  });
});
