import type { Included } from "../transact/intent.ts";

/** Lines about a transaction that was included. */
export function includedLines(
  done: string,
  { transactionHash, blockNumber, gasUsed, resumed }: Included,
): string[] {
  return [
    `${done}${resumed ? " (by a transaction of an earlier run)" : ""}`,
    `  transaction  ${transactionHash}`,
    `  block        ${blockNumber}, ${gasUsed} gas`,
  ];
}
