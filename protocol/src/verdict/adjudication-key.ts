import { type Address, toAddress } from "../primitives/address.ts";
import { toChainId } from "../primitives/chain-id.ts";
import { bytesOf, type Hex, toHash } from "../primitives/hex.ts";
import { lengthPrefixed } from "../primitives/length-prefixed.ts";
import { sha256 } from "../primitives/sha256.ts";
import { utf8Encode } from "../primitives/utf8.ts";

const TAG = "assay/adjudication-key/1";

/** What identifies one adjudication. */
export interface AdjudicationKeyParameters {
  /** EVM chain of the escrow. */
  readonly chainId: number;
  readonly escrow: Address;
  readonly agreementId: Hex;
  readonly agreementHash: Hex;
  readonly submissionHash: Hex;
}

/** Key under which the Intelligent Contract stores a sender's record: SHA-256 over the length-prefixed fields. */
export function adjudicationKey(parameters: AdjudicationKeyParameters): Hex {
  return sha256(
    lengthPrefixed([
      utf8Encode(TAG),
      utf8Encode(String(toChainId(parameters.chainId))),
      utf8Encode(toAddress(parameters.escrow).toLowerCase()),
      bytesOf(toHash(parameters.agreementId)),
      bytesOf(toHash(parameters.agreementHash)),
      bytesOf(toHash(parameters.submissionHash)),
    ]),
  );
}
