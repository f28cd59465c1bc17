import { expect } from "chai";
import { MaxUint256, Signature, Transaction, Wallet } from "ethers";
import { ACCEPTANCE, escrowDomain, Status, type Terms } from "../support/typed-data.ts";
import {
  deployWorld,
  ethers,
  loadFixture,
  networkHelpers,
  randomHash,
  REWARD,
  SUBMISSION_HASH,
  VERDICT_HASH,
} from "../support/world.ts";

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The other signature of the same message: s mirrored, v flipped. */
function malleate(signature: string): string {
  const { r, s, v } = Signature.from(signature);
  const mirrored = (ORDER - BigInt(s)).toString(16).padStart(64, "0");
  return `${r}${mirrored}${(v === 27 ? 28 : 27).toString(16)}`;
}

/** One agreement waiting for the seller's consent. */
async function deployFunded() {
  const world = await deployWorld();
  return { ...world, terms: await world.bringTo("Funded") };
}

type Funded = Awaited<ReturnType<typeof deployFunded>>;

/** Ways to use a signature of the seller; each reverts unless it is his. */
const USES: Record<string, (world: Funded, signature: string) => Promise<unknown>> = {
  acceptWithSignature: ({ escrow, terms }, signature) => escrow.acceptWithSignature(terms, signature),
  submitWithSignature: ({ escrow, terms }, signature) =>
    escrow.submitWithSignature(terms, SUBMISSION_HASH, signature),
  settle: async ({ escrow, terms, signSettlement, buyer }, signature) =>
    escrow.settle(terms, 1n, await signSettlement(terms, 1n, buyer), signature),
};

const signaturesOf = async ({ terms, seller, signAcceptance, signSubmission, signSettlement }: Funded) => ({
  acceptWithSignature: await signAcceptance(terms),
  submitWithSignature: await signSubmission(terms, SUBMISSION_HASH),
  settle: await signSettlement(terms, 1n, seller),
});

describe("AgreementEscrow: signatures", () => {
  for (const [name, use] of Object.entries(USES)) {
    describe(name, () => {
      const own = async (world: Funded): Promise<string> =>
        (await signaturesOf(world))[name as "acceptWithSignature" | "submitWithSignature" | "settle"];

      it("takes the seller's signature from anyone", async () => {
        const world = await loadFixture(deployFunded);
        await use(world, await own(world));
        expect((await world.escrow.stateOf(world.idOf(world.terms))).status).to.be.greaterThan(Status.Funded);
      });

      it("refuses malleated, short, long, empty and compact signatures", async () => {
        const world = await loadFixture(deployFunded);
        const signature = await own(world);
        for (const bad of [
          malleate(signature),
          signature.slice(0, -2),
          `${signature}00`,
          "0x",
          Signature.from(signature).compactSerialized,
          `0x${"00".repeat(65)}`,
          `0x${"ff".repeat(65)}`,
          `${signature.slice(0, -2)}00`,
          `${signature.slice(0, -2)}1d`,
        ]) {
          await expect(use(world, bad), bad).to.be.revertedWithCustomError(world.escrow, "SignatureInvalid");
        }
      });

      it("refuses a signature made for another purpose", async () => {
        const world = await loadFixture(deployFunded);
        for (const [purpose, signature] of Object.entries(await signaturesOf(world))) {
          if (purpose === name) continue;
          await expect(use(world, signature), purpose).to.be.revertedWithCustomError(
            world.escrow,
            "SignatureInvalid",
          );
        }
      });
    });
  }

  it("names the signer and the digest when a signature isn't his", async () => {
    const { escrow, seller, stranger, terms, signAcceptance, domain, idOf } = await loadFixture(deployFunded);
    const digest = ethers.TypedDataEncoder.hash(domain, ACCEPTANCE, { agreementId: idOf(terms) });
    await expect(escrow.acceptWithSignature(terms, await signAcceptance(terms, stranger)))
      .to.be.revertedWithCustomError(escrow, "SignatureInvalid")
      .withArgs(seller.address, digest);
  });

  it("binds consent to the agreement (replay across agreements)", async () => {
    const { escrow, terms, signAcceptance, bringTo } = await loadFixture(deployFunded);
    const signature = await signAcceptance(terms);
    const other = await bringTo("Funded");
    await expect(escrow.acceptWithSignature(other, signature)).to.be.revertedWithCustomError(
      escrow,
      "SignatureInvalid",
    );
  });

  it("binds consent to the escrow (replay across contracts)", async () => {
    const { tokenAddress, token, buyer, terms, signAcceptance } = await loadFixture(deployFunded);
    const signature = await signAcceptance(terms);
    const other = await ethers.deployContract("AgreementEscrow", [tokenAddress]);
    await token.connect(buyer).approve(await other.getAddress(), MaxUint256);
    await expect(other.connect(buyer).fund(terms, signature)).to.be.revertedWithCustomError(
      other,
      "SignatureInvalid",
    );
  });

  it("binds consent to the chain (replay across chains)", async () => {
    const { escrow, escrowAddress, chainId, seller, terms, idOf } = await loadFixture(deployFunded);
    const signature = await seller.signTypedData(escrowDomain(chainId + 1n, escrowAddress), ACCEPTANCE, {
      agreementId: idOf(terms),
    });
    await expect(escrow.acceptWithSignature(terms, signature)).to.be.revertedWithCustomError(
      escrow,
      "SignatureInvalid",
    );
  });

  it("binds a relayed submission to its hash", async () => {
    const { escrow, terms, signSubmission } = await loadFixture(deployFunded);
    const signature = await signSubmission(terms, SUBMISSION_HASH);
    await expect(escrow.submitWithSignature(terms, randomHash(), signature)).to.be.revertedWithCustomError(
      escrow,
      "SignatureInvalid",
    );
  });

  it("binds a settlement to its amount, and to both signers in their places", async () => {
    const { escrow, buyer, seller, stranger, terms, signSettlement } = await loadFixture(deployFunded);
    const byBuyer = await signSettlement(terms, 5n, buyer);
    const bySeller = await signSettlement(terms, 5n, seller);
    const byStranger = await signSettlement(terms, 5n, stranger);
    for (const [amount, first, second, wrong] of [
      [6n, byBuyer, bySeller, buyer],
      [5n, bySeller, byBuyer, buyer],
      [5n, byBuyer, byBuyer, seller],
      [5n, bySeller, bySeller, buyer],
      [5n, byStranger, bySeller, buyer],
      [5n, byBuyer, byStranger, seller],
    ] as const) {
      await expect(escrow.settle(terms, amount, first, second))
        .to.be.revertedWithCustomError(escrow, "SignatureInvalid")
        .withArgs(wrong.address, (digest: string) => digest.length === 66);
    }
    await expect(escrow.settle(terms, 5n, byBuyer, bySeller)).to.emit(escrow, "Settled");
  });

  it("uses up a signed settlement with the agreement", async () => {
    const { escrow, buyer, seller, terms, signSettlement, idOf } = await loadFixture(deployFunded);
    const signatures = [
      await signSettlement(terms, 5n, buyer),
      await signSettlement(terms, 5n, seller),
    ] as const;
    await escrow.settle(terms, 5n, ...signatures);
    await expect(escrow.settle(terms, 5n, ...signatures))
      .to.be.revertedWithCustomError(escrow, "StatusUnexpected")
      .withArgs(idOf(terms), Status.Split);
  });
});

describe("AgreementEscrow: ERC-1271 signers", () => {
  /** Two contract wallets of one owner. */
  async function deployWithWallets() {
    const world = await deployWorld();
    const wallet = await ethers.deployContract("Wallet1271", [world.seller.address]);
    const sibling = await ethers.deployContract("Wallet1271", [world.seller.address]);
    return { ...world, wallet, sibling };
  }

  it("a contract seller consents, delivers and settles by signature", async () => {
    const { escrow, wallet, buyer, seller, bringTo, idOf, signAcceptance, signSubmission, signSettlement } =
      await loadFixture(deployWithWallets);
    const terms = await bringTo("Funded", { seller: await wallet.getAddress() });
    await escrow.acceptWithSignature(terms, await signAcceptance(terms));
    await escrow.submitWithSignature(terms, SUBMISSION_HASH, await signSubmission(terms, SUBMISSION_HASH));
    await escrow.settle(
      terms,
      1n,
      await signSettlement(terms, 1n, buyer),
      await signSettlement(terms, 1n, seller),
    );
    expect((await escrow.stateOf(idOf(terms))).status).to.equal(Status.Split);
  });

  it("a contract buyer pays by authorization", async () => {
    const { escrow, token, wallet, buyer, stranger, makeTerms, idOf, signAuthorization } =
      await loadFixture(deployWithWallets);
    const buyerWallet = await ethers.deployContract("Wallet1271", [buyer.address]);
    await token.mint(await buyerWallet.getAddress(), REWARD);
    const terms = await makeTerms({
      buyer: await buyerWallet.getAddress(),
      seller: await wallet.getAddress(),
    });
    const signature = await signAuthorization(terms, {}, buyer);
    await escrow.connect(stranger).fundWithAuthorization(terms, 0n, MaxUint256, signature, "0x");
    expect((await escrow.stateOf(idOf(terms))).status).to.equal(Status.Funded);
  });

  it("one owner's signature for one wallet is none for the other (ERC-1271 replay across wallets)", async () => {
    const { escrow, wallet, sibling, seller, bringTo, signAcceptance } = await loadFixture(deployWithWallets);
    const terms = await bringTo("Funded", { seller: await wallet.getAddress() });
    const other = await bringTo("Funded", { ...terms, seller: await sibling.getAddress() });
    const plain = await bringTo("Funded", { ...terms, seller: seller.address });
    const signature = await signAcceptance(terms);
    for (const replayed of [other, plain]) {
      await expect(escrow.acceptWithSignature(replayed, signature)).to.be.revertedWithCustomError(
        escrow,
        "SignatureInvalid",
      );
    }
    await expect(escrow.acceptWithSignature(terms, signature)).to.emit(escrow, "Accepted");
  });

  for (const [name, answer] of [
    ["reverts", 1],
    ["answers four bytes", 2],
    ["answers something else", 3],
    ["burns its gas", 4],
  ] as const) {
    it(`refuses when the wallet ${name}`, async () => {
      const { escrow, wallet, bringTo, signAcceptance } = await loadFixture(deployWithWallets);
      const terms = await bringTo("Funded", { seller: await wallet.getAddress() });
      await wallet.setAnswer(answer);
      await expect(
        escrow.acceptWithSignature(terms, await signAcceptance(terms), { gasLimit: 2_000_000n }),
      ).to.be.revertedWithCustomError(escrow, "SignatureInvalid");
    });
  }

  it("a contract seller acts by calling, and is paid", async () => {
    const { escrow, escrowAddress, token, wallet, seller, adjudicator, bringTo } =
      await loadFixture(deployWithWallets);
    const terms = await bringTo("Funded", { seller: await wallet.getAddress() });
    const call = escrow.interface.encodeFunctionData("submit", [terms, SUBMISSION_HASH]);
    await wallet.connect(seller).execute(escrowAddress, call);
    await expect(
      escrow.connect(adjudicator).release(terms, SUBMISSION_HASH, VERDICT_HASH),
    ).to.changeTokenBalances(ethers, token, [wallet], [REWARD]);
  });
});

describe("AgreementEscrow: EIP-7702 accounts", () => {
  /** A buyer and a seller whose accounts delegate to code that knows no ERC-1271. */
  async function deployDelegated() {
    const world = await deployWorld();
    const delegate = await (await ethers.deployContract("PlainDelegate")).getAddress();
    const delegated = async (name: string): Promise<Wallet> => {
      const wallet = new Wallet(ethers.id(name), ethers.provider);
      await networkHelpers.setBalance(wallet.address, 10n ** 18n);
      await world.token.mint(wallet.address, 10n ** 12n);
      const authorization = await wallet.authorize({
        address: delegate,
        nonce: (await wallet.getNonce()) + 1,
        chainId: world.chainId,
      });
      const raw = Transaction.from({
        type: 4,
        chainId: world.chainId,
        nonce: await wallet.getNonce(),
        to: world.relayer.address,
        gasLimit: 200_000n,
        maxFeePerGas: 10n ** 10n,
        maxPriorityFeePerGas: 1n,
        authorizationList: [authorization],
      });
      await (await ethers.provider.broadcastTransaction(await wallet.signTransaction(raw))).wait();
      expect(await ethers.provider.getCode(wallet.address)).to.equal(
        `0xef0100${delegate.slice(2).toLowerCase()}`,
      );
      return wallet;
    };
    return { ...world, delegatedBuyer: await delegated("buyer"), delegatedSeller: await delegated("seller") };
  }

  it("a delegated buyer can't pay by authorization or permit, but always by approval", async () => {
    const { escrow, escrowAddress, token, tokenDomain, delegatedBuyer, makeTerms, idOf, signAuthorization } =
      await loadFixture(deployDelegated);
    const terms: Terms = await makeTerms({ buyer: delegatedBuyer.address });
    await expect(
      escrow.fundWithAuthorization(
        terms,
        0n,
        MaxUint256,
        await signAuthorization(terms, {}, delegatedBuyer),
        "0x",
      ),
    ).to.be.revertedWith("FiatTokenV2: invalid signature");

    const permit = await delegatedBuyer.signTypedData(
      tokenDomain,
      {
        Permit: [
          { name: "owner", type: "address" },
          { name: "spender", type: "address" },
          { name: "value", type: "uint256" },
          { name: "nonce", type: "uint256" },
          { name: "deadline", type: "uint256" },
        ],
      },
      { owner: terms.buyer, spender: escrowAddress, value: terms.reward, nonce: 0n, deadline: MaxUint256 },
    );
    await expect(
      escrow.connect(delegatedBuyer).fundWithPermit(terms, MaxUint256, permit, "0x"),
    ).to.be.revertedWithCustomError(escrow, "PermitRejected");

    await token.connect(delegatedBuyer).approve(escrowAddress, terms.reward);
    await escrow.connect(delegatedBuyer).fund(terms, "0x");
    expect((await escrow.stateOf(idOf(terms))).status).to.equal(Status.Funded);
  });

  it("a delegated seller's key still consents and delivers by signature", async () => {
    const { escrow, delegatedSeller, bringTo, signAcceptance, signSubmission, idOf } =
      await loadFixture(deployDelegated);
    const terms = await bringTo("Funded", { seller: delegatedSeller.address });
    await escrow.acceptWithSignature(terms, await signAcceptance(terms, delegatedSeller));
    await escrow.submitWithSignature(
      terms,
      SUBMISSION_HASH,
      await signSubmission(terms, SUBMISSION_HASH, delegatedSeller),
    );
    expect((await escrow.stateOf(idOf(terms))).status).to.equal(Status.Submitted);
  });

  it("a delegated seller is paid like any other", async () => {
    const { escrow, token, delegatedSeller, adjudicator, bringTo } = await loadFixture(deployDelegated);
    const terms = await bringTo("Funded", { seller: delegatedSeller.address });
    await escrow.connect(delegatedSeller).submit(terms, SUBMISSION_HASH);
    await expect(
      escrow.connect(adjudicator).release(terms, SUBMISSION_HASH, VERDICT_HASH),
    ).to.changeTokenBalances(ethers, token, [delegatedSeller.address], [REWARD]);
  });
});
