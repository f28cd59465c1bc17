import { parseUnits } from "ethers";
import { UsageError } from "../errors.ts";
import type { Token } from "../escrow/contracts.ts";

/**
 * An amount as people write it, such as `25`, `25.50` or `25 USDC`, in base units of the token.
 *
 * @throws UsageError when it is none, has more decimals than the token, or names another token.
 */
export function amountOf(text: string, what: string, { symbol, decimals }: Token): bigint {
  const [, digits = "", unit] =
    /^(\d{1,60}(?:\.\d{1,77})?)(?: *([A-Za-z][A-Za-z0-9.]*))?$/.exec(text.trim()) ?? [];
  if (digits === "")
    throw new UsageError(
      `${what} ${JSON.stringify(text)} is no amount`,
      `Write it in ${symbol}, such as 25 or 25.50.`,
    );
  if (unit !== undefined && unit.toLowerCase() !== symbol.toLowerCase())
    throw new UsageError(`${what} is in ${unit}`, `This escrow holds ${symbol}.`);
  const fraction = digits.split(".")[1]?.replace(/0+$/, "") ?? "";
  if (fraction.length > decimals)
    throw new UsageError(
      `${what} ${digits} has more than ${decimals} decimals`,
      `${symbol} has no smaller unit.`,
    );
  return parseUnits(fraction === "" ? (digits.split(".")[0] ?? "") : digits.replace(/0+$/, ""), decimals);
}
