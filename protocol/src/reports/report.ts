import type { Files } from "../documents/files.ts";
import { canonicalize } from "../json/canonicalize.ts";
import type { Address } from "../primitives/address.ts";
import { type Hex, toHash } from "../primitives/hex.ts";
import { sha256 } from "../primitives/sha256.ts";
import { utf8Encode } from "../primitives/utf8.ts";
import { reportDomain } from "../typed-data/domains.ts";
import type { TypedData, TypedDataField } from "../typed-data/typed-data.ts";

/** What a reporter signs. */
export const REPORT_TYPES: { Report: TypedDataField[] } = {
  Report: [
    { name: "agreementId", type: "bytes32" },
    { name: "filesHash", type: "bytes32" },
    { name: "claim", type: "string" },
    { name: "passed", type: "bool" },
    { name: "detailHash", type: "bytes32" },
  ],
};

/** What `reportTypedData` takes. */
export interface ReportParameters {
  readonly agreementId: Hex;
  /** By {@link filesHash}, of the files that the report is about. */
  readonly filesHash: Hex;
  readonly claim: string;
  readonly passed: boolean;
  readonly detailHash: Hex;
  /** EVM chain of the escrow. */
  readonly chainId: number;
  readonly escrow: Address;
}

/** SHA-256 of the canonical form of a submission's `files`. */
export function filesHash(files: Files): Hex {
  return sha256(utf8Encode(canonicalize(files)));
}

/**
 * A report for its reporter to sign.
 *
 * @throws ValueError when a hash, the chain id or the address is malformed.
 */
export function reportTypedData(parameters: ReportParameters): TypedData {
  return {
    domain: reportDomain(parameters.chainId, parameters.escrow),
    types: REPORT_TYPES,
    primaryType: "Report",
    message: {
      agreementId: toHash(parameters.agreementId),
      filesHash: toHash(parameters.filesHash),
      claim: parameters.claim,
      passed: parameters.passed,
      detailHash: toHash(parameters.detailHash),
    },
  };
}
