import type { Hex } from "../primitives/hex.ts";
import { ValueError } from "../primitives/value-error.ts";
import { MAX_TEMPLATE_BYTES } from "./path-template.ts";
import { MAX_STEPS, type Step, type StepRecord } from "./step.ts";
import { WORD, hashOf, textSize, writeHash, writeText, writeUint } from "./words.ts";

/**
 * The arithmetic of the chain: Keccak-256 over standard ABI encoding. The encodings are written by hand, because a
 * general encoder takes twenty times as long; the tests hold them against ethers' and against Solidity's.
 */

const STEP_HEAD = 4 * WORD;
const ATTESTATION_HEAD = 6 * WORD;
const ASCII = /^[\x20-\x7e]{1,255}$/;

/** Room for everything but a sequence. */
const scratch = new Uint8Array(ATTESTATION_HEAD + 2 * textSize(MAX_TEMPLATE_BYTES));

/**
 * `keccak256(abi.encode(Step[]))`, with `Step = (uint256 index, string method, string pathTemplate, bool auth)`; the
 * same for every mission that walks these steps.
 *
 * @throws ValueError `step_malformed` when a step's index is not its position, or a text of it not 1 to 255
 * characters of printable ASCII.
 */
export function sequenceHash(steps: readonly Step[]): Hex {
  for (const [position, step] of steps.entries()) requireEncodable(step, position);
  const table = 2 * WORD;
  const buffer = new Uint8Array(steps.reduce((sum, step) => sum + WORD + sizeOf(step), table));
  writeUint(buffer, 0, WORD);
  writeUint(buffer, WORD, steps.length);
  let offset = steps.length * WORD;
  for (const [position, step] of steps.entries()) {
    writeUint(buffer, table + position * WORD, offset);
    writeStep(buffer, table + offset, step);
    offset += sizeOf(step);
  }
  return hashOf(buffer, buffer.length);
}

function sizeOf({ method, pathTemplate }: Step): number {
  return STEP_HEAD + textSize(method.length) + textSize(pathTemplate.length);
}

function writeStep(buffer: Uint8Array, at: number, { index, method, pathTemplate, auth }: Step): void {
  const afterMethod = STEP_HEAD + textSize(method.length);
  writeUint(buffer, at, index);
  writeUint(buffer, at + WORD, STEP_HEAD);
  writeUint(buffer, at + 2 * WORD, afterMethod);
  writeUint(buffer, at + 3 * WORD, auth ? 1 : 0);
  writeText(buffer, at + STEP_HEAD, method);
  writeText(buffer, at + afterMethod, pathTemplate);
}

/**
 * `keccak256(abi.encode(bytes32 nonce, bytes32 sequenceHash))`: what is committed to before the first step.
 *
 * @throws ValueError `hex_malformed`.
 */
export function committedRoot(nonce: Hex, sequence: Hex): Hex {
  return pairHash(nonce, sequence);
}

/**
 * `keccak256(abi.encode(bytes32 nonce, uint256 index))`: what ties an attestation to its mission and its place.
 *
 * @throws ValueError `hex_malformed`, or `uint_out_of_range` beyond the most steps that there may be.
 */
export function stepNonce(nonce: Hex, index: number): Hex {
  requireIndex(index);
  writeWord(0, nonce);
  writeUint(scratch, WORD, index);
  return hashOf(scratch, 2 * WORD);
}

/**
 * `keccak256(abi.encode(uint256 index, string method, string pathTemplate, bytes32 requestHash, bytes32 responseHash,
 * bytes32 stepNonce))`, of the committed step and what its call was.
 *
 * @throws ValueError `hex_malformed`, `uint_out_of_range` or `step_malformed`.
 */
export function attestationHash(
  step: Omit<Step, "auth">,
  { requestHash, responseHash }: Omit<StepRecord, "index">,
  nonce: Hex,
): Hex {
  const { index, method, pathTemplate } = step;
  requireEncodable(step, index);
  const afterMethod = ATTESTATION_HEAD + textSize(method.length);
  writeUint(scratch, 0, index);
  writeUint(scratch, WORD, ATTESTATION_HEAD);
  writeUint(scratch, 2 * WORD, afterMethod);
  writeWord(3, requestHash);
  writeWord(4, responseHash);
  writeWord(5, nonce);
  writeText(scratch, ATTESTATION_HEAD, method);
  writeText(scratch, afterMethod, pathTemplate);
  return hashOf(scratch, afterMethod + textSize(pathTemplate.length));
}

/**
 * `keccak256(abi.encode(bytes32 chain, bytes32 attestation))`: the chain after one more step. It begins as the
 * committed root; its value after the last step is the terminal.
 *
 * @throws ValueError `hex_malformed`.
 */
export function fold(chain: Hex, attestation: Hex): Hex {
  return pairHash(chain, attestation);
}

function pairHash(one: Hex, other: Hex): Hex {
  writeWord(0, one);
  writeWord(1, other);
  return hashOf(scratch, 2 * WORD);
}

/** Writes a hash as one of the words of the scratch buffer. */
function writeWord(word: number, hash: Hex): void {
  writeHash(scratch, word * WORD, hash);
}

function requireIndex(index: number): void {
  if (Number.isInteger(index) && index >= 0 && index < MAX_STEPS) return;
  throw new ValueError(
    "uint_out_of_range",
    `a step's index is ${index}`,
    `Number steps from 0 to ${MAX_STEPS - 1}.`,
  );
}

function requireEncodable({ index, method, pathTemplate }: Omit<Step, "auth">, position: number): void {
  requireIndex(position);
  if (index === position && ASCII.test(method) && ASCII.test(pathTemplate)) return;
  throw new ValueError(
    "step_malformed",
    `step ${position} is ${JSON.stringify({ index, method, pathTemplate })}`,
    "Number steps from 0; write method and path template in 1 to 255 characters of printable ASCII.",
  );
}
