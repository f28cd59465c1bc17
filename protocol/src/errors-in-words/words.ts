import { type Result, formatUnits } from "ethers";

/** An error for people: what is the matter, and a way out. Both are plain sentences with a full stop. */
export interface Words {
  readonly message: string;
  readonly hint: string;
}

/** How amounts are written. */
export interface Wording {
  /** The escrow's token; without it amounts are told in base units. */
  readonly token?: { readonly decimals: number; readonly symbol: string };
}

/** Words for one error, from its arguments. */
export type Phrase = (args: Result, wording: Wording) => Words;

/** Names of the custom errors of an ABI that was declared `as const`. */
export type ErrorName<Abi extends readonly { readonly type: string }[]> = Extract<
  Abi[number],
  { readonly type: "error"; readonly name: string }
>["name"];

/** The escrow's `Status`, by number. */
export const STATUS_NAMES = [
  "None",
  "Funded",
  "Accepted",
  "Submitted",
  "Released",
  "Refunded",
  "Split",
] as const;

/** Where an agreement stands in the escrow. */
export type StatusName = (typeof STATUS_NAMES)[number];

/** An amount of the token, such as `25 USDC`. */
export function amountInWords(amount: bigint, { token }: Wording): string {
  if (token === undefined) return `${amount} base units`;
  return `${formatUnits(amount, token.decimals).replace(/\.0$/, "")} ${token.symbol}`;
}

/** A Unix time, such as `2026-12-24 18:00:00 UTC`. */
export function timeInWords(seconds: bigint | number): string {
  const date = new Date(Number(seconds) * 1_000);
  if (Number.isNaN(date.getTime())) return `Unix time ${seconds}`;
  return `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
