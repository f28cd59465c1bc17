import { type Hex, toHash } from "../primitives/hex.ts";

const PREFIX = "assay/agreement/1 sha256:";
const COMMITMENT = /^assay\/agreement\/1 sha256:(0x[0-9a-f]{64})$/;

/**
 * The line in an ERC-8183 job's description that says which agreement document the job is judged by.
 *
 * @param agreementHash SHA-256 of the document's canonical bytes.
 */
export function jobCommitment(agreementHash: Hex): string {
  return PREFIX + toHash(agreementHash);
}

/**
 * The agreement that a job's description commits to. Exactly one of its lines must be a commitment, whole and as
 * `jobCommitment` writes it; the other lines are for people, and nobody judges by them.
 *
 * @returns null when no line is one, or more than one is: which of them was meant nobody can tell.
 */
export function agreementHashIn(description: string): Hex | null {
  const found = description.split("\n").flatMap((line) => COMMITMENT.exec(line)?.[1] ?? []);
  const [hash] = found;
  return hash === undefined || found.length > 1 ? null : toHash(hash);
}
