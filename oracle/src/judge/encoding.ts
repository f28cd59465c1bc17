import { abi } from "genlayer-js";
import { dataLength, decodeRlp } from "ethers";
import type { Hex } from "@assay/protocol";
import { z } from "zod";
import type { AdjudicationCall } from "./judge.ts";

/** Name and arguments of the judge's one write. */
export function adjudicateCall({
  agreementId,
  chainId,
  escrow,
  agreementText,
  submissionText,
}: AdjudicationCall) {
  return {
    functionName: "adjudicate",
    args: [agreementId, BigInt(chainId), escrow, agreementText, submissionText],
  };
}

/** The calldata of an adjudication. */
export function encodeAdjudicate(call: AdjudicationCall): Uint8Array {
  const { functionName, args } = adjudicateCall(call);
  return abi.calldata.encode(abi.calldata.makeCalldataObject(functionName, args, undefined));
}

/**
 * Exact estimates revert on testnets, and a failed estimate becomes 200,000 in the library: half as much again, and
 * never less than what the calldata alone costs.
 */
export function gasFor(estimate: bigint, data: Hex): bigint {
  const withHeadRoom = (estimate * 3n) / 2n;
  const floor = 250_000n + 40n * BigInt(dataLength(data));
  return withHeadRoom > floor ? withHeadRoom : floor;
}

/** `gen_call` answers hex without 0x, or an object with a status. @throws Error when the call failed. */
export function callResult(answer: unknown): Hex {
  if (typeof answer === "string") return `0x${answer}`;
  const parsed = z
    .object({
      data: z.string(),
      status: z.object({ code: z.number(), message: z.string().optional() }).optional(),
    })
    .parse(answer);
  if (parsed.status !== undefined && parsed.status.code !== 0)
    throw new Error(`gen_call failed: ${parsed.status.message ?? parsed.status.code}`);
  return `0x${parsed.data}`;
}

/** Calldata maps as plain objects, deeply; other values as they are. */
export function toPlain(value: unknown): unknown {
  if (value instanceof Map)
    return Object.fromEntries(
      [...(value as Map<string, unknown>)].map(([key, inner]) => [key, toPlain(inner)]),
    );
  return Array.isArray(value) ? value.map(toPlain) : value;
}

/** [calldata, leaderOnly] of a call; null when it is none. */
export function splitCall(txData: Hex): { readonly calldata: Hex; readonly leaderOnly: boolean } | null {
  try {
    const parts = decodeRlp(txData);
    if (!Array.isArray(parts) || parts.length !== 2) return null;
    const [calldata, leaderOnly] = parts;
    if (typeof calldata !== "string" || typeof leaderOnly !== "string") return null;
    return { calldata: calldata as Hex, leaderOnly: !/^0x(00)*$/.test(leaderOnly) };
  } catch {
    return null;
  }
}
