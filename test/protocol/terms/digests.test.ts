import { TypedDataEncoder, Wallet, verifyTypedData } from "ethers";
import { expect } from "chai";
import fc from "fast-check";
import {
  type Terms,
  type TypedData,
  ValueError,
  acceptanceTypedData,
  agreementIdOf,
  escrowDomain,
  fundingAuthorizationTypedData,
  quorumDomain,
  settlementTypedData,
  submissionTypedData,
  termsTypedData,
  typedDataDigest,
} from "@assay/protocol";
import { address, terms as anyTerms } from "../support/arbitraries.ts";
import { digestByHand, domainSeparatorByHand } from "../support/by-hand.ts";
import { refusalOf } from "../support/refusal.ts";
import { type TermsVector, identifierVectors } from "../support/vectors.ts";

const { chainId, escrow, quorum, domainSeparators, agreements, digests } = identifierVectors;
const escrowByHand = { name: "Assay Escrow", version: "1", chainId, address: escrow };

const TERMS_TYPE =
  "Terms(address buyer,address seller,uint256 reward,bytes32 agreementHash,address adjudicator,bytes32 adjudicatorConfig,uint48 deliverBy,uint48 adjudicateBy,uint16 noVerdictSellerBps,uint256 salt)";

function termsOf(vector: TermsVector): Terms {
  return { ...vector, reward: BigInt(vector.reward), salt: BigInt(vector.salt) };
}

function membersOf(terms: Terms): (bigint | number | string)[] {
  return [
    terms.buyer,
    terms.seller,
    terms.reward,
    terms.agreementHash,
    terms.adjudicator,
    terms.adjudicatorConfig,
    terms.deliverBy,
    terms.adjudicateBy,
    terms.noVerdictSellerBps,
    terms.salt,
  ];
}

const ordinary = termsOf(agreements[0]!.terms);
const agreementId = agreements[0]!.agreementId;

describe("domains", () => {
  it("have the separators of the vectors", () => {
    expect(TypedDataEncoder.hashDomain(escrowDomain(chainId, escrow))).to.equal(domainSeparators.escrow);
    expect(TypedDataEncoder.hashDomain(quorumDomain(chainId, quorum))).to.equal(domainSeparators.quorum);
    expect(domainSeparatorByHand(escrowByHand)).to.equal(domainSeparators.escrow);
  });

  it("refuse a chain id that is none and an address that is none", () => {
    expect(refusalOf(ValueError, () => escrowDomain(0, escrow)).code).to.equal("chain_id_out_of_range");
    expect(refusalOf(ValueError, () => quorumDomain(1, "0x12")).code).to.equal("address_malformed");
  });
});

describe("agreementIdOf", () => {
  for (const vector of agreements) {
    it(`gives the vector's id: ${vector.name}`, () => {
      const terms = termsOf(vector.terms);
      const domain = { ...escrowByHand, chainId: vector.chainId, address: vector.escrow };
      expect(agreementIdOf(terms, vector.chainId, vector.escrow)).to.equal(vector.agreementId);
      expect(digestByHand(domain, TERMS_TYPE, membersOf(terms))).to.equal(vector.agreementId);
    });
  }

  it("equals the digest written out by hand, for any terms, chain and escrow", () => {
    fc.assert(
      fc.property(anyTerms, address, fc.integer({ min: 1, max: 2 ** 31 }), (terms, anyEscrow, anyChain) => {
        const byHand = digestByHand(
          { ...escrowByHand, chainId: anyChain, address: anyEscrow },
          TERMS_TYPE,
          membersOf(terms),
        );
        expect(agreementIdOf(terms, anyChain, anyEscrow)).to.equal(byHand);
      }),
    );
  });

  it("does not depend on the letter case of addresses and hashes", () => {
    const lower: Terms = { ...ordinary, buyer: ordinary.buyer.toLowerCase() as typeof ordinary.buyer };
    expect(agreementIdOf(lower, chainId, escrow.toLowerCase() as typeof escrow)).to.equal(agreementId);
  });

  const changes: { [member in keyof Terms]: Terms[member] } = {
    buyer: quorum,
    seller: quorum,
    reward: ordinary.reward + 1n,
    agreementHash: ordinary.adjudicatorConfig,
    adjudicator: ordinary.buyer,
    adjudicatorConfig: ordinary.agreementHash,
    deliverBy: ordinary.deliverBy + 1,
    adjudicateBy: ordinary.adjudicateBy + 1,
    noVerdictSellerBps: ordinary.noVerdictSellerBps + 1,
    salt: ordinary.salt + 1n,
  };
  for (const [member, value] of Object.entries(changes)) {
    it(`changes with ${member}`, () => {
      expect(agreementIdOf({ ...ordinary, [member]: value }, chainId, escrow)).to.not.equal(agreementId);
    });
  }

  it("changes with chain and escrow", () => {
    expect(agreementIdOf(ordinary, chainId + 1, escrow)).to.not.equal(agreementId);
    expect(agreementIdOf(ordinary, chainId, quorum)).to.not.equal(agreementId);
  });

  const unfit: readonly [member: string, value: unknown, code: string][] = [
    ["reward", -1n, "uint_out_of_range"],
    ["reward", 2n ** 256n, "uint_out_of_range"],
    ["deliverBy", 2 ** 48, "uint_out_of_range"],
    ["adjudicateBy", 1.5, "uint_out_of_range"],
    ["noVerdictSellerBps", 65_536, "uint_out_of_range"],
    ["salt", -1n, "uint_out_of_range"],
    ["buyer", "0x00", "address_malformed"],
    ["agreementHash", "0x00", "hex_malformed"],
  ];
  for (const [member, value, code] of unfit) {
    it(`refuses ${member} ${String(value)}`, () => {
      const terms = { ...ordinary, [member]: value };
      expect(refusalOf(ValueError, () => agreementIdOf(terms, chainId, escrow)).code).to.equal(code);
    });
  }
});

describe("what the parties sign", () => {
  const { acceptance, submission, settlement, fundingAuthorization } = digests;
  const signed: readonly [name: string, typedData: TypedData, digest: string][] = [
    ["terms", termsTypedData(ordinary, chainId, escrow), agreementId],
    ["acceptance", acceptanceTypedData(acceptance.agreementId, chainId, escrow), acceptance.digest],
    [
      "submission",
      submissionTypedData(submission.agreementId, submission.submissionHash, chainId, escrow),
      submission.digest,
    ],
    [
      "settlement",
      settlementTypedData(settlement.agreementId, BigInt(settlement.sellerAmount), chainId, escrow),
      settlement.digest,
    ],
    [
      "funding authorization",
      fundingAuthorizationTypedData({ terms: ordinary, agreementId, escrow, ...fundingAuthorization }),
      fundingAuthorization.digest,
    ],
  ];

  for (const [name, typedData, digest] of signed) {
    it(`${name}: has the vector's digest`, () => {
      expect(typedDataDigest(typedData)).to.equal(digest);
    });

    it(`${name}: is what ethers signs and recovers`, async () => {
      const wallet = new Wallet(`0x${"11".repeat(32)}`);
      const { domain, types, message, primaryType } = typedData;
      const signature = await wallet.signTypedData(domain, types, message);
      expect(verifyTypedData(domain, types, message, signature)).to.equal(wallet.address);
      expect(TypedDataEncoder.from(types).primaryType).to.equal(primaryType);
    });
  }

  it("the digests agree with those written out by hand", () => {
    const { token } = fundingAuthorization;
    expect(digestByHand(escrowByHand, "Acceptance(bytes32 agreementId)", [agreementId])).to.equal(
      acceptance.digest,
    );
    expect(
      digestByHand(escrowByHand, "Submission(bytes32 agreementId,bytes32 submissionHash)", [
        agreementId,
        submission.submissionHash,
      ]),
    ).to.equal(submission.digest);
    expect(
      digestByHand(escrowByHand, "Settlement(bytes32 agreementId,uint256 sellerAmount)", [
        agreementId,
        BigInt(settlement.sellerAmount),
      ]),
    ).to.equal(settlement.digest);
    expect(
      digestByHand(
        token,
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)",
        [
          ordinary.buyer,
          escrow,
          ordinary.reward,
          fundingAuthorization.validAfter,
          fundingAuthorization.validBefore,
          agreementId,
        ],
      ),
    ).to.equal(fundingAuthorization.digest);
  });

  it("the funding authorization refuses an id that is not the terms'", () => {
    const parameters = { terms: { ...ordinary, salt: 1n }, agreementId, escrow, ...fundingAuthorization };
    expect(refusalOf(ValueError, () => fundingAuthorizationTypedData(parameters)).code).to.equal(
      "agreement_id_mismatch",
    );
  });

  it("a settlement refuses an amount that is no uint256", () => {
    expect(refusalOf(ValueError, () => settlementTypedData(agreementId, -1n, chainId, escrow)).code).to.equal(
      "uint_out_of_range",
    );
  });
});
