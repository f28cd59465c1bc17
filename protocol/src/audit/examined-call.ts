import { attestationHash, fold, stepNonce } from "../execution/chain.ts";
import type { Step, StepRecord } from "../execution/step.ts";
import type { PublishedRecord } from "../execution/verify-execution.ts";
import { type Hex, isHash } from "../primitives/hex.ts";
import { compare, fail, notChecked, pass } from "./finding.ts";
import type { Finding } from "./report.ts";

/** One committed step with the call that was recorded for it, everything recomputed. */
export interface ExaminedCall extends Step {
  /** Null where there is no such record, or no well-formed one. */
  readonly requestHash: Hex | null;
  readonly responseHash: Hex | null;
  /** Recomputed; null where something before it is missing. */
  readonly attestation: Hex | null;
  /** The chain after this step, recomputed. */
  readonly chain: Hex | null;
  /** The recomputed value against the published one, where one was published. */
  readonly finding: Finding;
}

const DECIDES_NOTHING = "holds; what was published beside it is wrong and decides nothing";

/**
 * Every committed step with its record, attestation and chain recomputed from `root` on; nothing after a step that has
 * no well-formed record.
 *
 * @param root null when there is none to begin with.
 * @param terminal the chain's stated end: once it is met, no value published beside the records says anything.
 */
export function replay(
  { nonce, steps }: { readonly nonce: Hex; readonly steps: readonly Step[] },
  records: readonly PublishedRecord[],
  root: Hex | null,
  terminal: Hex | null,
): ExaminedCall[] {
  let chain = root;
  const calls = steps.map((committed, position): ExaminedCall => {
    const record = records[position];
    const attestation = chain === null ? null : attestationOf(committed, position, record, nonce);
    chain = chain === null || attestation === null ? null : fold(chain, attestation);
    return {
      ...committed,
      requestHash: record?.requestHash ?? null,
      responseHash: record?.responseHash ?? null,
      attestation,
      chain,
      finding: callFinding(record, attestation, chain),
    };
  });
  if (chain === null || chain !== terminal) return calls;
  // The whole chain holds, whatever was published beside it or not.
  return calls.map((call) => ({ ...call, finding: held(call) }));
}

function held({ finding, chain }: ExaminedCall): Finding {
  if (finding.result === "PASS") return finding;
  if (finding.result === "FAIL") return { ...finding, result: "PASS", note: DECIDES_NOTHING };
  return pass("the chain after the step, which the terminal covers", chain === null ? {} : { actual: chain });
}

/** Null where the record is missing, of another step, or malformed. */
function attestationOf(
  committed: Step,
  position: number,
  record: StepRecord | undefined,
  nonce: Hex,
): Hex | null {
  if (record?.index !== position || !isHash(record.requestHash) || !isHash(record.responseHash)) return null;
  return attestationHash(committed, record, stepNonce(nonce, position));
}

function callFinding(
  record: PublishedRecord | undefined,
  attestation: Hex | null,
  chain: Hex | null,
): Finding {
  if (record === undefined) return notChecked("not recorded");
  if (attestation === null) return fail("no well-formed record of this step, or of one before it");
  if (record.attestation !== undefined && record.attestation !== attestation)
    return compare(attestation, record.attestation, "the attestation");
  if (record.chain !== undefined) return compare(chain, record.chain, "the chain after the step");
  if (record.attestation !== undefined) return compare(attestation, record.attestation, "the attestation");
  return notChecked("no value was published for this step alone");
}
