import type { Address } from "../primitives/address.ts";
import { type Hex, toHash } from "../primitives/hex.ts";
import { escrowDomain } from "../typed-data/domains.ts";
import type { TypedData, TypedDataField } from "../typed-data/typed-data.ts";

/** EIP-712 type of a delivery. */
export const SUBMISSION_TYPES: { Submission: TypedDataField[] } = {
  Submission: [
    { name: "agreementId", type: "bytes32" },
    { name: "submissionHash", type: "bytes32" },
  ],
};

/** What the seller signs so that anyone can hand in the submission with that SHA-256. */
export function submissionTypedData(
  agreementId: Hex,
  submissionHash: Hex,
  chainId: number,
  escrow: Address,
): TypedData {
  return {
    domain: escrowDomain(chainId, escrow),
    types: SUBMISSION_TYPES,
    primaryType: "Submission",
    message: { agreementId: toHash(agreementId), submissionHash: toHash(submissionHash) },
  };
}
