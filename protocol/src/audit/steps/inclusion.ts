import { type CaseFile, reasonFor } from "../case-file.ts";
import { fail, notChecked, pass } from "../finding.ts";
import { receiptFault } from "../proof/receipt.ts";
import type { Finding } from "../report.ts";
import type { StepDefinition } from "./step.ts";

/** The events are in blocks, whoever handed them over. */
export const INCLUSION_STEPS: readonly StepDefinition[] = [
  {
    id: "inclusion",
    title: "Every event is proven to be in its block",
    basis: "computed",
    examine: (file) => inclusion(file),
  },
];

function inclusion(file: CaseFile): Finding {
  const { transactions, blocks } = file.evidence.evm;
  if (transactions.length === 0) return notChecked("there is no event");
  let missing = 0;
  for (const transaction of transactions) {
    const block = blocks.find(({ hash }) => hash === transaction.block);
    if (block === undefined) return fail(`the block of transaction ${transaction.hash} is missing`);
    if (block.header === null || transaction.receiptProof === null) {
      missing += 1;
      continue;
    }
    const fault = receiptFault(transaction, block);
    if (fault !== null) return fail(`${fault}: transaction ${transaction.hash}`);
  }
  if (missing > 0)
    return notChecked(
      reasonFor(file, "proofs", `${missing} of ${transactions.length} transactions have no proof`),
    );
  const hashes = new Set(transactions.map(({ block }) => block));
  return pass(
    `${transactions.length} receipts lead to these block hashes, which any node can confirm: ${[...hashes].join(" ")}`,
  );
}
