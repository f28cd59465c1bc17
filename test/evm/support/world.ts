import { id as hashText, randomBytes, toBigInt } from "ethers";
import { network } from "hardhat";
import type { HardhatEthersSigner } from "@nomicfoundation/hardhat-ethers/types";
import type {} from "../../../types/ethers-contracts/hardhat.d.ts";
import { deployFiatToken } from "../../../localnet/src/evm/fiat-token.ts";
import {
  ACCEPTANCE,
  configOf,
  digestOf,
  escrowDomain,
  Outcome,
  PERMIT,
  RECEIVE_WITH_AUTHORIZATION,
  SETTLEMENT,
  SUBMISSION,
  TERMS,
  VERDICT,
  verdictDomain,
  type Quorum,
  type StatusName,
  type Terms,
  type Verdict,
} from "./typed-data.ts";

export const { ethers, networkHelpers, provider } = await network.create();

/** Runs a fixture once and returns to the chain as it left it. */
export const loadFixture = <T>(fixture: () => Promise<T>): Promise<T> => networkHelpers.loadFixture(fixture);
export const time = networkHelpers.time;

/** Submission, verdict and agreement hashes; any would do. */
export const SUBMISSION_HASH = hashText("submission");
export const VERDICT_HASH = hashText("verdict record");
export const AGREEMENT_HASH = hashText("agreement");
export const JUDGE_TX = hashText("judge transaction");
export const JUDGE = "0x1111111111111111111111111111111111111111";
export const REWARD = 100_000_001n;
/** As wide as `newSalt` draws them and without a zero byte, because the bytes of a salt are paid for. */
const FIRST_SALT = 0x5a17_5a17_5a17_0100n;
export const ZERO_HASH = `0x${"00".repeat(32)}`;

export const DAY = 86_400n;
export const HOUR = 3_600n;
export const MINUTE = 60n;

type Signer = HardhatEthersSigner;

/** A key that signs typed data, be it an account of the node or a wallet. */
type TypedDataSigner = Pick<Signer, "signTypedData">;

/** A certificate and all that its delivery takes, as `VerdictQuorum` expects it. */
export interface Delivery {
  terms: Terms;
  verdict: Verdict;
  quorum: Quorum;
  signatures: string[];
}

/**
 * A fresh token, escrow and quorum with everyone who acts on them.
 *
 * Buyers and sellers hold USDC and the escrow's balance isn't zero, as in ordinary use.
 */
export async function deployWorld() {
  const [deployer, buyer, seller, relayer, stranger, adjudicator, ...rest] = (await ethers.getSigners()) as [
    Signer,
    Signer,
    Signer,
    Signer,
    Signer,
    Signer,
    ...Signer[],
  ];
  const byAddress = (a: Signer, b: Signer): number => (toBigInt(a.address) < toBigInt(b.address) ? -1 : 1);
  const operators = rest.slice(0, 5).sort(byAddress);
  const chainId = (await ethers.provider.getNetwork()).chainId;

  const { address } = await deployFiatToken(deployer);
  const token = await ethers.getContractAt("IFiatTokenV2_2", address, deployer);
  const escrow = await ethers.deployContract("AgreementEscrow", [address], deployer);
  const quorum = await ethers.deployContract("VerdictQuorum", [], deployer);
  const escrowAddress = await escrow.getAddress();
  const quorumAddress = await quorum.getAddress();

  for (const { address: holder } of [deployer, buyer, seller, stranger]) await token.mint(holder, 10n ** 12n);
  await token.connect(deployer).transfer(escrowAddress, 1n);
  await token.connect(buyer).approve(escrowAddress, 2n ** 256n - 1n);

  const domain = escrowDomain(chainId, escrowAddress);
  const quorumOf = (members: number, threshold: bigint): Quorum => ({
    members: operators.slice(0, members).map((operator) => operator.address),
    threshold,
  });
  let salt = FIRST_SALT;

  /** Terms judged by `adjudicator`, a plain account, so that an operation can be looked at without certificates. */
  const makeTerms = async (overrides: Partial<Terms> = {}): Promise<Terms> => {
    const now = BigInt(await time.latest());
    return {
      buyer: buyer.address,
      seller: seller.address,
      reward: REWARD,
      agreementHash: AGREEMENT_HASH,
      adjudicator: adjudicator.address,
      adjudicatorConfig: ZERO_HASH,
      deliverBy: now + DAY,
      adjudicateBy: now + 2n * DAY,
      noVerdictSellerBps: 5_000n,
      salt: ++salt,
      ...overrides,
    };
  };

  /** Terms judged by the quorum of the first `members` operators. */
  const makeQuorumTerms = (members: number, threshold: bigint, overrides: Partial<Terms> = {}) =>
    makeTerms({
      adjudicator: quorumAddress,
      adjudicatorConfig: configOf(quorumOf(members, threshold)),
      ...overrides,
    });

  const idOf = (terms: Terms): string => digestOf(domain, TERMS, terms);

  const signAcceptance = (terms: Terms, signer: TypedDataSigner = seller) =>
    signer.signTypedData(domain, ACCEPTANCE, { agreementId: idOf(terms) });
  const signSubmission = (terms: Terms, submissionHash: string, signer: TypedDataSigner = seller) =>
    signer.signTypedData(domain, SUBMISSION, { agreementId: idOf(terms), submissionHash });
  const signSettlement = (terms: Terms, sellerAmount: bigint, signer: TypedDataSigner) =>
    signer.signTypedData(domain, SETTLEMENT, { agreementId: idOf(terms), sellerAmount });

  const tokenDomain = { name: "USD Coin", version: "2", chainId, verifyingContract: address };
  const signAuthorization = (
    terms: Terms,
    { validAfter = 0n, validBefore = 2n ** 256n - 1n, nonce = idOf(terms), to = escrowAddress } = {},
    signer: TypedDataSigner = buyer,
  ) =>
    signer.signTypedData(tokenDomain, RECEIVE_WITH_AUTHORIZATION, {
      from: terms.buyer,
      to,
      value: terms.reward,
      validAfter,
      validBefore,
      nonce,
    });
  const signPermit = async (terms: Terms, deadline: bigint, signer: TypedDataSigner = buyer) =>
    signer.signTypedData(tokenDomain, PERMIT, {
      owner: terms.buyer,
      spender: escrowAddress,
      value: terms.reward,
      nonce: await token.nonces(terms.buyer),
      deadline,
    });

  const fund = async (terms: Terms, sellerSignature = "0x"): Promise<Terms> => {
    await escrow.connect(await ethers.getSigner(terms.buyer)).fund(terms, sellerSignature);
    return terms;
  };
  const fundWithAuthorization = async (terms: Terms, sellerSignature = "0x") =>
    escrow
      .connect(relayer)
      .fundWithAuthorization(terms, 0n, 2n ** 256n - 1n, await signAuthorization(terms), sellerSignature);
  const submit = async (terms: Terms, submissionHash = SUBMISSION_HASH): Promise<Terms> => {
    await escrow.connect(await ethers.getSigner(terms.seller)).submit(terms, submissionHash);
    return terms;
  };

  /** Brings a new agreement to a status along its shortest way. */
  const bringTo = async (status: StatusName, overrides: Partial<Terms> = {}): Promise<Terms> => {
    const terms = await makeTerms(overrides);
    if (status === "None") return terms;
    await fund(terms, status === "Accepted" ? await signAcceptance(terms) : "0x");
    if (status === "Funded" || status === "Accepted") return terms;
    await submit(terms);
    if (status === "Released")
      await escrow.connect(adjudicator).release(terms, SUBMISSION_HASH, VERDICT_HASH);
    if (status === "Refunded") await escrow.connect(adjudicator).refund(terms, SUBMISSION_HASH, VERDICT_HASH);
    if (status === "Split") await escrow.connect(adjudicator).conclude(terms, SUBMISSION_HASH, VERDICT_HASH);
    return terms;
  };

  const makeVerdict = (
    terms: Terms,
    outcome: bigint = Outcome.PASS,
    overrides: Partial<Verdict> = {},
  ): Verdict => ({
    escrow: escrowAddress,
    agreementId: idOf(terms),
    submissionHash: SUBMISSION_HASH,
    outcome,
    verdictHash: VERDICT_HASH,
    judge: JUDGE,
    judgeTx: JUDGE_TX,
    notAfter: terms.adjudicateBy,
    ...overrides,
  });
  const signVerdict = (verdict: Verdict, operator: TypedDataSigner, verifier = quorumAddress) =>
    operator.signTypedData(verdictDomain(chainId, verifier), VERDICT, verdict);

  /** A certificate signed by the first `threshold` of the first `members` operators. */
  const makeDelivery = async (
    terms: Terms,
    members: number,
    threshold: bigint,
    outcome: bigint = Outcome.PASS,
    overrides: Partial<Verdict> = {},
  ): Promise<Delivery> => {
    const verdict = makeVerdict(terms, outcome, overrides);
    const signatures: string[] = [];
    for (const [index, operator] of operators.slice(0, members).entries()) {
      signatures.push(BigInt(index) < threshold ? await signVerdict(verdict, operator) : "0x");
    }
    return { terms, verdict, quorum: quorumOf(members, threshold), signatures };
  };

  return {
    chainId,
    deployer,
    buyer,
    seller,
    relayer,
    stranger,
    adjudicator,
    operators,
    token,
    tokenAddress: address,
    tokenDomain,
    escrow,
    escrowAddress,
    domain,
    quorum,
    quorumAddress,
    quorumOf,
    makeTerms,
    makeQuorumTerms,
    idOf,
    signAcceptance,
    signSubmission,
    signSettlement,
    signAuthorization,
    signPermit,
    fund,
    fundWithAuthorization,
    submit,
    bringTo,
    makeVerdict,
    signVerdict,
    makeDelivery,
  };
}

export type World = Awaited<ReturnType<typeof deployWorld>>;

/** A hash nobody has used. */
export const randomHash = (): string => `0x${Buffer.from(randomBytes(32)).toString("hex")}`;
