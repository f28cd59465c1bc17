import { formatUnits } from "ethers";
import { outcomeForRole } from "@assay/protocol";
import type { Act, Say } from "./act.ts";
import { JOINT_CASES, JOINT_REWARDS, tellJointStory, type JointStory } from "./joint.ts";
import type { Stack } from "../local/stack.ts";

const USDC_DECIMALS = 6;
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

/** Two agents in one workflow, whom one verdict on responsibility pays or refunds. */
export const jointAct: Act = {
  story: `Two agents work in one workflow, five times. Whoever is found at fault is refunded, who is not is paid, and
nobody is when nothing is found (then each buyer and agent share as they agreed).`,
  guests: JOINT_CASES.length,
  async play(stack, say) {
    const shown = await demonstrateJoint(stack, say);
    return { shown, isGood: shown.workflows.every(isAsExpected) };
  },
};
