import { InvalidArgumentError, Option, type Command } from "commander";
import { WORKFLOW_LIMITS } from "@assay/protocol";
import { integerValue, shareValue } from "../options/values.ts";
import { saltValue } from "./flags.ts";

/** What {@link addJoint} adds to a command. Flags without `B` are agent A's, as in an agreement of one seller. */
export interface JointFlags {
  readonly obligation?: string;
  readonly sellerB?: string;
  readonly buyerB?: string;
  readonly rewardB?: string;
  readonly obligationB?: string;
  readonly sellerShareB?: number;
  readonly saltB?: bigint;
  readonly criteria?: string;
  readonly creator?: string;
  readonly patience?: number;
}

const JOINT_FLAGS = [
  "obligation",
  "sellerB",
  "buyerB",
  "rewardB",
  "obligationB",
  "sellerShareB",
  "saltB",
  "criteria",
  "creator",
  "patience",
] as const satisfies readonly (keyof JointFlags)[];

/** Adds the options of a joint agreement. */
export function addJoint(command: Command): Command {
  return command
    .option("--obligation <text>", "joint: what agent A, the --seller, alone answers for")
    .option("--seller-b <account>", "joint: agent B, by address or wallet name")
    .option("--buyer-b <account>", "joint: who pays agent B (default: agent A's buyer)")
    .option("--reward-b <amount>", "joint: agent B's reward")
    .option("--obligation-b <text>", "joint: what agent B alone answers for")
    .addOption(
      new Option(
        "--seller-share-b <share>",
        "joint: agent B's share without a verdict (default: agent A's)",
      ).argParser(shareValue),
    )
    .addOption(
      new Option("--salt-b <number>", "joint: the same as --salt, for agent B's agreement").argParser(
        saltValue,
      ),
    )
    .option("--criteria <text>", "joint: acceptance criteria of the whole workflow")
    .option("--creator <account>", "joint: who puts the workflow on GenLayer (default: agent A's buyer)")
    .addOption(
      new Option(
        "--patience <messages>",
        "joint: messages to the contract after which an abandoned workflow can be closed (default: 10000)",
      ).argParser(patienceValue),
    );
}

/** Whether a joint agreement is to be drawn up: any of its options says so. */
export function isJointAsked(flags: JointFlags): boolean {
  return JOINT_FLAGS.some((flag) => flags[flag] !== undefined);
}

function patienceValue(text: string): number {
  const value = integerValue(text);
  if (value < 1 || value > WORKFLOW_LIMITS.patience)
    throw new InvalidArgumentError(`Write a number from 1 to ${WORKFLOW_LIMITS.patience}.`);
  return value;
}
