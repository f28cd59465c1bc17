import { expect } from "chai";
import { MaxUint256 } from "ethers";
import { CANCEL_AUTHORIZATION, Status } from "../support/typed-data.ts";
import { deployWorld, ethers, HOUR, loadFixture, randomHash, REWARD, time } from "../support/world.ts";

describe("AgreementEscrow.fundWithAuthorization", () => {
  it("takes the reward by the buyer's signature, whoever sends it", async () => {
    const { escrow, escrowAddress, token, buyer, stranger, makeTerms, signAuthorization, idOf } =
      await loadFixture(deployWorld);
    const terms = await makeTerms();
    const signature = await signAuthorization(terms);
    await expect(
      escrow.connect(stranger).fundWithAuthorization(terms, 0n, MaxUint256, signature, "0x"),
    ).to.changeTokenBalances(ethers, token, [buyer, escrowAddress], [-REWARD, REWARD]);
    expect((await escrow.stateOf(idOf(terms))).status).to.equal(Status.Funded);
  });

  it("uses the agreement's id as the nonce", async () => {
    const { token, buyer, makeTerms, fundWithAuthorization, idOf } = await loadFixture(deployWorld);
    const terms = await makeTerms();
    await expect(fundWithAuthorization(terms))
      .to.emit(token, "AuthorizationUsed")
      .withArgs(buyer.address, idOf(terms));
  });

  it("is Accepted at once with the seller's signature", async () => {
    const { escrow, makeTerms, fundWithAuthorization, signAcceptance, idOf } = await loadFixture(deployWorld);
    const terms = await makeTerms();
    await fundWithAuthorization(terms, await signAcceptance(terms));
    expect((await escrow.stateOf(idOf(terms))).status).to.equal(Status.Accepted);
  });

  it("can be made good when a relayer leaves the seller's signature out", async () => {
    const { escrow, stranger, makeTerms, fundWithAuthorization, signAcceptance, idOf } =
      await loadFixture(deployWorld);
    const terms = await makeTerms();
    const acceptance = await signAcceptance(terms);
    await fundWithAuthorization(terms, "0x");
    await escrow.connect(stranger).acceptWithSignature(terms, acceptance);
    expect((await escrow.stateOf(idOf(terms))).status).to.equal(Status.Accepted);
  });

  it("reverts when any term differs from what the buyer signed (terms bound in the payment)", async () => {
    const { escrow, stranger, makeTerms, signAuthorization } = await loadFixture(deployWorld);
    const terms = await makeTerms();
    const signature = await signAuthorization(terms);
    const changes = {
      seller: stranger.address,
      reward: terms.reward + 1n,
      agreementHash: randomHash(),
      adjudicator: stranger.address,
      adjudicatorConfig: randomHash(),
      deliverBy: terms.deliverBy + 1n,
      adjudicateBy: terms.adjudicateBy + 1n,
      noVerdictSellerBps: terms.noVerdictSellerBps + 1n,
      salt: terms.salt + 1n,
    };
    for (const [name, value] of Object.entries(changes)) {
      await expect(
        escrow.fundWithAuthorization({ ...terms, [name]: value }, 0n, MaxUint256, signature, "0x"),
        name,
      ).to.be.revertedWith("FiatTokenV2: invalid signature");
    }
  });

  it("reverts when somebody else signed for the buyer", async () => {
    const { escrow, stranger, makeTerms, signAuthorization } = await loadFixture(deployWorld);
    const terms = await makeTerms();
    const signature = await signAuthorization(terms, {}, stranger);
    await expect(escrow.fundWithAuthorization(terms, 0n, MaxUint256, signature, "0x")).to.be.revertedWith(
      "FiatTokenV2: invalid signature",
    );
  });

  it("reverts when the authorization has another nonce", async () => {
    const { escrow, makeTerms, signAuthorization } = await loadFixture(deployWorld);
    const terms = await makeTerms();
    const signature = await signAuthorization(terms, { nonce: randomHash() });
    await expect(escrow.fundWithAuthorization(terms, 0n, MaxUint256, signature, "0x")).to.be.revertedWith(
      "FiatTokenV2: invalid signature",
    );
  });

  it("reverts when the nonce was cancelled: a used nonce is no payment", async () => {
    const { escrow, token, buyer, tokenDomain, makeTerms, signAuthorization, idOf } =
      await loadFixture(deployWorld);
    const terms = await makeTerms();
    const cancellation = await buyer.signTypedData(tokenDomain, CANCEL_AUTHORIZATION, {
      authorizer: buyer.address,
      nonce: idOf(terms),
    });
    await token.cancelAuthorization(buyer.address, idOf(terms), cancellation);
    expect(await token.authorizationState(buyer.address, idOf(terms))).to.equal(true);
    await expect(
      escrow.fundWithAuthorization(terms, 0n, MaxUint256, await signAuthorization(terms), "0x"),
    ).to.be.revertedWith("FiatTokenV2: authorization is used or canceled");
    expect((await escrow.stateOf(idOf(terms))).status).to.equal(Status.None);
  });

  it("can't be used outside the escrow (3009 used outside the wrapper strands deposits)", async () => {
    const { escrow, escrowAddress, token, buyer, stranger, makeTerms, signAuthorization, idOf } =
      await loadFixture(deployWorld);
    const terms = await makeTerms();
    const signature = await signAuthorization(terms);
    const { reward } = terms;
    await expect(
      token
        .connect(stranger)
        .receiveWithAuthorization(
          buyer.address,
          escrowAddress,
          reward,
          0n,
          MaxUint256,
          idOf(terms),
          signature,
        ),
    ).to.be.revertedWith("FiatTokenV2: caller must be the payee");
    await expect(
      token
        .connect(stranger)
        .transferWithAuthorization(
          buyer.address,
          escrowAddress,
          reward,
          0n,
          MaxUint256,
          idOf(terms),
          signature,
        ),
    ).to.be.revertedWith("FiatTokenV2: invalid signature");
    await expect(escrow.fundWithAuthorization(terms, 0n, MaxUint256, signature, "0x")).to.emit(
      escrow,
      "Funded",
    );
  });

  it("counts strictly between its two times", async () => {
    for (const [second, refusal] of [
      [0n, "FiatTokenV2: authorization is not yet valid"],
      [1n, undefined],
      [HOUR - 1n, undefined],
      [HOUR, "FiatTokenV2: authorization is expired"],
    ] as const) {
      const { escrow, makeTerms, signAuthorization } = await loadFixture(deployWorld);
      const terms = await makeTerms();
      const validAfter = BigInt(await time.latest()) + 60n;
      const validBefore = validAfter + HOUR;
      const signature = await signAuthorization(terms, { validAfter, validBefore });
      await time.setNextBlockTimestamp(validAfter + second);
      const funding = escrow.fundWithAuthorization(terms, validAfter, validBefore, signature, "0x");
      if (refusal === undefined) await expect(funding).to.emit(escrow, "Funded");
      else await expect(funding).to.be.revertedWith(refusal);
    }
  });

  it("reverts on a huge worthless signature like on a small one", async () => {
    const { escrow, makeTerms } = await loadFixture(deployWorld);
    const terms = await makeTerms();
    const huge = `0x${"11".repeat(20_000)}`;
    await expect(escrow.fundWithAuthorization(terms, 0n, MaxUint256, huge, "0x")).to.be.revertedWith(
      "ECRecover: invalid signature length",
    );
  });
});
