import { OperatorError, createOperator, type Operator } from "@assay/evidence";
import { isSameAddress, sha256, type Address, type Hex } from "@assay/protocol";
import { RefusedError, UsageError } from "../errors.ts";
import type { Io } from "../io.ts";

/** What became of a document at one operator. */
export interface Held {
  readonly origin: string;
  /** The key with which it signs; null when it does not say. */
  readonly attester: Address | null;
  /** Whether it hands out exactly these bytes. */
  readonly holds: boolean;
  readonly problem: string | null;
}

/** Offers a document to every operator, and asks each for it again. */
export async function publish(operators: readonly string[], hash: Hex, bytes: Uint8Array): Promise<Held[]> {
  return Promise.all(operators.map((url) => publishTo(createOperator(url), hash, bytes)));
}

async function publishTo(operator: Operator, hash: Hex, bytes: Uint8Array): Promise<Held> {
  const { origin } = operator;
  try {
    const { attester } = await operator.self();
    await operator.putDocument(hash, bytes);
    const returned = await operator.document(hash);
    const holds = returned !== null && sha256(returned) === hash;
    return { origin, attester, holds, problem: holds ? null : "it does not hand it out again" };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { origin, attester: null, holds: false, problem: `${error.message}. ${error.hint}` };
  }
}

/**
 * Publishes a document and demands that enough operators hold it: a verdict needs that many, and each judges only what
 * it can read.
 *
 * @param quorum the operators who count; null to count every one that answers.
 * @throws UsageError when no operator is known, RefusedError when too few of them have it.
 */
export async function publishToThreshold(
  io: Io,
  what: string,
  document: { readonly hash: Hex; readonly bytes: Uint8Array },
  operators: readonly string[],
  quorum: { readonly members: readonly Address[]; readonly threshold: number } | null,
): Promise<Held[]> {
  if (operators.length === 0)
    throw new UsageError(
      `there is no operator to publish the ${what} to`,
      "Name them with --operator or a network's profile. Without the document nobody can judge.",
    );
  const all = await publish(operators, document.hash, document.bytes);
  for (const { origin, problem } of all)
    if (problem !== null) io.diagnose(`${origin} does not hold the ${what}: ${problem}`);
  const counted = new Set(
    all.flatMap(({ holds, attester }) =>
      holds &&
      attester !== null &&
      (quorum?.members.some((member) => isSameAddress(member, attester)) ?? true)
        ? [attester.toLowerCase()]
        : [],
    ),
  );
  const needed = quorum?.threshold ?? 1;
  if (counted.size < needed)
    throw new RefusedError(
      "document_not_held",
      `only ${counted.size} of the ${needed} operators that a verdict needs hold the ${what} ${document.hash}`,
      "Name more of the agreement's operators with --operator, or wait until they are back. Nothing was sent.",
    );
  io.diagnose(`${counted.size} of the agreement's operators hold the ${what} (${needed} needed)`);
  return all;
}
