import { type Address, toAddress } from "../primitives/address.ts";
import { type Hex, toHash } from "../primitives/hex.ts";
import { toUint } from "../primitives/uint.ts";
import { quorumDomain } from "../typed-data/domains.ts";
import { type TypedData, type TypedDataField, typedDataDigest } from "../typed-data/typed-data.ts";

/** What operators sign about one submission, as in the contract's struct `Verdict`. */
export interface Verdict {
  readonly escrow: Address;
  readonly agreementId: Hex;
  readonly submissionHash: Hex;
  /** One of `OUTCOME_CODES`. */
  readonly outcome: number;
  /** Keccak-256 of the verdict record's canonical bytes. */
  readonly verdictHash: Hex;
  /** The Intelligent Contract, on GenLayer. */
  readonly judge: Address;
  /** The GenLayer transaction that judged; the last one for UNDETERMINED, zero for WITHHELD. */
  readonly judgeTx: Hex;
  /** Last second (Unix time) in which the certificate may be delivered: the terms' `adjudicateBy`. */
  readonly notAfter: number;
}

/** EIP-712 type of a verdict certificate. */
export const VERDICT_TYPES: { Verdict: TypedDataField[] } = {
  Verdict: [
    { name: "escrow", type: "address" },
    { name: "agreementId", type: "bytes32" },
    { name: "submissionHash", type: "bytes32" },
    { name: "outcome", type: "uint8" },
    { name: "verdictHash", type: "bytes32" },
    { name: "judge", type: "address" },
    { name: "judgeTx", type: "bytes32" },
    { name: "notAfter", type: "uint48" },
  ],
};

/**
 * What an operator signs to attest a verdict.
 *
 * @throws ValueError when a member does not fit its Solidity type.
 */
export function verdictTypedData(verdict: Verdict, chainId: number, quorum: Address): TypedData {
  return {
    domain: quorumDomain(chainId, quorum),
    types: VERDICT_TYPES,
    primaryType: "Verdict",
    message: {
      escrow: toAddress(verdict.escrow),
      agreementId: toHash(verdict.agreementId),
      submissionHash: toHash(verdict.submissionHash),
      outcome: toUint(verdict.outcome, 8, "outcome"),
      verdictHash: toHash(verdict.verdictHash),
      judge: toAddress(verdict.judge),
      judgeTx: toHash(verdict.judgeTx),
      notAfter: toUint(verdict.notAfter, 48, "notAfter"),
    },
  };
}

/** The certificate's EIP-712 digest: the 32 bytes under every operator's signature. */
export function verdictDigest(verdict: Verdict, chainId: number, quorum: Address): Hex {
  return typedDataDigest(verdictTypedData(verdict, chainId, quorum));
}
