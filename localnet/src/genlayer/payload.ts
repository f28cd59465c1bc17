import { decodeRlp, getBytes, Interface, ZeroAddress } from "ethers";

import type { ExecutionMode } from "./consensus/consensus.ts";
import type { Hex } from "./execution/executor.ts";

/** What a ConsensusMain call cannot be understood as. */
export class PayloadError extends Error {
  override readonly name = "PayloadError";
}

/** What runs: a method call, or a deployment of source code. */
export type Payload =
  | { readonly kind: "call"; readonly calldata: Uint8Array; readonly mode: ExecutionMode }
  | {
      readonly kind: "deploy";
      readonly code: Uint8Array;
      readonly calldata: Uint8Array;
      readonly mode: ExecutionMode;
    };

/** One call of ConsensusMain. */
export type ConsensusCall =
  | {
      readonly function: "addTransaction";
      /** The zero address when the call leaves it to the signer. */
      readonly sender: Hex;
      readonly recipient: Hex;
      readonly validators: number;
      readonly maxRotations: number;
      readonly txData: Hex;
      readonly payload: Payload;
      /** Unix seconds; absent in the older form. */
      readonly validUntil?: bigint;
    }
  | {
      readonly function: "submitAppeal" | "finalizeTransaction" | "cancelTransaction";
      readonly txId: Hex;
    }
  | { readonly function: "finalizeIdlenessTxs"; readonly txIds: readonly Hex[] };

const consensusMain = new Interface([
  "function addTransaction(address sender, address recipient, uint256 validators, uint256 maxRotations, bytes txData)",
  "function addTransaction(address sender, address recipient, uint256 validators, uint256 maxRotations, bytes txData, uint256 validUntil) payable",
  "function submitAppeal(bytes32 txId) payable",
  "function finalizeTransaction(bytes32 txId)",
  "function finalizeIdlenessTxs(bytes32[] txIds)",
  "function cancelTransaction(bytes32 txId)",
]);

/** Sender-chosen counts beyond this are refused rather than rounded. */
const MAX_COUNT = 1000n;

/**
 * Decodes the call data of a transaction to ConsensusMain: `addTransaction` in both its forms, appeals and finality.
 *
 * @throws {@link PayloadError}
 */
export function decodeConsensusCall(data: Hex): ConsensusCall {
  const parsed = parse(data);
  switch (parsed.name) {
    case "addTransaction": {
      const [sender, recipient, validators, maxRotations, txData, validUntil] = parsed.args as unknown as [
        Hex,
        Hex,
        bigint,
        bigint,
        Hex,
        bigint | undefined,
      ];
      const payload = decodeTxData(txData);
      if ((payload.kind === "deploy") !== (recipient === ZeroAddress)) {
        throw new PayloadError("a deployment goes to the zero address, and nothing else does");
      }
      return {
        function: "addTransaction",
        sender,
        recipient,
        validators: count("the number of validators", validators, 1n),
        maxRotations: count("the number of rotations", maxRotations, 0n),
        txData,
        payload,
        ...(validUntil === undefined ? {} : { validUntil }),
      };
    }
    case "finalizeIdlenessTxs":
      return { function: parsed.name, txIds: [...(parsed.args[0] as Iterable<Hex>)] };
    case "submitAppeal":
    case "finalizeTransaction":
    case "cancelTransaction":
      return { function: parsed.name, txId: parsed.args[0] as Hex };
    default:
      throw new PayloadError(`ConsensusMain has no function ${parsed.name} here`);
  }
}

/**
 * Decodes the RLP list `[calldata, mode]` of a call, or `[code, calldata, mode]` of a deployment. The mode is the
 * `leaderOnly` flag, which Studio also lets carry its third execution mode.
 *
 * @throws {@link PayloadError}
 */
export function decodeTxData(txData: string): Payload {
  let items: unknown;
  try {
    items = decodeRlp(txData);
  } catch (cause) {
    throw new PayloadError("the transaction data is not RLP", { cause });
  }
  if (!Array.isArray(items) || !items.every((item): item is string => typeof item === "string")) {
    throw new PayloadError("the transaction data is not a list of byte strings");
  }
  const [first, second, third] = items;
  if (items.length === 2 && first !== undefined) {
    return { kind: "call", calldata: getBytes(first), mode: executionMode(second) };
  }
  if (items.length === 3 && first !== undefined && second !== undefined) {
    return { kind: "deploy", code: getBytes(first), calldata: getBytes(second), mode: executionMode(third) };
  }
  throw new PayloadError(`the transaction data has ${items.length} items, not 2 (call) or 3 (deployment)`);
}

function parse(data: Hex): { name: string; args: ArrayLike<unknown> } {
  let parsed: ReturnType<Interface["parseTransaction"]>;
  try {
    parsed = consensusMain.parseTransaction({ data });
  } catch (cause) {
    throw new PayloadError(`could not decode the arguments of ConsensusMain ${data.slice(0, 10)}`, { cause });
  }
  if (parsed === null) throw new PayloadError(`ConsensusMain has no function ${data.slice(0, 10)}`);
  return { name: parsed.name, args: parsed.args.toArray() };
}

function count(what: string, value: bigint, least: bigint): number {
  if (value < least || value > MAX_COUNT) {
    throw new PayloadError(
      `${what} is ${value.toString()}, not ${least.toString()} to ${MAX_COUNT.toString()}`,
    );
  }
  return Number(value);
}

function executionMode(flag: string | undefined): ExecutionMode {
  switch (flag) {
    case "0x":
    case "0x00":
      return "NORMAL";
    case "0x01":
      return "LEADER_ONLY";
    case "0x02":
      return "LEADER_SELF_VALIDATOR";
    default:
      throw new PayloadError(`the leaderOnly flag is ${flag ?? "missing"}, not one byte 00, 01 or 02`);
  }
}
