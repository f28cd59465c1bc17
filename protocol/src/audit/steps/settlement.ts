import { id, zeroPadValue } from "ethers";
import { type CaseFile, endedByVerdict, reasonFor } from "../case-file.ts";
import type { Ending, EndingName } from "../events.ts";
import { type Comparison, compare, compareAll, fail, notChecked, pass } from "../finding.ts";
import type { Address } from "../../primitives/address.ts";
import type { Finding } from "../report.ts";
import type { Terms } from "../../terms/terms.ts";
import { WINDOWS } from "../../terms/windows.ts";
import type { Outcome } from "../../verdict/outcome.ts";
import type { StepDefinition } from "./step.ts";

const BASIS_POINTS = 10_000n;
const TRANSFER = id("Transfer(address,address,uint256)");

/** What the escrow must log for each outcome. */
const EVENT_OF: Readonly<Record<Outcome, EndingName>> = {
  PASS: "Released",
  FAIL: "Refunded",
  WITHHELD: "Refunded",
  UNDETERMINED: "Concluded",
};

/** The escrow did what the verdict, or the parties, or the clock said, in time, for good. */
export const SETTLEMENT_STEPS: readonly StepDefinition[] = [
  {
    id: "settlement",
    title: "The escrow's event is the one that the outcome demands",
    basis: "reported",
    examine: (file) => {
      const { ending, submitted } = file.history;
      if (ending === null) return notChecked("the agreement has not ended");
      if (!endedByVerdict(file))
        return pass(`no verdict ended the agreement: ${ending.name}`, { actual: ending.name });
      if (file.outcome === null) return notChecked("the outcome is not known");
      const comparisons: Comparison[] = [
        ["event", EVENT_OF[file.outcome], ending.name],
        ["submissionHash", submitted?.submissionHash, ending.submissionHash],
      ];
      if (file.record?.document != null)
        comparisons.push(["outcome", file.record.document.outcome, file.outcome]);
      return compareAll(comparisons, `${file.outcome} against ${ending.name}`);
    },
  },
  {
    id: "amounts",
    title: "Buyer and seller received what the terms say",
    basis: "reported",
    examine: (file) => amounts(file),
  },
  {
    id: "deadlines",
    title: "Everything happened in its window",
    basis: "reported",
    examine: (file) => deadlines(file),
  },
  {
    id: "finality",
    title: "The last event is in a final block",
    basis: "reported",
    examine: (file) => {
      const { history, evidence } = file;
      const last = history.ending ?? history.submitted ?? history.funded;
      if (last === null) return notChecked("there is no event");
      const { finalizedBlock } = evidence.evm;
      if (finalizedBlock === null)
        return notChecked(reasonFor(file, "finality", "the node does not say which block is final"));
      const values = { expected: `at most ${finalizedBlock}`, actual: String(last.block.number) };
      return last.block.number <= finalizedBlock
        ? pass("block of the last event against the finalized height", values)
        : fail("the last event could still be undone", values);
    },
  },
];

function amounts({ terms, evidence, history: { ending, submitted, credits } }: CaseFile): Finding {
  if (ending === null) return notChecked("the agreement has not ended");
  if (terms === null) return notChecked("the terms are not known");
  const seller = sellerAmountOf(ending, terms, submitted !== null);
  if (ending.sellerAmount !== null && ending.sellerAmount !== seller)
    return compare(seller, ending.sellerAmount, `sellerAmount of ${ending.name}`);
  const { escrow, token } = evidence.evm;
  if (token === null) return notChecked("the escrow's token is not known");
  const paid = (payee: Address): bigint =>
    credits
      .filter(({ creditor }) => creditor === payee)
      .reduce((sum, { amount }) => sum + amount, transferred(ending, token, escrow, payee));
  const expected = { seller, buyer: terms.reward - seller };
  const actual = { seller: paid(terms.seller), buyer: paid(terms.buyer) };
  const values = { expected: shownAmounts(expected), actual: shownAmounts(actual) };
  const note = "token base units, by transfers and credits";
  if (values.expected === values.actual) return pass(note, values);
  const isShared = ending.transaction.logs.some(
    (log) => log.address === escrow && log.topics[1] !== evidence.agreementId,
  );
  // One transaction may settle several agreements of the same parties; their transfers can't be told apart.
  return isShared && actual.seller >= expected.seller && actual.buyer >= expected.buyer
    ? notChecked("the transaction settled several agreements, whose transfers can't be told apart")
    : fail(note, values);
}

interface Amounts {
  readonly seller: bigint;
  readonly buyer: bigint;
}

function shownAmounts({ seller, buyer }: Amounts): string {
  return `seller ${seller}, buyer ${buyer}`;
}

/** What the seller must receive. */
function sellerAmountOf(
  { name, sellerAmount, conceder }: Ending,
  terms: Terms,
  isSubmitted: boolean,
): bigint {
  switch (name) {
    case "Released":
      return terms.reward;
    case "Refunded":
    case "Cancelled":
      return 0n;
    case "Concluded":
      return noVerdictShare(terms);
    case "Conceded":
      return conceder === terms.buyer ? terms.reward : 0n;
    case "Expired":
      return isSubmitted ? noVerdictShare(terms) : 0n;
    case "Settled":
      // What both signed, whatever it is.
      return sellerAmount ?? 0n;
  }
}

/** The odd unit goes to the seller. */
function noVerdictShare({ reward, noVerdictSellerBps }: Terms): bigint {
  return reward - (reward * (BASIS_POINTS - BigInt(noVerdictSellerBps))) / BASIS_POINTS;
}

function transferred(ending: Ending, token: Address, escrow: Address, payee: Address): bigint {
  const [from, to] = [escrow, payee].map((address) => zeroPadValue(address, 32).toLowerCase());
  return ending.transaction.logs
    .filter(
      ({ address, topics }) =>
        address === token && topics[0] === TRANSFER && topics[1] === from && topics[2] === to,
    )
    .reduce((sum, { data }) => sum + BigInt(data), 0n);
}

/** Both deadlines are inclusive. */
function deadlines({ terms, history }: CaseFile): Finding {
  if (terms === null) return notChecked("the terms are not known");
  const [funded, submitted, ended] = [history.funded, history.submitted, history.ending].map(
    (event) => event?.block.timestamp ?? null,
  );
  const { deliverBy, adjudicateBy } = terms;
  const faults: string[] = [];
  const demand = (name: string, time: number | null | undefined, from: number, to: number): void => {
    if (time != null && (time < from || time > to))
      faults.push(`${name} ${time} is not from ${from} to ${to}`);
  };
  if (funded != null)
    demand("deliverBy", deliverBy, funded + WINDOWS.delivery.min, funded + WINDOWS.delivery.max);
  const { min, max } = WINDOWS.adjudication;
  demand("adjudicateBy", adjudicateBy, deliverBy + min, deliverBy + max);
  demand("submission", submitted, funded ?? 0, deliverBy);
  if (history.ending?.verdictHash != null) demand("verdict", ended, submitted ?? 0, adjudicateBy);
  if (history.ending?.name === "Expired")
    demand("expiry", ended, (submitted == null ? deliverBy : adjudicateBy) + 1, Number.MAX_SAFE_INTEGER);
  const values = {
    expected: `deliverBy ${deliverBy}, adjudicateBy ${adjudicateBy}`,
    actual: `funded ${funded ?? "never"}, submitted ${submitted ?? "never"}, ended ${ended ?? "never"}`,
  };
  return faults.length === 0 ? pass("block times, Unix seconds", values) : fail(faults.join("; "), values);
}
