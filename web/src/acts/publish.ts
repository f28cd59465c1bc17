import type { Operator } from "@assay/evidence";
import type { Hex } from "@assay/protocol";

/** Whether one operator took a document. */
export interface Publication {
  readonly origin: string;
  /** Null when it has it. */
  readonly fault: string | null;
}

/**
 * Hands a document to every operator. They fetch from each other, so that one that takes it is enough; the more, the
 * surer.
 *
 * @throws Error with a hint when none took it.
 */
export async function publishDocument(
  operators: readonly Operator[],
  hash: Hex,
  document: Uint8Array,
): Promise<readonly Publication[]> {
  const publications = await Promise.all(
    operators.map(async (operator): Promise<Publication> => {
      try {
        await operator.putDocument(hash, document);
        return { origin: operator.origin, fault: null };
      } catch (error) {
        return { origin: operator.origin, fault: error instanceof Error ? error.message : String(error) };
      }
    }),
  );
  if (publications.some(({ fault }) => fault === null)) return publications;
  const hint =
    "Nothing was signed and nothing was sent. Without the document nobody could judge, so wait until an operator can be reached, and try again.";
  const reason = publications[0]?.fault ?? "this network names none";
  throw Object.assign(new Error(`No operator took the document: ${reason}`), { hint });
}
