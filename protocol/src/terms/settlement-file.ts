import { z } from "zod";
import { ProtocolError } from "../error.ts";
import { parseStrict } from "../json/parse-strict.ts";
import { toAddress, type Address } from "../primitives/address.ts";
import { toHash, type Hex } from "../primitives/hex.ts";

/** Schema tag of the text in which a split passes between buyer and seller. */
const SETTLEMENT_SCHEMA = "assay/settlement/1";

/** A split that one or both sides have signed. */
export interface Settlement {
  readonly chainId: number;
  readonly escrow: Address;
  readonly agreementId: Hex;
  /** Base units. */
  readonly sellerAmount: bigint;
  /** Null until that side has signed. */
  readonly buyerSignature: Hex | null;
  readonly sellerSignature: Hex | null;
}

/** A text is no settlement. */
export class SettlementError extends ProtocolError {
  override name = "SettlementError";
  readonly code = "SETTLEMENT_INVALID";

  constructor(options: ErrorOptions) {
    super("this is no settlement", "Give the whole text that the other side saved, from { to }.", options);
  }
}

const signature = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})+$/)
  .transform((text) => text.toLowerCase() as Hex)
  .nullable();

const settlementSchema = z.strictObject({
  schema: z.literal(SETTLEMENT_SCHEMA),
  chainId: z.int().positive(),
  escrow: z.string().transform((text) => toAddress(text)),
  agreementId: z.string().transform((text) => toHash(text)),
  sellerAmount: z
    .string()
    .regex(/^(0|[1-9]\d{0,77})$/)
    .transform(BigInt),
  buyerSignature: signature,
  sellerSignature: signature,
});

/** The text of a settlement. */
export function writeSettlement({ sellerAmount, ...rest }: Settlement): string {
  const text = { schema: SETTLEMENT_SCHEMA, ...rest, sellerAmount: sellerAmount.toString() };
  return `${JSON.stringify(text, null, 2)}\n`;
}

/**
 * Reads the text of a settlement. Whether it is about the right agreement, and whose signatures it holds, the caller
 * has to look at.
 *
 * @throws SettlementError
 */
export function readSettlement(text: string | Uint8Array): Settlement {
  try {
    const { schema: _schema, ...settlement } = settlementSchema.parse(parseStrict(text));
    return settlement;
  } catch (error) {
    if (!(error instanceof ProtocolError) && !(error instanceof z.ZodError)) throw error;
    throw new SettlementError({ cause: error });
  }
}
