import { setTimeout as sleep } from "node:timers/promises";
import type { Wallet } from "ethers";
import { documentHash, type Address, type Hex, type HireDecision } from "@assay/protocol";
import { balanceOf, publish } from "../local/parties.ts";
import type { Stack } from "../local/stack.ts";
import { drawUpReset, operatorUrl, resetDelivery } from "./history.ts";
import type { McpAgent, Preparation, PreparedStep } from "./mcp-agent.ts";

const POLL_MILLISECONDS = 500;
const SETTLE_SECONDS = 180;

/** What the tool `hire_decision` returns, as far as the demonstration shows it. */
export type HireAnswer = HireDecision & {
  source: { operator: Address; finalBlock: { number: number; hash: Hex } | null };
};

/** What the tool `get_timeline` returns, as far as it is used here. */
interface Timeline {
  entries: { moment: string; reached: boolean }[];
}

/** A deal from the hiring to the payment. */
export interface HiredDeal {
  agreementId: Hex;
  submissionHash: Hex;
  transactions: { fund: Hex; submit: Hex };
  outcome: string;
  verdictHash: Hex;
  /** Token base units that the seller has more than before. */
  paid: bigint;
}

/**
 * The buyer's agent hires: everything that it signs or sends was prepared by the MCP server, and the seller's agent
 * answers the same way.
 *
 * @param reward token base units
 * @param onStage told of every stage when it is reached
 */
export async function hireAndPay(
  stack: Stack,
  people: { buyer: McpAgent; buyerWallet: Wallet; seller: McpAgent; sellerWallet: Wallet },
  reward: bigint,
  onStage: (stage: string) => void,
): Promise<HiredDeal> {
  const { buyer, seller } = people;
  const before = await balanceOf(stack.venue, seller.address);
  const deal = await drawUpReset(stack, people.buyerWallet, people.sellerWallet, reward);
  const terms = { ...deal.terms, reward: deal.terms.reward.toString(), salt: deal.terms.salt.toString() };
  await publish(operatorUrl(stack), deal.document);

  const toSign = await buyer.ask<Preparation>("prepare_fund_with_authorization", { terms });
  const [authorizationSignature, sellerSignature] = await Promise.all([
    buyer.sign(stepInto(toSign, "authorizationSignature")),
    seller.sign(stepInto(toSign, "sellerSignature")),
  ]);
  const funding = await buyer.send(
    await buyer.ask<Preparation>("prepare_fund_with_authorization", {
      terms,
      authorizationSignature,
      sellerSignature,
      from: buyer.address,
    }),
  );
  onStage("funded: the buyer's agent signed and sent what the server had prepared");

  const delivery = resetDelivery(deal, "PASS");
  await publish(operatorUrl(stack), delivery);
  const submissionHash = documentHash(delivery);
  const submitting = await seller.send(
    await seller.ask<Preparation>("prepare_submit", { terms, submissionHash }),
  );
  onStage("submitted");

  await untilSettled(buyer, deal.agreementId, onStage);
  const { submissions } = await buyer.ask<AgreementAnswer>("get_agreement", {
    agreementId: deal.agreementId,
  });
  const verdict = submissions.at(-1)?.verdict;
  if (!verdict) throw new Error("The deal was settled without a verdict");
  return {
    agreementId: deal.agreementId,
    submissionHash,
    transactions: { fund: funding.hash as Hex, submit: submitting.hash as Hex },
    outcome: verdict.outcome,
    verdictHash: verdict.verdictHash,
    paid: (await balanceOf(stack.venue, seller.address)) - before,
  };
}

interface AgreementAnswer {
  submissions: { verdict: { outcome: string; verdictHash: Hex } | null }[];
}

function stepInto({ steps }: Preparation, name: string): PreparedStep {
  const step = steps.find((one) => one.kind === "sign" && one.goesInto === name);
  if (!step) throw new Error(`The server prepared nothing to sign as ${name}`);
  return step;
}

/** Follows the timeline until the settlement, and reports every moment once. */
async function untilSettled(
  agent: McpAgent,
  agreementId: Hex,
  onStage: (stage: string) => void,
): Promise<void> {
  // Told by the agents' own steps.
  const seen = new Set(["funded", "accepted", "included"]);
  const deadline = performance.now() + SETTLE_SECONDS * 1000;
  while (!seen.has("settled")) {
    if (performance.now() > deadline)
      throw new Error(`${agreementId} was not settled in ${SETTLE_SECONDS} s`);
    await sleep(POLL_MILLISECONDS);
    const { entries } = await agent.ask<Timeline>("get_timeline", { agreementId });
    for (const { moment, reached } of entries) {
      if (!reached || seen.has(moment)) continue;
      seen.add(moment);
      onStage(moment === "provisional" ? "provisional: it may be appealed, and moves no money" : moment);
    }
  }
}
