import { ProtocolError } from "../error.ts";

/** Why a reputation can't be computed. */
export type ReputationErrorCode =
  /** An event about an agreement whose `Funded` was not among the events. */
  | "agreement_unknown"
  /** The same agreement twice. */
  | "agreement_duplicated"
  /** An event that the escrow would not emit at this point of the agreement's life. */
  | "event_unexpected"
  /** The escrow or the quorum emitted something that its ABI does not have. */
  | "event_unknown"
  /** The index's answer does not have the schema's shape. */
  | "entity_malformed"
  /** A time that is no Unix second. */
  | "time_malformed";

/** The facts handed in can't all be true, or are not all there: no figure is better than a wrong one. */
export class ReputationError extends ProtocolError {
  override readonly name = "ReputationError";
  readonly code: ReputationErrorCode;

  constructor(code: ReputationErrorCode, message: string, hint: string, options?: ErrorOptions) {
    super(message, hint, options);
    this.code = code;
  }
}
