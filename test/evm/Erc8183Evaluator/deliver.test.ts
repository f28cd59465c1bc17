import { expect } from "chai";
import { MaxUint256 } from "ethers";
import { jobDeliveryCalldata, jobKeyOf, type Address, type Hex, type JobCertificate } from "@assay/protocol";
import { configOf, Outcome, type Verdict } from "../support/typed-data.ts";
import {
  DAY,
  deployWorld,
  ethers,
  JUDGE,
  JUDGE_TX,
  loadFixture,
  REWARD,
  SUBMISSION_HASH,
  time,
  VERDICT_HASH,
} from "../support/world.ts";

const JobStatus = { Open: 0n, Funded: 1n, Submitted: 2n, Completed: 3n, Rejected: 4n } as const;

type Generation = "A" | "B" | "C";

/** An evaluator of 2 of 3 operators, and a contract of each generation with one funded job. */
async function deployJobs() {
  const world = await deployWorld();
  const { token, tokenAddress, buyer, seller, quorumOf } = world;
  const given = quorumOf(3, 2n);
  const evaluator = await ethers.deployContract("Erc8183Evaluator", [given.members, given.threshold]);
  const evaluatorAddress = await evaluator.getAddress();
  const expiry = BigInt(await time.latest()) + DAY;
  const none = ethers.ZeroAddress;

  const a = await ethers.deployContract("Erc8183GenerationA", [tokenAddress]);
  await a.connect(buyer).createJob(seller.address, evaluatorAddress, expiry, "job", none);
  await a.connect(seller).setBudget(1n, REWARD, "0x");
  const b = await ethers.deployContract("Erc8183GenerationB");
  await b.connect(buyer).createJob(seller.address, evaluatorAddress, expiry, "job", none, 0n);
  await b.connect(seller).setBudget(1n, tokenAddress, REWARD, "0x");
  const c = await ethers.deployContract("Erc8183GenerationC");
  await c.connect(buyer).createJob(seller.address, evaluatorAddress, expiry, "job", none, 0n);
  await c.connect(seller).setBudget(1n, tokenAddress, REWARD, "0x");
  const commerces = { A: a, B: b, C: c };
  for (const commerce of Object.values(commerces)) {
    await token.connect(buyer).approve(await commerce.getAddress(), MaxUint256);
  }
  await a.connect(buyer).fund(1n, REWARD, "0x");
  await b.connect(buyer).fund(1n, REWARD, "0x");
  await c.connect(buyer).fund(1n, tokenAddress, REWARD, "0x");

  const makeVerdict = async (generation: Generation, outcome: bigint): Promise<Verdict> => {
    const escrow = await commerces[generation].getAddress();
    return {
      escrow,
      agreementId: await evaluator.jobKeyOf(escrow, 1n),
      submissionHash: SUBMISSION_HASH,
      outcome,
      verdictHash: VERDICT_HASH,
      judge: JUDGE,
      judgeTx: JUDGE_TX,
      notAfter: expiry,
    };
  };
  const sign = (verdict: Verdict) =>
    Promise.all(
      world.operators.slice(0, 3).map((operator) => world.signVerdict(verdict, operator, evaluatorAddress)),
    );
  return { ...world, evaluator, evaluatorAddress, given, commerces, expiry, makeVerdict, sign };
}

describe("Erc8183Evaluator.deliver", () => {
  for (const generation of ["A", "B", "C"] as const) {
    describe(`on a contract of generation ${generation}`, () => {
      for (const [outcome, status, payee] of [
        ["PASS", JobStatus.Completed, "seller"],
        ["FAIL", JobStatus.Rejected, "buyer"],
        ["WITHHELD", JobStatus.Rejected, "buyer"],
      ] as const) {
        it(`pays the ${payee} on ${outcome}, with the verdict hash as the reason`, async () => {
          const world = await loadFixture(deployJobs);
          const { evaluator, evaluatorAddress, token, given, commerces, makeVerdict, sign } = world;
          const commerce = commerces[generation];
          await commerce.connect(world.seller).submit(1n, SUBMISSION_HASH, "0x");
          const verdict = await makeVerdict(generation, Outcome[outcome]);
          const delivering = evaluator.deliver(verdict, 1n, given, await sign(verdict));
          await expect(delivering).to.changeTokenBalances(ethers, token, [world[payee]], [REWARD]);
          await expect(delivering)
            .to.emit(commerce, status === JobStatus.Completed ? "JobCompleted" : "JobRejected")
            .withArgs(1n, evaluatorAddress, VERDICT_HASH);
          await expect(delivering)
            .to.emit(evaluator, "Evaluated")
            .withArgs(
              verdict.escrow,
              1n,
              Outcome[outcome],
              SUBMISSION_HASH,
              VERDICT_HASH,
              JUDGE,
              JUDGE_TX,
              given.members.slice(0, 2),
            );
          expect((await commerce.jobs(1n)).status).to.equal(status);
        });
      }

      it("reverts before a submission, and after the job's end", async () => {
        const { evaluator, given, commerces, seller, makeVerdict, sign } = await loadFixture(deployJobs);
        const commerce = commerces[generation];
        const verdict = await makeVerdict(generation, Outcome.PASS);
        const signatures = await sign(verdict);
        await expect(evaluator.deliver(verdict, 1n, given, signatures))
          .to.be.revertedWithCustomError(commerce, "WrongStatus")
          .withArgs(JobStatus.Funded);
        await commerce.connect(seller).submit(1n, SUBMISSION_HASH, "0x");
        await evaluator.deliver(verdict, 1n, given, signatures);
        await expect(evaluator.deliver(verdict, 1n, given, signatures))
          .to.be.revertedWithCustomError(commerce, "WrongStatus")
          .withArgs(JobStatus.Completed);
      });
    });
  }

  it("reverts on UNDETERMINED, which ERC-8183 doesn't know, and on no outcome", async () => {
    const { evaluator, given, commerces, seller, makeVerdict, sign } = await loadFixture(deployJobs);
    await commerces.A.connect(seller).submit(1n, SUBMISSION_HASH, "0x");
    for (const outcome of [0n, Outcome.UNDETERMINED, 5n]) {
      const verdict = await makeVerdict("A", outcome);
      await expect(evaluator.deliver(verdict, 1n, given, await sign(verdict)))
        .to.be.revertedWithCustomError(evaluator, "OutcomeInvalid")
        .withArgs(outcome);
    }
  });

  it("reverts when the certificate is about another job or another contract", async () => {
    const { evaluator, given, commerces, makeVerdict, sign } = await loadFixture(deployJobs);
    const verdict = await makeVerdict("A", Outcome.PASS);
    const signatures = await sign(verdict);
    await expect(evaluator.deliver(verdict, 2n, given, signatures))
      .to.be.revertedWithCustomError(evaluator, "JobMismatch")
      .withArgs(verdict.agreementId, await evaluator.jobKeyOf(verdict.escrow, 2n));
    const elsewhere = { ...verdict, escrow: await commerces.B.getAddress() };
    await expect(evaluator.deliver(elsewhere, 1n, given, signatures))
      .to.be.revertedWithCustomError(evaluator, "JobMismatch")
      .withArgs(verdict.agreementId, await evaluator.jobKeyOf(elsewhere.escrow, 1n));
  });

  it("knows a job by the key that the protocol computes", async () => {
    const { evaluator, commerces } = await loadFixture(deployJobs);
    const { chainId } = await ethers.provider.getNetwork();
    const commerce = (await commerces.A.getAddress()) as Address;
    for (const jobId of [0n, 1n, MaxUint256])
      expect(await evaluator.jobKeyOf(commerce, jobId)).to.equal(jobKeyOf(Number(chainId), commerce, jobId));
  });

  it("takes the calldata that the protocol makes", async () => {
    const { evaluator, given, commerces, seller, makeVerdict, sign } = await loadFixture(deployJobs);
    await commerces.A.connect(seller).submit(1n, SUBMISSION_HASH, "0x");
    const verdict = await makeVerdict("A", Outcome.PASS);
    const data = jobDeliveryCalldata({
      jobId: 1n,
      verdict: {
        ...verdict,
        outcome: Number(verdict.outcome),
        notAfter: Number(verdict.notAfter),
      } as JobCertificate["verdict"],
      members: given.members as Address[],
      threshold: Number(given.threshold),
      signatures: (await sign(verdict)) as Hex[],
    });
    await seller.sendTransaction({ to: await evaluator.getAddress(), data });
    expect((await commerces.A.jobs(1n)).status).to.equal(JobStatus.Completed);
  });

  it("reverts when it is late", async () => {
    const { evaluator, given, expiry, makeVerdict, sign } = await loadFixture(deployJobs);
    const verdict = await makeVerdict("A", Outcome.PASS);
    const signatures = await sign(verdict);
    await time.setNextBlockTimestamp(expiry + 1n);
    await expect(evaluator.deliver(verdict, 1n, given, signatures))
      .to.be.revertedWithCustomError(evaluator, "CertificateExpired")
      .withArgs(expiry + 1n, expiry);
  });

  it("reverts for other operators than it was made with, and for too few of them", async () => {
    const { evaluator, given, quorumOf, makeVerdict, sign } = await loadFixture(deployJobs);
    const verdict = await makeVerdict("A", Outcome.PASS);
    const signatures = await sign(verdict);
    const other = quorumOf(3, 1n);
    await expect(evaluator.deliver(verdict, 1n, other, signatures))
      .to.be.revertedWithCustomError(evaluator, "QuorumMismatch")
      .withArgs(configOf(other), configOf(given));
    await expect(evaluator.deliver(verdict, 1n, given, [signatures[0]!, "0x", "0x"]))
      .to.be.revertedWithCustomError(evaluator, "SignersMissing")
      .withArgs(await evaluator.digestOf(verdict), 1n, 2n);
  });

  it("doesn't take certificates signed for a quorum of agreements", async () => {
    const { evaluator, given, operators, makeVerdict, signVerdict } = await loadFixture(deployJobs);
    const verdict = await makeVerdict("A", Outcome.PASS);
    const signatures = await Promise.all(
      operators.slice(0, 3).map((operator) => signVerdict(verdict, operator)),
    );
    await expect(evaluator.deliver(verdict, 1n, given, signatures)).to.be.revertedWithCustomError(
      evaluator,
      "SignersMissing",
    );
  });

  it("doesn't count operators that revoked themselves here", async () => {
    const { evaluator, given, operators, commerces, seller, makeVerdict, sign } =
      await loadFixture(deployJobs);
    await commerces.A.connect(seller).submit(1n, SUBMISSION_HASH, "0x");
    const verdict = await makeVerdict("A", Outcome.PASS);
    const signatures = await sign(verdict);
    for (const operator of operators.slice(0, 2)) await evaluator.connect(operator).revoke();
    await expect(evaluator.deliver(verdict, 1n, given, signatures))
      .to.be.revertedWithCustomError(evaluator, "SignersMissing")
      .withArgs(await evaluator.digestOf(verdict), 1n, 2n);
  });
});

describe("Erc8183Evaluator.constructor", () => {
  it("fixes the quorum", async () => {
    const { evaluator, given } = await loadFixture(deployJobs);
    expect(await evaluator.quorumConfig()).to.equal(configOf(given));
  });

  it("takes a quorum that everybody must sign for", async () => {
    const { given } = await loadFixture(deployJobs);
    const evaluator = await ethers.deployContract("Erc8183Evaluator", [given.members, 3n]);
    expect(await evaluator.quorumConfig()).to.equal(configOf({ ...given, threshold: 3n }));
  });

  it("reverts for a quorum that nobody or more than everybody must sign for", async () => {
    const { evaluator, given } = await loadFixture(deployJobs);
    for (const threshold of [0n, 4n]) {
      await expect(ethers.deployContract("Erc8183Evaluator", [given.members, threshold]))
        .to.be.revertedWithCustomError(evaluator, "ThresholdInvalid")
        .withArgs(threshold, 3n);
    }
  });

  it("reverts for members that don't ascend", async () => {
    const { evaluator, given } = await loadFixture(deployJobs);
    const [low, high] = given.members as [string, string];
    for (const [members, index] of [
      [[low, low], 1],
      [[high, low], 1],
      [[ethers.ZeroAddress, low], 0],
    ] as const) {
      await expect(ethers.deployContract("Erc8183Evaluator", [members, 1n]))
        .to.be.revertedWithCustomError(evaluator, "MembersNotAscending")
        .withArgs(index, members[index]);
    }
  });
});
