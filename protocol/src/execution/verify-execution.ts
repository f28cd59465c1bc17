import { type Hex, isHash } from "../primitives/hex.ts";
import { attestationHash, committedRoot, fold, sequenceHash, stepNonce } from "./chain.ts";
import { MAX_STEPS, type Step, type StepRecord, stepFault } from "./step.ts";

/** A record as recorders publish it: with values that can be recomputed, and therefore prove nothing. */
export interface PublishedRecord extends StepRecord {
  readonly attestation?: Hex;
  /** The chain after this step. */
  readonly chain?: Hex;
}

/** What somebody says that an agent did. */
export interface ExecutionClaim {
  readonly nonce: Hex;
  readonly steps: readonly Step[];
  readonly records: readonly PublishedRecord[];
  /** The chain after the last step. */
  readonly terminal: Hex;
  /** The root that was committed to before the first step, where it is known. */
  readonly committedRoot?: Hex;
}

/** What did not hold. */
export type ExecutionFaultCode =
  /** A sequence without steps proves nothing. */
  | "no_steps"
  | "too_many_steps"
  /** A committed step is none. */
  | "step_malformed"
  /** A hash is not in its one spelling: 0x and 64 lower-case digits. */
  | "hash_malformed"
  /** Nonce and steps do not give the root that was committed to. */
  | "root"
  /** There are more or fewer records than steps. */
  | "count"
  /** A record is of another step. */
  | "index"
  /** A published attestation is not what the record gives. */
  | "attestation"
  /** A published chain value is not what the records up to it give. */
  | "chain"
  /** The records give another terminal. */
  | "terminal";

/** The first thing that did not hold, with what it should have been. */
export interface ExecutionFault {
  readonly code: ExecutionFaultCode;
  /** Position of the step; null when it is none in particular. */
  readonly step: number | null;
  readonly expected: string;
  readonly found: string;
}

/** What {@link verifyExecution} found. */
export type ExecutionVerdict =
  | { readonly valid: true; readonly committedRoot: Hex; readonly terminal: Hex }
  | { readonly valid: false; readonly fault: ExecutionFault };

/**
 * Whether records of these steps, in this order, under this nonce, end in that terminal. Everything is recomputed from
 * the steps and the request and response hashes. Published attestations and chain values decide nothing; when the
 * terminal differs they only help to say where.
 *
 * That the records are true is the recorder's word: see its signature, `executionTerminalTypedData`.
 */
export function verifyExecution(claim: ExecutionClaim): ExecutionVerdict {
  const fault = formFault(claim);
  if (fault !== undefined) return { valid: false, fault };
  const { nonce, steps, records, terminal } = claim;
  const root = committedRoot(nonce, sequenceHash(steps));
  if (claim.committedRoot !== undefined && claim.committedRoot !== root) {
    return invalid("root", null, root, claim.committedRoot);
  }
  let chain = root;
  let located: ExecutionFault | undefined;
  for (const [position, record] of records.entries()) {
    const step = steps[position];
    if (step === undefined) break;
    const attestation = attestationHash(step, record, stepNonce(nonce, position));
    chain = fold(chain, attestation);
    located ??=
      differing("attestation", position, attestation, record.attestation) ??
      differing("chain", position, chain, record.chain);
  }
  if (chain === terminal) return { valid: true, committedRoot: root, terminal };
  return { valid: false, fault: located ?? faultOf("terminal", null, chain, terminal) };
}

/** The first fault that shows without hashing anything. */
function formFault({
  nonce,
  steps,
  records,
  terminal,
  committedRoot: root,
}: ExecutionClaim): ExecutionFault | undefined {
  if (steps.length === 0) return faultOf("no_steps", null, "1 step or more", "0 steps");
  if (steps.length > MAX_STEPS) {
    return faultOf("too_many_steps", null, `at most ${MAX_STEPS} steps`, `${steps.length} steps`);
  }
  for (const [position, step] of steps.entries()) {
    const fault = stepFault(step, position);
    if (fault !== undefined) {
      return faultOf("step_malformed", position, fault.hint, `${JSON.stringify(step)}: ${fault.message}`);
    }
  }
  for (const hash of [nonce, terminal, ...(root === undefined ? [] : [root])]) {
    if (!isHash(hash)) return malformed(null, hash);
  }
  if (records.length !== steps.length) {
    return faultOf("count", null, `${steps.length} records`, `${records.length} records`);
  }
  for (const [position, { index, requestHash, responseHash }] of records.entries()) {
    if (index !== position) return faultOf("index", position, `${position}`, String(index));
    if (!isHash(requestHash)) return malformed(position, requestHash);
    if (!isHash(responseHash)) return malformed(position, responseHash);
  }
  return undefined;
}

function malformed(step: number | null, found: unknown): ExecutionFault {
  return faultOf("hash_malformed", step, "0x and 64 lower-case hexadecimal digits", String(found));
}

function differing(
  code: ExecutionFaultCode,
  step: number,
  expected: Hex,
  found: Hex | undefined,
): ExecutionFault | undefined {
  return found === undefined || found === expected ? undefined : faultOf(code, step, expected, found);
}

function faultOf(
  code: ExecutionFaultCode,
  step: number | null,
  expected: string,
  found: string,
): ExecutionFault {
  return { code, step, expected, found };
}

function invalid(
  code: ExecutionFaultCode,
  step: number | null,
  expected: string,
  found: string,
): ExecutionVerdict {
  return { valid: false, fault: faultOf(code, step, expected, found) };
}
