import { formatUnits } from "ethers";
import type { Act, Say } from "./act.ts";
import { hireAndPay, type HireAnswer, type HiredDeal } from "./hire.ts";
import { makeHistory, operatorUrl, type PastAgreement } from "./history.ts";
import { startMcpAgent, type McpAgent } from "./mcp-agent.ts";
import type { Stack } from "../local/stack.ts";

const USDC_DECIMALS = 6;
const USDC = 10n ** 6n;
const PAST_REWARD = 5n * USDC;
const REWARD = 25n * USDC;

/** Everything that the demonstration showed. */
interface Demonstration {
  histories: { seller: "B" | "C"; agreements: PastAgreement[] }[];
  decisions: { B: HireAnswer; C: HireAnswer };
  deal: HiredDeal;
}

async function demonstrate(stack: Stack, say: Say): Promise<Demonstration> {
  const [sellerB, sellerC, ...buyers] = stack.cast.guests;
  if (!sellerB || !sellerC) throw new Error("The stack has no guests");
  for (const buyer of buyers) await stack.token.mint(buyer.address, 100n * USDC);

  say("\nThe past: B and C work for two other buyers, and are judged");
  const tell =
    (name: string) =>
    ({ agreementId, outcome }: PastAgreement): void =>
      say(`  ${name}  ${agreementId}  ${outcome}`);
  const common = { buyers, reward: PAST_REWARD };
  const [pastOfB, pastOfC] = await Promise.all([
    makeHistory(stack, {
      ...common,
      seller: sellerB,
      outcomes: ["FAIL", "PASS", "FAIL", "FAIL"],
      onSettled: tell("B"),
    }),
    // The other way round, so that the two sellers never wait for one buyer.
    makeHistory(stack, {
      ...common,
      buyers: [...buyers].reverse(),
      seller: sellerC,
      outcomes: ["PASS", "PASS", "PASS", "PASS"],
      onSettled: tell("C"),
    }),
  ]);

  const buyer = await startMcpAgent("agent A", stack.cast.buyer, [operatorUrl(stack)]);
  const seller = await startMcpAgent("agent C", sellerC, [operatorUrl(stack)]);
  try {
    say("\nAgent A asks the MCP server whom to hire");
    const b = await decide(buyer, "B", sellerB.address, say);
    const c = await decide(buyer, "C", sellerC.address, say);
    if (c.decision !== "HIRE") throw new Error("C was not found good enough, so there is no deal to show");

    say(`\nAgent A hires C for ${usdc(REWARD)}`);
    const people = { buyer, buyerWallet: stack.cast.buyer, seller, sellerWallet: sellerC };
    const deal = await hireAndPay(stack, people, REWARD, (stage) => say(`  ${stage}`));
    say(`  ${deal.outcome}: C was paid ${usdc(deal.paid)}; verdict hash ${deal.verdictHash}`);
    return {
      histories: [
        { seller: "B", agreements: pastOfB },
        { seller: "C", agreements: pastOfC },
      ],
      decisions: { B: b, C: c },
      deal,
    };
  } finally {
    await Promise.all([buyer.close(), seller.close()]);
  }
}

/** Asks about a seller, and shows what came back. */
async function decide(agent: McpAgent, name: string, seller: string, say: Say): Promise<HireAnswer> {
  const answer = await agent.ask<HireAnswer>("hire_decision", { seller });
  const { decision, reasons, cautions, completion, source } = answer;
  const rate = completion.bps === null ? "nothing counts yet" : percent(completion.bps);
  say(`  ${name} ${seller}: ${decision}`);
  say(
    `    completion ${rate}, 95 % interval ${percent(completion.lowBps)} to ${percent(completion.highBps)}`,
  );
  for (const line of [...reasons, ...cautions]) say(`    ${line}`);
  say(`    said by operator ${source.operator} at final block ${source.finalBlock?.number ?? "unknown"}`);
  return answer;
}

const percent = (bps: number): string => `${bps / 100} %`;
const usdc = (amount: bigint): string => `${formatUnits(amount, USDC_DECIMALS)} USDC`;

/** An agent that hires by reputation, over MCP. */
export const hiringAct: Act = {
  story: `Agent A wants a password reset written. It asks Assay's MCP server about two sellers: B, whose past deliveries mostly
failed, and C, whose passed. It declines B, hires C, and the deal runs to payment. Both histories are made first, by
real agreements on this machine: funded, delivered, judged, carried by two of three operators, settled.`,
  guests: 4,
  async play(stack, say) {
    const shown = await demonstrate(stack, say);
    const { decisions, deal } = shown;
    const isGood = decisions.B.decision === "DECLINE" && deal.outcome === "PASS" && deal.paid === REWARD;
    return { shown, isGood };
  },
};
