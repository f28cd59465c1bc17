import type { Agreement } from "../documents/agreement.ts";
import { isSameAddress } from "../primitives/address.ts";
import type { Terms } from "../terms/terms.ts";

/**
 * Whether the recorder of an agreement's execution is a party to it. It must not be: the Intelligent Contract does not
 * know the parties, so whoever makes, funds or judges an agreement has to look, as with its reporters.
 */
export function hasConflictedRecorder(
  { execution }: Pick<Agreement, "execution">,
  { buyer, seller }: Pick<Terms, "buyer" | "seller">,
): boolean {
  return (
    execution !== undefined &&
    (isSameAddress(execution.recorder, buyer) || isSameAddress(execution.recorder, seller))
  );
}
