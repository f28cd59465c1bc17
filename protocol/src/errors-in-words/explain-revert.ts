import { AbiCoder, type JsonFragment, dataSlice, isHexString, toUtf8String } from "ethers";
import { agreementEscrowAbi } from "../abi/agreement-escrow.ts";
import { erc8183EvaluatorAbi } from "../abi/erc8183-evaluator.ts";
import { executionProofGateAbi } from "../abi/execution-proof-gate.ts";
import { interfaceOf } from "../primitives/interface-of.ts";
import { verdictQuorumAbi } from "../abi/verdict-quorum.ts";
import { ESCROW_PHRASES } from "./escrow-phrases.ts";
import { EVALUATOR_PHRASES } from "./evaluator-phrases.ts";
import { GATE_PHRASES } from "./gate-phrases.ts";
import { QUORUM_PHRASES } from "./quorum-phrases.ts";
import { TOKEN_PHRASES } from "./token-phrases.ts";
import type { Phrase, Wording, Words } from "./words.ts";

/** A revert in words. */
export interface RevertInWords extends Words {
  /** The custom error's name, `Error` for a plain text, `Panic`, or `unknown`. */
  readonly name: string;
}

/** Selector of Solidity's `Error(string)`. */
const ERROR_SELECTOR = "0x08c379a0";
/** Selector of Solidity's `Panic(uint256)`. */
const PANIC_SELECTOR = "0x4e487b71";

interface Contract {
  readonly abi: readonly JsonFragment[];
  readonly phrases: Readonly<Record<string, Phrase>>;
}

const CONTRACTS: readonly Contract[] = [
  { abi: agreementEscrowAbi, phrases: ESCROW_PHRASES },
  { abi: verdictQuorumAbi, phrases: QUORUM_PHRASES },
  { abi: executionProofGateAbi, phrases: GATE_PHRASES },
  { abi: erc8183EvaluatorAbi, phrases: EVALUATOR_PHRASES },
];

/**
 * What a call reverted with, as a person would say it, with a way out. Never throws: what nobody knows is said to be
 * unknown, with its bytes.
 *
 * @param data what the call returned: a custom error of the escrow, the quorum, the gate, the evaluator or OpenZeppelin, or a text of the
 *   token.
 */
export function explainRevert(data: string, wording: Wording = {}): RevertInWords {
  return custom(data, wording) ?? plain(data) ?? unknown(data);
}

/** Words for a text with which the token, or another contract, reverted. */
export function explainReason(reason: string): RevertInWords {
  const words = TOKEN_PHRASES[reason] ?? {
    message: `The contract says: ${JSON.stringify(reason.slice(0, 200))}.`,
    hint: "Check the accounts, their balances and their allowances.",
  };
  return { name: "Error", ...words };
}

function custom(data: string, wording: Wording): RevertInWords | undefined {
  for (const { abi, phrases } of CONTRACTS) {
    const description = attempt(() => interfaceOf(abi).parseError(data));
    const phrase = description == null ? undefined : phrases[description.name];
    if (description == null || phrase === undefined) continue;
    const words = phrase(description.args, wording);
    const inner = description.name === "PermitRejected" ? plain(String(description.args[0])) : undefined;
    return {
      name: description.name,
      hint: words.hint,
      message: inner === undefined ? words.message : `${words.message} ${inner.message}`,
    };
  }
  return undefined;
}

function plain(data: string): RevertInWords | undefined {
  if (data.startsWith(ERROR_SELECTOR)) {
    const reason = attempt(
      () => AbiCoder.defaultAbiCoder().decode(["string"], dataSlice(data, 4))[0] as string,
    );
    return reason === undefined ? undefined : explainReason(reason);
  }
  if (data.startsWith(PANIC_SELECTOR)) {
    return {
      name: "Panic",
      message: `The contract stopped at a fault of its own (panic ${data.slice(10).replace(/^0+/, "0x")}).`,
      hint: "Check the arguments; if they are right, report this with the call's data.",
    };
  }
  return undefined;
}

function unknown(data: string): RevertInWords {
  if (!isHexString(data) || data === "0x") {
    return {
      name: "unknown",
      message: "The call was refused without a reason.",
      hint: "Check that the addresses belong to this network, and that there is enough gas.",
    };
  }
  const text = attempt(() => toUtf8String(data)) ?? "";
  const shown = /^[\x20-\x7E]+$/.test(text) ? JSON.stringify(text) : data;
  return {
    name: "unknown",
    message: `The call was refused with ${shown.slice(0, 150)}.`,
    hint: "No contract of Assay knows this error; check that the addresses belong to this network.",
  };
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
