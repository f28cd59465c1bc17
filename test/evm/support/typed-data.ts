/** EIP-712 types as the contracts declare them, written down once more so that tests don't inherit a mistake. */
import { AbiCoder, keccak256, TypedDataEncoder, type TypedDataDomain, type TypedDataField } from "ethers";

export interface Terms {
  buyer: string;
  seller: string;
  reward: bigint;
  agreementHash: string;
  adjudicator: string;
  adjudicatorConfig: string;
  deliverBy: bigint;
  adjudicateBy: bigint;
  noVerdictSellerBps: bigint;
  salt: bigint;
}

export interface Verdict {
  escrow: string;
  agreementId: string;
  submissionHash: string;
  outcome: bigint;
  verdictHash: string;
  judge: string;
  judgeTx: string;
  notAfter: bigint;
}

export interface Quorum {
  members: string[];
  threshold: bigint;
}

/** Certificate codes. */
export const Outcome = { PASS: 1n, FAIL: 2n, UNDETERMINED: 3n, WITHHELD: 4n } as const;

/** An agreement's status as `stateOf` returns it. */
export const Status = {
  None: 0n,
  Funded: 1n,
  Accepted: 2n,
  Submitted: 3n,
  Released: 4n,
  Refunded: 5n,
  Split: 6n,
} as const;

export type StatusName = keyof typeof Status;

type Types = Record<string, TypedDataField[]>;

const fields = (declaration: string): TypedDataField[] =>
  declaration.split(",").map((field) => {
    const [type, name] = field.trim().split(" ") as [string, string];
    return { type, name };
  });

export const TERMS: Types = {
  Terms: fields(
    "address buyer,address seller,uint256 reward,bytes32 agreementHash,address adjudicator,bytes32 adjudicatorConfig,uint48 deliverBy,uint48 adjudicateBy,uint16 noVerdictSellerBps,uint256 salt",
  ),
};
export const ACCEPTANCE: Types = { Acceptance: fields("bytes32 agreementId") };
export const SUBMISSION: Types = { Submission: fields("bytes32 agreementId,bytes32 submissionHash") };
export const SETTLEMENT: Types = { Settlement: fields("bytes32 agreementId,uint256 sellerAmount") };
export const VERDICT: Types = {
  Verdict: fields(
    "address escrow,bytes32 agreementId,bytes32 submissionHash,uint8 outcome,bytes32 verdictHash,address judge,bytes32 judgeTx,uint48 notAfter",
  ),
};
export const RECEIVE_WITH_AUTHORIZATION: Types = {
  ReceiveWithAuthorization: fields(
    "address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce",
  ),
};
export const CANCEL_AUTHORIZATION: Types = {
  CancelAuthorization: fields("address authorizer,bytes32 nonce"),
};
export const PERMIT: Types = {
  Permit: fields("address owner,address spender,uint256 value,uint256 nonce,uint256 deadline"),
};

export const escrowDomain = (chainId: bigint, escrow: string): TypedDataDomain => ({
  name: "Assay Escrow",
  version: "1",
  chainId,
  verifyingContract: escrow,
});

export const verdictDomain = (chainId: bigint, verifier: string): TypedDataDomain => ({
  name: "Assay Verdict",
  version: "1",
  chainId,
  verifyingContract: verifier,
});

/** The EIP-712 digest of a message in a domain. */
export const digestOf = (domain: TypedDataDomain, types: Types, message: object): string =>
  TypedDataEncoder.hash(domain, types, message);

/** `adjudicatorConfig` of a quorum. */
export const configOf = ({ members, threshold }: Quorum): string =>
  keccak256(AbiCoder.defaultAbiCoder().encode(["address[]", "uint256"], [members, threshold]));
