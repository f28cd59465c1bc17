import { type Result, hexlify } from "ethers";
import { executionProofGateAbi } from "../abi/execution-proof-gate.ts";
import { interfaceOf } from "../primitives/interface-of.ts";
import type { Execution } from "../documents/agreement.ts";
import { type Address, toAddress } from "../primitives/address.ts";
import { type Hex, toHash } from "../primitives/hex.ts";
import type { Terms } from "../terms/terms.ts";
import { type TermsStruct, termsFromEvent, toTermsStruct } from "../terms/terms-struct.ts";
import type { StepRecord } from "./step.ts";

const selector = (): string =>
  interfaceOf(executionProofGateAbi).getFunction("deliver")?.selector.slice(2) ?? "";

/** Everything that a gate needs to release an agreement. */
export interface GateDelivery {
  readonly escrow: Address;
  readonly terms: Terms;
  readonly execution: Execution;
  /** One for each step, in order. */
  readonly records: readonly StepRecord[];
  /** The recorder's, over the terminal. */
  readonly signature: Hex;
}

/** Calldata that delivers a proof to `ExecutionProofGate`, as anyone. */
export function gateDeliveryCalldata({ escrow, terms, execution, records, signature }: GateDelivery): Hex {
  const { recorder, nonce, steps } = execution;
  const exchanges = records.map(({ requestHash, responseHash }) => ({ requestHash, responseHash }));
  const proof = { escrow, terms: toTermsStruct(terms), recorder, nonce, steps, exchanges, signature };
  return interfaceOf(executionProofGateAbi).encodeFunctionData("deliver", [proof]) as Hex;
}

/**
 * The proofs in calls of `ExecutionProofGate.deliver` that calldata holds, also inside of another call: a batch, a smart
 * account, a multisig. Whatever looks like one is returned; what it is worth, its replay and its signature say.
 */
export function gateDeliveriesIn(input: Hex): readonly GateDelivery[] {
  const found: GateDelivery[] = [];
  const start = selector();
  for (let at = input.indexOf(start, 2); at >= 0; at = input.indexOf(start, at + 1)) {
    const delivery = at % 2 === 0 ? read(`0x${input.slice(at)}`) : null;
    if (delivery !== null) found.push(delivery);
  }
  return found;
}

/** Null for bytes that are no encoding of a proof. */
function read(data: Hex): GateDelivery | null {
  try {
    const proof = interfaceOf(executionProofGateAbi).decodeFunctionData("deliver", data)["proof"] as Result;
    return {
      escrow: toAddress(proof["escrow"] as string),
      terms: termsFromEvent(proof["terms"] as TermsStruct),
      execution: {
        nonce: toHash(proof["nonce"] as string),
        recorder: toAddress(proof["recorder"] as string),
        steps: [...(proof["steps"] as Result)].map((step) => {
          const { index, method, pathTemplate, auth } = (step as Result).toObject() as Record<
            string,
            unknown
          >;
          return {
            index: Number(index),
            method: String(method),
            pathTemplate: String(pathTemplate),
            auth: auth === true,
          };
        }),
      },
      records: [...(proof["exchanges"] as Result)].map((exchange, index) => {
        const { requestHash, responseHash } = (exchange as Result).toObject() as Record<string, string>;
        return { index, requestHash: toHash(requestHash ?? ""), responseHash: toHash(responseHash ?? "") };
      }),
      signature: hexlify(proof["signature"] as string) as Hex,
    };
  } catch {
    return null;
  }
}
