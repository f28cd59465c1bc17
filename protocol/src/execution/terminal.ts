import type { Address } from "../primitives/address.ts";
import { type Hex, toHash } from "../primitives/hex.ts";
import { executionDomain } from "../typed-data/domains.ts";
import type { TypedData, TypedDataField } from "../typed-data/typed-data.ts";

/** What a recorder signs when a mission's last step is recorded. */
export const EXECUTION_TERMINAL_TYPES: { ExecutionTerminal: TypedDataField[] } = {
  ExecutionTerminal: [
    { name: "agreementId", type: "bytes32" },
    { name: "committedRoot", type: "bytes32" },
    { name: "terminal", type: "bytes32" },
  ],
};

/** What `executionTerminalTypedData` takes. */
export interface ExecutionTerminalParameters {
  readonly agreementId: Hex;
  readonly committedRoot: Hex;
  /** The chain after the last step. */
  readonly terminal: Hex;
  /** EVM chain of the escrow. */
  readonly chainId: number;
  readonly escrow: Address;
}

/**
 * A finished walk for its recorder to sign: for one agreement, so that no walk is paid for twice.
 *
 * @throws ValueError when a hash, the chain id or the address is malformed.
 */
export function executionTerminalTypedData(parameters: ExecutionTerminalParameters): TypedData {
  return {
    domain: executionDomain(parameters.chainId, parameters.escrow),
    types: EXECUTION_TERMINAL_TYPES,
    primaryType: "ExecutionTerminal",
    message: {
      agreementId: toHash(parameters.agreementId),
      committedRoot: toHash(parameters.committedRoot),
      terminal: toHash(parameters.terminal),
    },
  };
}
