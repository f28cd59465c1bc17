import { toAddress, toHash } from "@assay/protocol";
import { z } from "zod";

/**
 * A parser from `protocol` as a zod step. A transform that throws would throw out of `safeParse`; what others send must
 * end as an issue instead.
 */
function reading<T>(parse: (text: string) => T) {
  return z.string().transform((text, context): T => {
    try {
      return parse(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : "is not valid" });
      return z.NEVER;
    }
  });
}

/** A 32-byte hash in any letter case, as lower-case text. */
export const wireHash = reading(toHash);

/** An address in any spelling, in EIP-55. */
export const wireAddress = reading(toAddress);
