import { writeFile } from "node:fs/promises";
import { z } from "zod";
import { ProtocolError, parseStrict, toAddress, toHash, type Address, type Hex } from "@assay/protocol";
import { UsageError } from "../errors.ts";
import { readBounded } from "./deal-file.ts";

const signature = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})+$/)
  .transform((text) => text as Hex)
  .nullable();

const settlementSchema = z.strictObject({
  schema: z.literal("assay/settlement/1"),
  chainId: z.int().positive(),
  escrow: z.string().transform((text) => toAddress(text)),
  agreementId: z.string().transform((text) => toHash(text)),
  /** Base units. */
  sellerAmount: z
    .string()
    .regex(/^(0|[1-9]\d{0,77})$/)
    .transform(BigInt),
  buyerSignature: signature,
  sellerSignature: signature,
});

/** A split that one or both sides have signed; it passes between them as a file. */
export interface Settlement {
  readonly chainId: number;
  readonly escrow: Address;
  readonly agreementId: Hex;
  readonly sellerAmount: bigint;
  readonly buyerSignature: Hex | null;
  readonly sellerSignature: Hex | null;
}

/** Text of a settlement's file. */
export function writeSettlement(settlement: Settlement): string {
  const { sellerAmount, ...rest } = settlement;
  return `${JSON.stringify({ schema: "assay/settlement/1", ...rest, sellerAmount: sellerAmount.toString() }, null, 2)}\n`;
}

/** @throws UsageError when the file is no settlement. */
export async function readSettlement(path: string): Promise<Settlement> {
  try {
    const { schema: _schema, ...settlement } = settlementSchema.parse(
      parseStrict(await readBounded(path, 64 * 1024)),
    );
    return settlement;
  } catch (error) {
    if (!(error instanceof ProtocolError) && !(error instanceof z.ZodError)) throw error;
    throw new UsageError(`${path} is no settlement`, "Give the file that `assay settle propose` wrote.", {
      cause: error,
    });
  }
}

/** Replaces a settlement's file by the same one with another signature. */
export async function updateSettlement(path: string, settlement: Settlement): Promise<void> {
  await writeFile(path, writeSettlement(settlement));
}
