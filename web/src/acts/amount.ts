import { formatUnits, parseUnits } from "ethers";

/** The escrow's token, as the chain describes it. */
export interface Token {
  readonly address: `0x${string}`;
  /** Of its EIP-712 domain, with `version`. */
  readonly name: string;
  readonly version: string;
  readonly symbol: string;
  readonly decimals: number;
}

/** An amount that somebody wrote: base units, or what is wrong with it. */
export type ReadAmount = { readonly value: bigint } | { readonly message: string; readonly hint: string };

/** Reads an amount as people write it, such as `25` or `25.50`. */
export function readAmount(
  text: string,
  { symbol, decimals }: Pick<Token, "symbol" | "decimals">,
): ReadAmount {
  const [, whole, fraction = ""] = /^(\d{1,60})(?:\.(\d{1,77}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined)
    return {
      message: text.trim() === "" ? "No amount is given." : "This is no amount.",
      hint: `Write it in ${symbol}, such as 25 or 25.50.`,
    };
  const digits = fraction.replace(/0+$/, "");
  if (digits.length > decimals)
    return {
      message: `${symbol} has ${decimals} decimals, not ${digits.length}.`,
      hint: "Leave the smaller digits out.",
    };
  return { value: parseUnits(digits === "" ? whole : `${whole}.${digits}`, decimals) };
}

/** An amount with the token's symbol, such as `25.5 USDC`. */
export function writeAmount(
  baseUnits: bigint,
  { symbol, decimals }: Pick<Token, "symbol" | "decimals">,
): string {
  return `${formatUnits(baseUnits, decimals).replace(/\.0$/, "")} ${symbol}`;
}
