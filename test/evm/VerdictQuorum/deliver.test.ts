import { expect } from "chai";
import { MaxUint256, Signature, ZeroAddress } from "ethers";
import { configOf, Outcome, Status, verdictDomain, VERDICT, type Quorum } from "../support/typed-data.ts";
import { packDelivery } from "../support/packed.ts";
import {
  deployWorld,
  ethers,
  JUDGE,
  JUDGE_TX,
  loadFixture,
  randomHash,
  REWARD,
  SUBMISSION_HASH,
  time,
  VERDICT_HASH,
  type Delivery,
  type World,
} from "../support/world.ts";

/** An agreement judged by 2 of 3 operators, submitted. */
async function deploySubmitted() {
  const world = await deployWorld();
  const terms = await world.makeQuorumTerms(3, 2n);
  await world.fund(terms);
  await world.submit(terms);
  return { ...world, terms };
}

/** Both forms in which a certificate is delivered; they must agree in everything that both can express. */
const FORMS = {
  deliver: ({ quorum, relayer }: World, delivery: Delivery) => quorum.connect(relayer).deliver(delivery),
  deliverPacked: ({ quorum, relayer }: World, delivery: Delivery) =>
    quorum.connect(relayer).deliverPacked(packDelivery(delivery)),
};

for (const [form, send] of Object.entries(FORMS)) {
  describe(`VerdictQuorum.${form}`, () => {
    for (const [outcome, status, payee] of [
      ["PASS", Status.Released, "seller"],
      ["FAIL", Status.Refunded, "buyer"],
      ["WITHHELD", Status.Refunded, "buyer"],
    ] as const) {
      it(`pays the ${payee} on ${outcome}`, async () => {
        const world = await loadFixture(deploySubmitted);
        const { escrow, token, terms, idOf, makeDelivery } = world;
        const delivery = await makeDelivery(terms, 3, 2n, Outcome[outcome]);
        await expect(send(world, delivery)).to.changeTokenBalances(ethers, token, [world[payee]], [REWARD]);
        expect((await escrow.stateOf(idOf(terms))).status).to.equal(status);
      });
    }

    it("applies the agreed default on UNDETERMINED", async () => {
      const world = await loadFixture(deploySubmitted);
      const { escrow, token, buyer, seller, terms, idOf, makeDelivery } = world;
      const delivery = await makeDelivery(terms, 3, 2n, Outcome.UNDETERMINED);
      await expect(send(world, delivery)).to.changeTokenBalances(
        ethers,
        token,
        [seller, buyer],
        [50_000_001n, 50_000_000n],
      );
      expect((await escrow.stateOf(idOf(terms))).status).to.equal(Status.Split);
    });

    it("says what was certified, by which judge, and who signed", async () => {
      const world = await loadFixture(deploySubmitted);
      const { quorum, escrow, escrowAddress, operators, terms, idOf, makeDelivery } = world;
      const sending = send(world, await makeDelivery(terms, 3, 2n));
      await expect(sending)
        .to.emit(quorum, "Certified")
        .withArgs(escrowAddress, idOf(terms), Outcome.PASS, SUBMISSION_HASH, VERDICT_HASH, JUDGE, JUDGE_TX, [
          operators[0]!.address,
          operators[1]!.address,
        ]);
      await expect(sending).to.emit(escrow, "Released").withArgs(idOf(terms), SUBMISSION_HASH, VERDICT_HASH);
    });

    it("can be done by the seller with a published certificate", async () => {
      const world = await loadFixture(deploySubmitted);
      const { escrow, seller, terms, idOf, makeDelivery } = world;
      await send({ ...world, relayer: seller }, await makeDelivery(terms, 3, 2n));
      expect((await escrow.stateOf(idOf(terms))).status).to.equal(Status.Released);
    });

    for (const members of [1, 2, 3, 5]) {
      it(`works with every threshold of ${members} operator(s)`, async () => {
        const world = await loadFixture(deployWorld);
        for (let threshold = 1n; threshold <= BigInt(members); threshold++) {
          const terms = await world.makeQuorumTerms(members, threshold);
          await world.fund(terms);
          await world.submit(terms);
          await expect(send(world, await world.makeDelivery(terms, members, threshold))).to.emit(
            world.escrow,
            "Released",
          );
        }
      });
    }

    it("takes any two of the three, and counts no more than two", async () => {
      for (const silent of [0, 1, 2, undefined]) {
        const world = await loadFixture(deploySubmitted);
        const { quorum, operators, terms, makeDelivery } = world;
        const delivery = await makeDelivery(terms, 3, 3n);
        delivery.quorum.threshold = 2n;
        if (silent !== undefined) delivery.signatures[silent] = "0x";
        const signers = operators
          .slice(0, 3)
          .filter((_, index) => index !== silent)
          .slice(0, 2)
          .map(({ address }) => address);
        await expect(send(world, delivery))
          .to.emit(quorum, "Certified")
          .withArgs(
            (escrow: string) => escrow === delivery.verdict.escrow,
            delivery.verdict.agreementId,
            Outcome.PASS,
            SUBMISSION_HASH,
            VERDICT_HASH,
            JUDGE,
            JUDGE_TX,
            signers,
          );
      }
    });

    it("reverts when one signature is missing, and says how many there are", async () => {
      const world = await loadFixture(deploySubmitted);
      const { quorum, terms, makeDelivery } = world;
      const delivery = await makeDelivery(terms, 3, 1n);
      delivery.quorum.threshold = 2n;
      await expect(send(world, delivery))
        .to.be.revertedWithCustomError(quorum, "SignersMissing")
        .withArgs(await quorum.digestOf(delivery.verdict), 1n, 2n);
    });

    it("counts no signature that doesn't verify, and isn't stopped by one", async () => {
      const world = await loadFixture(deploySubmitted);
      const { quorum, operators, stranger, terms, makeDelivery, signVerdict } = world;
      const valid = await makeDelivery(terms, 3, 3n);
      valid.quorum.threshold = 2n;
      const { r, s, v } = Signature.from(valid.signatures[0]);
      const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
      for (const bad of [
        await signVerdict(valid.verdict, stranger),
        valid.signatures[1]!,
        valid.signatures[0]!.slice(0, -2),
        Signature.from(valid.signatures[0]).compactSerialized,
        `${r}${(order - BigInt(s)).toString(16).padStart(64, "0")}${(55 - v).toString(16)}`,
        await signVerdict({ ...valid.verdict, outcome: Outcome.FAIL }, operators[0]!),
      ]) {
        const short = { ...valid, signatures: [bad, valid.signatures[1]!, "0x"] };
        await expect(send(world, short), bad)
          .to.be.revertedWithCustomError(quorum, "SignersMissing")
          .withArgs(await quorum.digestOf(valid.verdict), 1n, 2n);
        const enough = { ...valid, signatures: [bad, valid.signatures[1]!, valid.signatures[2]!] };
        await expect(send(world, enough), bad).not.to.revert(ethers);
        Object.assign(world, await loadFixture(deploySubmitted));
      }
    });

    it("doesn't count one operator twice (duplicates, unsorted sets)", async () => {
      const world = await loadFixture(deployWorld);
      const { quorum, operators, makeVerdict, signVerdict, makeTerms, quorumAddress } = world;
      const [low, high] = [operators[0]!, operators[1]!];
      for (const [members, index] of [
        [[low, low], 1],
        [[high, low], 1],
      ] as const) {
        const given: Quorum = { members: members.map(({ address }) => address), threshold: 2n };
        const terms = await makeTerms({ adjudicator: quorumAddress, adjudicatorConfig: configOf(given) });
        await world.fund(terms);
        await world.submit(terms);
        const verdict = makeVerdict(terms);
        const signatures = await Promise.all(members.map((operator) => signVerdict(verdict, operator)));
        await expect(send(world, { terms, verdict, quorum: given, signatures }))
          .to.be.revertedWithCustomError(quorum, "MembersNotAscending")
          .withArgs(index, members[index].address);
      }
    });

    it("reverts when the zero address is a member, whose signature a failed recovery would give", async () => {
      const world = await loadFixture(deployWorld);
      const { quorum, makeVerdict, makeTerms, quorumAddress } = world;
      const given: Quorum = { members: [ZeroAddress], threshold: 1n };
      const terms = await makeTerms({ adjudicator: quorumAddress, adjudicatorConfig: configOf(given) });
      await world.fund(terms);
      await world.submit(terms);
      const signatures = [`0x${"00".repeat(64)}1b`];
      await expect(send(world, { terms, verdict: makeVerdict(terms), quorum: given, signatures }))
        .to.be.revertedWithCustomError(quorum, "MembersNotAscending")
        .withArgs(0n, ZeroAddress);
    });

    it("reverts when nobody or more than everybody has to sign (threshold 0)", async () => {
      const world = await loadFixture(deployWorld);
      for (const [members, threshold] of [
        [0, 0n],
        [2, 0n],
        [2, 3n],
        [0, 1n],
      ] as const) {
        const terms = await world.makeQuorumTerms(members, threshold);
        await world.fund(terms);
        await world.submit(terms);
        await expect(send(world, await world.makeDelivery(terms, members, threshold)))
          .to.be.revertedWithCustomError(world.quorum, "ThresholdInvalid")
          .withArgs(threshold, members);
      }
    });

    it("takes a certificate in the last second and not after it", async () => {
      for (const late of [0n, 1n]) {
        const world = await loadFixture(deploySubmitted);
        const { quorum, escrow, terms, makeDelivery } = world;
        const delivery = await makeDelivery(terms, 3, 2n);
        await time.setNextBlockTimestamp(terms.adjudicateBy + late);
        if (late === 0n) {
          await expect(send(world, delivery)).to.emit(escrow, "Released");
        } else {
          await expect(send(world, delivery))
            .to.be.revertedWithCustomError(quorum, "CertificateExpired")
            .withArgs(terms.adjudicateBy + 1n, terms.adjudicateBy);
        }
      }
    });

    it("settles once: a second delivery, and a contrary one, revert (conflicting verdicts)", async () => {
      const world = await loadFixture(deploySubmitted);
      const { escrow, terms, idOf, makeDelivery } = world;
      const pass = await makeDelivery(terms, 3, 2n, Outcome.PASS);
      const fail = await makeDelivery(terms, 3, 2n, Outcome.FAIL);
      await send(world, fail);
      for (const again of [fail, pass]) {
        await expect(send(world, again))
          .to.be.revertedWithCustomError(escrow, "StatusUnexpected")
          .withArgs(idOf(terms), Status.Refunded);
      }
    });

    it("reverts for an outcome that doesn't exist, though everybody signed it", async () => {
      const world = await loadFixture(deploySubmitted);
      for (const outcome of [0n, 5n, 255n]) {
        const delivery = await world.makeDelivery(world.terms, 3, 2n, outcome);
        await expect(send(world, delivery))
          .to.be.revertedWithCustomError(world.quorum, "OutcomeInvalid")
          .withArgs(outcome);
      }
    });

    it("reverts before there is a submission and can be retried after it (verdict for what vanished)", async () => {
      const world = await loadFixture(deployWorld);
      const { escrow, idOf, makeQuorumTerms, makeDelivery } = world;
      const terms = await makeQuorumTerms(1, 1n);
      const delivery = await makeDelivery(terms, 1, 1n);
      const refused = (status: bigint) =>
        expect(send(world, delivery))
          .to.be.revertedWithCustomError(escrow, "StatusUnexpected")
          .withArgs(idOf(terms), status);
      await refused(Status.None);
      await world.fund(terms);
      await refused(Status.Funded);
      await world.submit(terms);
      await expect(send(world, delivery)).to.emit(escrow, "Released");
    });

    it("reverts when another submission was made (verdict not bound to deliverable)", async () => {
      const world = await loadFixture(deployWorld);
      const { escrow, makeQuorumTerms, makeDelivery } = world;
      const terms = await makeQuorumTerms(1, 1n);
      await world.fund(terms);
      await world.submit(terms, randomHash());
      await expect(send(world, await makeDelivery(terms, 1, 1n))).to.be.revertedWithCustomError(
        escrow,
        "SubmissionHashMismatch",
      );
    });

    it("reverts when the terms name another adjudicator", async () => {
      const world = await loadFixture(deployWorld);
      const { escrow, quorum, quorumOf, quorumAddress, stranger, makeTerms, makeDelivery } = world;
      const terms = await makeTerms({
        adjudicator: stranger.address,
        adjudicatorConfig: configOf(quorumOf(1, 1n)),
      });
      await world.fund(terms);
      await world.submit(terms);
      const sending = expect(send(world, await makeDelivery(terms, 1, 1n)));
      // A packed delivery speaks of the quorum itself as the adjudicator, so nobody signed for what it describes.
      if (form === "deliver") {
        await sending.to.be
          .revertedWithCustomError(escrow, "CallerUnexpected")
          .withArgs(quorumAddress, stranger.address);
      } else {
        await sending.to.be.revertedWithCustomError(quorum, "SignersMissing");
      }
    });

    describe("replay", () => {
      /** One operator's certificate for one agreement, and what else it might be used for. */
      async function deployReplay() {
        const world = await deployWorld();
        const terms = await world.makeQuorumTerms(1, 1n);
        await world.fund(terms);
        await world.submit(terms);
        return { ...world, terms, delivery: await world.makeDelivery(terms, 1, 1n) };
      }

      it("across agreements is refused", async () => {
        const world = await loadFixture(deployReplay);
        const other = await world.makeQuorumTerms(1, 1n);
        await world.fund(other);
        await world.submit(other);
        const replayed = { ...world.delivery, terms: other };
        const verdict = { ...world.delivery.verdict, agreementId: world.idOf(other) };
        await expect(send(world, { ...replayed, verdict })).to.be.revertedWithCustomError(
          world.quorum,
          "SignersMissing",
        );
      });

      for (const [name, changes] of Object.entries({
        outcomes: { outcome: Outcome.FAIL },
        submissions: { submissionHash: randomHash() },
        "verdict records": { verdictHash: randomHash() },
        judges: { judge: "0x2222222222222222222222222222222222222222" },
        "judge transactions": { judgeTx: randomHash() },
      })) {
        it(`across ${name} is refused`, async () => {
          const world = await loadFixture(deployReplay);
          const verdict = { ...world.delivery.verdict, ...changes };
          await expect(send(world, { ...world.delivery, verdict }))
            .to.be.revertedWithCustomError(world.quorum, "SignersMissing")
            .withArgs(await world.quorum.digestOf(verdict), 0n, 1n);
        });
      }

      it("across quorums is refused", async () => {
        const world = await loadFixture(deployReplay);
        const other = await ethers.deployContract("VerdictQuorum");
        const terms = await world.makeQuorumTerms(1, 1n, { adjudicator: await other.getAddress() });
        await world.fund(terms);
        await world.submit(terms);
        const delivery = await world.makeDelivery(terms, 1, 1n);
        await expect(send({ ...world, quorum: other }, delivery)).to.be.revertedWithCustomError(
          other,
          "SignersMissing",
        );
      });

      it("across chains is refused", async () => {
        const world = await loadFixture(deployReplay);
        const { operators, chainId, quorumAddress, delivery } = world;
        const domain = verdictDomain(chainId + 1n, quorumAddress);
        const signature = await operators[0]!.signTypedData(domain, VERDICT, delivery.verdict);
        await expect(send(world, { ...delivery, signatures: [signature] })).to.be.revertedWithCustomError(
          world.quorum,
          "SignersMissing",
        );
      });

      it("across escrows is refused", async () => {
        const world = await loadFixture(deployReplay);
        const other = await ethers.deployContract("AgreementEscrow", [world.tokenAddress]);
        await world.token.connect(world.buyer).approve(await other.getAddress(), MaxUint256);
        await other.connect(world.buyer).fund(world.terms, "0x");
        await other.connect(world.seller).submit(world.terms, SUBMISSION_HASH);
        const verdict = {
          ...world.delivery.verdict,
          escrow: await other.getAddress(),
          agreementId: await other.agreementIdOf(world.terms),
        };
        await expect(send(world, { ...world.delivery, verdict })).to.be.revertedWithCustomError(
          world.quorum,
          "SignersMissing",
        );
      });
    });

    describe("revoked operators", () => {
      it("don't count any more, and don't stop those that do", async () => {
        const world = await loadFixture(deploySubmitted);
        const { quorum, escrow, operators, terms, makeDelivery } = world;
        await quorum.connect(operators[0]).revoke();
        const two = await makeDelivery(terms, 3, 2n);
        await expect(send(world, two))
          .to.be.revertedWithCustomError(quorum, "SignersMissing")
          .withArgs(await quorum.digestOf(two.verdict), 1n, 2n);
        const three = await makeDelivery(terms, 3, 3n);
        three.quorum.threshold = 2n;
        await expect(send(world, three)).to.emit(escrow, "Released");
      });

      it("that leave too few lead to the agreed default, not to a lock", async () => {
        const world = await loadFixture(deploySubmitted);
        const { quorum, escrow, operators, terms } = world;
        for (const operator of operators.slice(0, 2)) await quorum.connect(operator).revoke();
        await time.setNextBlockTimestamp(terms.adjudicateBy + 1n);
        await expect(escrow.expire(terms)).to.emit(escrow, "Expired");
      });
    });

    describe("contract operators (ERC-1271)", () => {
      /** A quorum of one contract wallet. */
      async function deployContractOperator() {
        const world = await deployWorld();
        const owner = world.operators[0]!;
        const wallet = await ethers.deployContract("Wallet1271", [owner.address]);
        const given: Quorum = { members: [await wallet.getAddress()], threshold: 1n };
        const terms = await world.makeTerms({
          adjudicator: world.quorumAddress,
          adjudicatorConfig: configOf(given),
        });
        await world.fund(terms);
        await world.submit(terms);
        const verdict = world.makeVerdict(terms);
        const signatures = [await world.signVerdict(verdict, owner)];
        return { ...world, wallet, owner, delivery: { terms, verdict, quorum: given, signatures } };
      }

      it("sign through their wallet", async () => {
        const world = await loadFixture(deployContractOperator);
        await expect(send(world, world.delivery)).to.emit(world.escrow, "Released");
      });

      it("revoke by calling, and their owner's revocation is not theirs", async () => {
        const world = await loadFixture(deployContractOperator);
        const { quorum, quorumAddress, wallet, owner, delivery } = world;
        await quorum.connect(owner).revoke();
        expect(await quorum.isRevoked(await wallet.getAddress())).to.equal(false);
        await wallet.connect(owner).execute(quorumAddress, quorum.interface.encodeFunctionData("revoke"));
        await expect(send(world, delivery)).to.be.revertedWithCustomError(quorum, "SignersMissing");
      });
    });
  });
}

describe("VerdictQuorum.deliver: what a packed delivery doesn't say", () => {
  it("reverts when the certificate is about other terms", async () => {
    const { quorum, terms, idOf, makeDelivery, makeQuorumTerms } = await loadFixture(deploySubmitted);
    const delivery = await makeDelivery(terms, 3, 2n);
    const other = await makeQuorumTerms(3, 2n);
    await expect(quorum.deliver({ ...delivery, terms: other }))
      .to.be.revertedWithCustomError(quorum, "AgreementMismatch")
      .withArgs(idOf(terms), idOf(other));
  });

  it("reverts when the quorum isn't the one in the terms (quorum changed after funding)", async () => {
    const { quorum, quorumOf, terms, makeDelivery } = await loadFixture(deploySubmitted);
    const delivery = await makeDelivery(terms, 3, 2n);
    for (const given of [quorumOf(3, 1n), quorumOf(2, 2n), quorumOf(5, 2n)]) {
      await expect(quorum.deliver({ ...delivery, quorum: given }))
        .to.be.revertedWithCustomError(quorum, "QuorumMismatch")
        .withArgs(configOf(given), terms.adjudicatorConfig);
    }
  });

  it("reverts when there isn't one signature for each member", async () => {
    const { quorum, terms, makeDelivery } = await loadFixture(deploySubmitted);
    const delivery = await makeDelivery(terms, 3, 2n);
    for (const signatures of [delivery.signatures.slice(0, 2), [...delivery.signatures, "0x"]]) {
      await expect(quorum.deliver({ ...delivery, signatures }))
        .to.be.revertedWithCustomError(quorum, "SignatureCountMismatch")
        .withArgs(signatures.length, 3n);
    }
  });

  it("honours a notAfter that is earlier than adjudicateBy", async () => {
    const { quorum, terms, makeDelivery } = await loadFixture(deploySubmitted);
    const notAfter = BigInt(await time.latest()) + 100n;
    const delivery = await makeDelivery(terms, 3, 2n, Outcome.PASS, { notAfter });
    await time.setNextBlockTimestamp(notAfter + 1n);
    await expect(quorum.deliver(delivery))
      .to.be.revertedWithCustomError(quorum, "CertificateExpired")
      .withArgs(notAfter + 1n, notAfter);
  });

  it("reverts on a verdict with dirty upper bits", async () => {
    const { quorum, quorumAddress, relayer, terms, makeDelivery } = await loadFixture(deploySubmitted);
    const data = quorum.interface.encodeFunctionData("deliver", [await makeDelivery(terms, 3, 2n)]);
    /** Words of `Verdict` narrower than 32 bytes; its first word is the tenth after the offset of the delivery. */
    for (const word of [0, 3, 5, 7]) {
      const at = 10 + (1 + 10 + word) * 64;
      const dirty = `${data.slice(0, at)}1${data.slice(at + 1)}`;
      await expect(relayer.sendTransaction({ to: quorumAddress, data: dirty })).to.revert(ethers);
    }
  });
});

describe("VerdictQuorum.deliverPacked: bytes that are none", () => {
  it("reverts on a delivery cut anywhere", async () => {
    const { quorum, terms, makeDelivery } = await loadFixture(deploySubmitted);
    const packed = packDelivery(await makeDelivery(terms, 3, 3n, Outcome.PASS)).replace(/^0x/, "");
    const bytes = packed.length / 2;
    for (const length of [0, 1, 20, 154, 272, 273, 274, 300, 333, 334, bytes - 66, bytes - 67]) {
      await expect(quorum.deliverPacked(`0x${packed.slice(0, 2 * length)}`), `${length} bytes`).to.revert(
        ethers,
      );
    }
  });

  it("ignores what follows after enough signatures", async () => {
    const { quorum, escrow, terms, makeDelivery } = await loadFixture(deploySubmitted);
    const packed = packDelivery(await makeDelivery(terms, 3, 2n));
    await expect(quorum.deliverPacked(`${packed}ffff`)).to.emit(escrow, "Released");
  });

  it("carries the largest values that fit", async () => {
    const { quorum, escrow, idOf, makeQuorumTerms, makeDelivery } = await loadFixture(deploySubmitted);
    const terms = await makeQuorumTerms(1, 1n, {
      reward: 2n ** 128n - 1n,
      adjudicateBy: 2n ** 48n - 1n,
      noVerdictSellerBps: 2n ** 16n - 1n,
      salt: MaxUint256,
    });
    const delivery = await makeDelivery(terms, 1, 1n);
    await expect(quorum.deliverPacked(packDelivery(delivery)))
      .to.be.revertedWithCustomError(escrow, "StatusUnexpected")
      .withArgs(idOf(terms), Status.None);
  });
});

describe("VerdictQuorum.revoke", () => {
  it("marks the caller for good and says so", async () => {
    const { quorum, operators } = await loadFixture(deployWorld);
    const [operator, other] = [operators[0]!, operators[1]!];
    await expect(quorum.connect(operator).revoke())
      .to.emit(quorum, "OperatorRevoked")
      .withArgs(operator.address);
    expect(await quorum.isRevoked(operator.address)).to.equal(true);
    expect(await quorum.isRevoked(other.address)).to.equal(false);
  });

  it("reverts the second time", async () => {
    const { quorum, operators } = await loadFixture(deployWorld);
    const operator = operators[0]!;
    await quorum.connect(operator).revoke();
    await expect(quorum.connect(operator).revoke())
      .to.be.revertedWithCustomError(quorum, "OperatorAlreadyRevoked")
      .withArgs(operator.address);
  });
});

describe("VerdictQuorum.digestOf", () => {
  it("is the EIP-712 digest that operators sign", async () => {
    const { quorum, quorumAddress, chainId, makeTerms, makeVerdict } = await loadFixture(deployWorld);
    const verdict = makeVerdict(await makeTerms());
    expect(await quorum.digestOf(verdict)).to.equal(
      ethers.TypedDataEncoder.hash(verdictDomain(chainId, quorumAddress), VERDICT, verdict),
    );
  });

  it("belongs to the domain that the contract announces", async () => {
    const { quorum, quorumAddress, chainId } = await loadFixture(deployWorld);
    const { name, version, chainId: signedFor, verifyingContract } = await quorum.eip712Domain();
    expect([name, version, signedFor, verifyingContract]).to.deep.equal([
      "Assay Verdict",
      "1",
      chainId,
      quorumAddress,
    ]);
  });
});
