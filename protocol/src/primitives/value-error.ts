import { ProtocolError } from "../error.ts";

/** Why a single value was refused. */
export type ValueErrorCode =
  | "hex_malformed"
  | "address_malformed"
  | "address_checksum"
  | "chain_id_out_of_range"
  | "uint_out_of_range"
  | "step_malformed"
  | "agreement_id_mismatch"
  | "quorum_empty"
  | "quorum_zero_member"
  | "quorum_unsorted"
  | "quorum_duplicate_member"
  | "quorum_threshold_out_of_range";

/** A value handed to this package is not one that the protocol allows. */
export class ValueError extends ProtocolError {
  override readonly name = "ValueError";
  readonly code: ValueErrorCode;

  constructor(code: ValueErrorCode, message: string, hint: string) {
    super(message, hint);
    this.code = code;
  }
}
