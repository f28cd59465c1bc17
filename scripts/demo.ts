import { parseArgs } from "node:util";
import { formatUnits } from "ethers";
import { outcomeForRole } from "@assay/protocol";
import { LocalnetError } from "@assay/localnet";
import { hireAndPay, type HireAnswer, type HiredDeal } from "./demo/hire.ts";
import { makeHistory, operatorUrl, type PastAgreement } from "./demo/history.ts";
import { JOINT_CASES, JOINT_REWARDS, tellJointStory, type JointStory } from "./demo/joint.ts";
import { startMcpAgent, type McpAgent } from "./demo/mcp-agent.ts";
import { startStack, type Stack } from "./local/stack.ts";

const USAGE = `Usage: npm run demo [-- options]

Agent A wants a password reset written. It asks Assay's MCP server about two sellers: B, whose past deliveries mostly
failed, and C, whose passed. It declines B, hires C, and the deal runs to payment. Both histories are made first, by
real agreements on this machine: funded, delivered, judged, carried by two of three operators, settled.

  --joint   instead: two agents work in one workflow, five times. Whoever is found at fault is refunded, who is not is
            paid, and nobody is when nothing is found (then each buyer and agent share as they agreed)
  --json    one JSON object on standard output: histories, decisions as the server gave them, the deal; with --joint
            the workflows, each with both sides' agreements, outcomes and payments
  --help    this text

The exit code is 0 only when B is declined, C is hired, and C is paid; with --joint only when all five verdicts came
out and paid as they should. The GenLayer network is a simulation, and its
judge, "rules", is no language model.
`;

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

type Say = (line: string) => void;

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

/** Five workflows at a time, one for each verdict, each with two agents of its own. */
async function demonstrateJoint(stack: Stack, say: Say): Promise<{ workflows: JointStory[] }> {
  const { buyer, guests } = stack.cast;
  say("\nFive workflows of two agents each; one transaction on GenLayer decides both payments of each");
  const workflows = await Promise.all(
    JOINT_CASES.map((one, index) => {
      const relayer = guests[index];
      if (!relayer) throw new Error("The stack has too few guests");
      return tellJointStory(stack, { buyer, relayer }, one, (stage) =>
        say(`  ${one.verdict.padEnd(19)}  ${stage}`),
      );
    }),
  );
  for (const { workflowKey, judgeTx, sides } of workflows) {
    say(`\n${sides.A.record.responsibility?.verdict ?? "no verdict"}`);
    say(`  workflow     ${workflowKey}`);
    say(`  decided by   ${judgeTx} (GenLayer)`);
    for (const [role, { outcome, paid, agreementId, verdictHash, verdictHashRecomputed }] of Object.entries(
      sides,
    )) {
      say(`  agent ${role}      ${outcome}, received ${usdc(paid)}`);
      say(`    agreement  ${agreementId}`);
      say(
        `    verdict    ${verdictHash} (${verdictHashRecomputed ? "recomputed here: equal" : "RECOMPUTED HERE: DIFFERS"})`,
      );
    }
  }
  return { workflows };
}

/** What an agent of that reward receives. */
function shareOf(outcome: string, reward: bigint): bigint {
  if (outcome === "PASS") return reward;
  return outcome === "UNDETERMINED" ? (reward * 4_000n) / 10_000n : 0n;
}

function isAsExpected({ expected, judgeTx, sides }: JointStory): boolean {
  return (["A", "B"] as const).every((role) => {
    const { outcome, paid, record, verdictHashRecomputed } = sides[role];
    return (
      record.responsibility?.verdict === expected &&
      record.transactions.join() === judgeTx &&
      outcome === outcomeForRole(expected, role) &&
      paid === shareOf(outcome, JOINT_REWARDS[role]) &&
      verdictHashRecomputed
    );
  });
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      json: { type: "boolean", default: false },
      joint: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const say: Say = (line) => void process.stderr.write(`${line}\n`);
  const stack = await startStack({
    guests: values.joint ? JOINT_CASES.length : 4,
    onProgress: (part) => say(`${part} is up`),
  });
  const end = new Promise<undefined>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => resolve(undefined));
    process.once("disconnect", () => resolve(undefined));
    process.channel?.unref();
  });
  try {
    const failed = stack.failed.then((error) => Promise.reject(error));
    const running: Promise<Demonstration | { workflows: JointStory[] }> = values.joint
      ? demonstrateJoint(stack, say)
      : demonstrate(stack, say);
    const shown = await Promise.race([running, failed, end]);
    if (!shown) return 1;
    if (values.json)
      process.stdout.write(
        `${JSON.stringify(shown, (_key, value: unknown) => (typeof value === "bigint" ? value.toString() : value))}\n`,
      );
    if ("workflows" in shown) return shown.workflows.every(isAsExpected) ? 0 : 1;
    const { decisions, deal } = shown;
    return decisions.B.decision === "DECLINE" && deal.outcome === "PASS" && deal.paid === REWARD ? 0 : 1;
  } finally {
    await stack.stop();
  }
}

try {
  process.exit(await main());
} catch (error) {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`assay: ${text}\n${error instanceof LocalnetError ? `${error.hint}\n` : ""}`);
  process.exit(1);
}
