import type { Agreement, Reporter } from "../documents/agreement.ts";
import type { Terms } from "../terms/terms.ts";
import { isSameAddress } from "../primitives/address.ts";

/**
 * The reporters of an agreement who are a party to it. There must be none: the Intelligent Contract does not know the
 * parties, so whoever makes, funds or judges an agreement has to look.
 */
export function conflictedReporters(
  agreement: Pick<Agreement, "reporters">,
  { buyer, seller }: Pick<Terms, "buyer" | "seller">,
): readonly Reporter[] {
  return (agreement.reporters ?? []).filter(
    ({ address }) => isSameAddress(address, buyer) || isSameAddress(address, seller),
  );
}
