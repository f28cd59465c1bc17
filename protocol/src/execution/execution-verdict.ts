import { TypedDataEncoder } from "ethers";
import { type Address, toAddress } from "../primitives/address.ts";
import { type Hex, toHash } from "../primitives/hex.ts";

const EXECUTION_VERDICT = TypedDataEncoder.from({
  ExecutionVerdict: [
    { name: "agreementId", type: "bytes32" },
    { name: "committedRoot", type: "bytes32" },
    { name: "terminal", type: "bytes32" },
    { name: "recorder", type: "address" },
  ],
});

/** What `executionVerdictHash` takes. */
export interface ExecutionVerdictParameters {
  readonly agreementId: Hex;
  readonly committedRoot: Hex;
  /** The chain after the last step. */
  readonly terminal: Hex;
  readonly recorder: Address;
}

/**
 * What the escrow reports as `verdictHash` of a release by an execution proof gate: the EIP-712 struct hash of
 * `ExecutionVerdict(bytes32 agreementId,bytes32 committedRoot,bytes32 terminal,address recorder)`.
 *
 * @throws ValueError when a hash or the address is malformed.
 */
export function executionVerdictHash(parameters: ExecutionVerdictParameters): Hex {
  return EXECUTION_VERDICT.hash({
    agreementId: toHash(parameters.agreementId),
    committedRoot: toHash(parameters.committedRoot),
    terminal: toHash(parameters.terminal),
    recorder: toAddress(parameters.recorder),
  }) as Hex;
}
