import {
  attestationHash,
  committedRoot,
  executionTerminalTypedData,
  fold,
  isEcdsaSignedBy,
  sequenceHash,
  stepNonce,
  toAddress,
  typedDataDigest,
  verifyExecution,
  type Address,
  type Execution,
  type ExecutionProof,
  type Hex,
} from "@assay/protocol";
import { recoverAddress } from "ethers";

/** One link of the chain, computed here beside what was published. */
export interface ReplayedStep {
  readonly index: number;
  readonly method: string;
  readonly pathTemplate: string;
  readonly auth: boolean;
  readonly requestHash: Hex | null;
  readonly responseHash: Hex | null;
  /** Computed from the committed step and the published hashes; null when there is no record for it. */
  readonly attestation: Hex | null;
  /** The chain after this step, computed. */
  readonly chain: Hex | null;
}

/** A walk along committed calls, replayed. */
export interface Replay {
  readonly root: Hex;
  readonly steps: readonly ReplayedStep[];
  /** The end of the chain that was published, and the one computed here. */
  readonly terminal: Hex;
  readonly computedTerminal: Hex | null;
  /** Why the walk does not hold; null when it does. */
  readonly fault: string | null;
  /** Who signed the terminal for this agreement, as recovered; null when the signature is none. */
  readonly signer: Address | null;
  readonly recorder: Address;
  /** False for the signature of a contract, which only the chain can check. */
  readonly isSignedByRecorder: boolean;
}

/** Where the agreement lives, which the recorder's signature binds. */
export interface ReplayPlace {
  readonly chainId: number;
  readonly escrow: Address;
  readonly agreementId: Hex;
}

/** Replays a submission's walk against what its agreement committed to. */
export function replay(
  { nonce, recorder, steps }: Execution,
  { attestations, terminal, signature }: ExecutionProof,
  place: ReplayPlace,
): Replay {
  const verdict = verifyExecution({ nonce, steps, records: attestations, terminal });
  const root = committedRoot(nonce, sequenceHash(steps));
  let chain: Hex | null = root;
  const replayed = steps.map((step, index): ReplayedStep => {
    const record = attestations[index];
    const attestation = record === undefined ? null : attestationHash(step, record, stepNonce(nonce, index));
    chain = chain === null || attestation === null ? null : fold(chain, attestation);
    return {
      ...{ index, method: step.method, pathTemplate: step.pathTemplate, auth: step.auth },
      requestHash: record?.requestHash ?? null,
      responseHash: record?.responseHash ?? null,
      ...{ attestation, chain },
    };
  });
  const digest = typedDataDigest(executionTerminalTypedData({ ...place, committedRoot: root, terminal }));
  return {
    ...{ root, steps: replayed, terminal, computedTerminal: chain, recorder },
    fault: verdict.valid ? null : faultInWords(verdict.fault),
    signer: signerOf(digest, signature),
    isSignedByRecorder: isEcdsaSignedBy(recorder, digest, signature),
  };
}

function faultInWords({
  code,
  step,
  expected,
  found,
}: {
  readonly code: string;
  readonly step: number | null;
  readonly expected: string;
  readonly found: string;
}): string {
  const where = step === null ? "" : ` at step ${step + 1}`;
  return `${code.replaceAll("_", " ")}${where}: ${expected} was expected, ${found} was found`;
}

function signerOf(digest: Hex, signature: string): Address | null {
  try {
    return toAddress(recoverAddress(digest, signature));
  } catch {
    return null;
  }
}
