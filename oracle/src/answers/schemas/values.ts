import { z } from "@hono/zod-openapi";
import { ValueError, toAddress, type Address, type Hex } from "@assay/protocol";

/** A 32-byte hash in any letter case; lower case on output. */
export const hashIn = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, "write 0x and 64 hexadecimal digits")
  .transform((text) => text.toLowerCase() as Hex)
  .openapi({ type: "string", pattern: "^0x[0-9a-fA-F]{64}$", example: `0x${"1f".repeat(32)}` });

/** An account in any letter case that does not contradict its EIP-55 checksum; EIP-55 on output. */
export const addressIn = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, "write 0x and 40 hexadecimal digits")
  .transform((text, context): Address => {
    try {
      return toAddress(text);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      context.addIssue({ code: "custom", message: error.message });
      return z.NEVER;
    }
  })
  .openapi({
    type: "string",
    pattern: "^0x[0-9a-fA-F]{40}$",
    example: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  });

/** A signature, or what an ERC-1271 contract takes for one. */
export const signatureIn = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2}){1,2048}$/, "write 0x and up to 2048 bytes in hexadecimal")
  .transform((text) => text.toLowerCase() as Hex)
  .openapi({ type: "string", pattern: "^0x(?:[0-9a-fA-F]{2}){1,2048}$" });

const decimal = z.string().regex(/^(?:0|[1-9][0-9]{0,77})$/, "write an unsigned decimal integer as a string");

/** An unsigned 256-bit integer as decimal text. */
export const uintIn = decimal
  .transform((text, context): bigint => {
    const value = BigInt(text);
    if (value < 2n ** 256n) return value;
    context.addIssue({ code: "custom", message: "must fit 256 bits" });
    return z.NEVER;
  })
  .openapi({ type: "string", pattern: "^(?:0|[1-9][0-9]{0,77})$" });

/** Unix seconds that fit the contract's 48 bits. */
export const secondsIn = z
  .int()
  .min(0)
  .max(2 ** 48 - 1);

export const hashOut = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/)
  .openapi({ description: "32 bytes, 0x and lower-case hexadecimal digits." });
export const addressOut = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .openapi({ description: "An account in EIP-55 spelling." });
export const bytesOut = z.string().regex(/^0x(?:[0-9a-f]{2})*$/);
export const amountOut = decimal.openapi({ description: "Token base units, decimal." });
export const caip2Out = z
  .string()
  .regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/)
  .openapi({ description: "CAIP-2 id of a chain." });
export const caip10Out = z
  .string()
  .regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}:[-.%a-zA-Z0-9]{1,128}$/)
  .openapi({ description: "CAIP-10 id of an account on a chain." });
export const instantOut = z.iso.datetime().openapi({ description: "ISO 8601, UTC." });
export const countOut = z.int().min(0);

/** Who answers, and which block the answer speaks for. */
export const sourceOut = z
  .object({
    kind: z.literal("operator"),
    operator: addressOut.openapi({ description: "The attester whose store answers." }),
    caip2: caip2Out,
    escrow: addressOut,
    block: z
      .object({ number: countOut, hash: hashOut })
      .nullable()
      .openapi({ description: "Newest block that was read; null before the first." }),
    finalBlock: z
      .object({ number: countOut, hash: hashOut, at: instantOut })
      .nullable()
      .openapi({ description: "Newest final block." }),
  })
  .openapi("Source");

export type Source = z.infer<typeof sourceOut>;

/** CAIP-2 id of an EVM chain. */
export function caip2Of(chainId: number): string {
  return `eip155:${chainId}`;
}

/** CAIP-10 id of an account on an EVM chain. */
export function caip10Of(chainId: number, account: string): string {
  return `eip155:${chainId}:${account}`;
}
