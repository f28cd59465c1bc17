import { Command } from "commander";
import { amountInWords, printable } from "@assay/protocol";
import type { CommandFactory } from "../../command.ts";
import { openDeal } from "../../deal/open-deal.ts";
import { UnavailableError, UsageError } from "../../errors.ts";
import { EXIT } from "../../exit-codes.ts";
import { missionLines } from "../../mission/lines.ts";
import type { MissionView } from "../../mission/mission-view.ts";
import { createRecorderClient, type RecorderClient, type RewardView } from "../../mission/recorder.ts";
import { addNetwork, type NetworkOptions } from "../../options/network.ts";
import { recorderOption, type RecorderOptions } from "../../options/recorder.ts";
import { addJson } from "../../options/write.ts";
import { show } from "../../output/show.ts";
import { openSession, type Session } from "../../session.ts";

interface ShowOptions extends NetworkOptions, RecorderOptions {
  readonly json?: boolean;
}

/** `assay mission show`: where a mission is, what comes next, and what became of its reward. */
export const missionShowCommand: CommandFactory = (io, finish) => {
  const command = new Command("show")
    .summary("show a mission at its recorder: how far it is, the next call, the reward")
    .description(
      "Asks the recorder how far a mission is, which call comes next, and what became of its reward.",
    )
    .argument("<mission>", "a mission's id, or the agreement that it is walked for (id or file)")
    .addOption(recorderOption());
  addJson(addNetwork(command));
  return command
    .addHelpText(
      "after",
      "\nExamples:\n  assay mission show mission_… --recorder http://127.0.0.1:8790\n" +
        "  assay mission show deal.json --recorder http://127.0.0.1:8790",
    )
    .action(async (named: string, options: ShowOptions) => {
      finish(EXIT.ok);
      if (options.recorder === undefined)
        throw new UsageError("no recorder was given", "Name its URL with --recorder or ASSAY_RECORDER.");
      const client = createRecorderClient(options.recorder);
      const hasNetwork = (options.network ?? options.rpcUrl) !== undefined;
      const isMission = named.startsWith("mission_");
      const session = hasNetwork || !isMission ? await openSession(options, io) : null;
      const view =
        isMission || session === null ? await client.mission(named) : await missionOf(client, session, named);
      const reward = await client.reward(view.mission_id);
      show(io, options.json, { mission: view, reward }, [
        ...missionLines(view),
        `Reward: ${rewardInWords(reward, session)}`,
        ...nextLines(view, client),
      ]);
    });
};

async function missionOf(client: RecorderClient, { network }: Session, named: string): Promise<MissionView> {
  const { agreementId } = await openDeal(named, network, network.chainId);
  const view = await client.missionFor({ chainId: network.chainId, escrow: network.escrow, agreementId });
  if (view !== null) return view;
  throw new UnavailableError(
    `the recorder at ${client.url} knows no mission of agreement ${agreementId}`,
    "The seller begins it with `assay mission run`.",
  );
}

function rewardInWords(
  { status, reward, locked, on_chain: onChain }: RewardView,
  session: Session | null,
): string {
  const amount =
    reward === undefined || !/^\d+$/.test(reward)
      ? ""
      : `${session === null ? `${reward} base units` : amountInWords(BigInt(reward), session.wording)}, `;
  const place =
    locked === true
      ? "; the escrow holds it"
      : typeof onChain === "string"
        ? `; the escrow says ${printable(onChain)}`
        : "";
  return `${amount}${printable(status)}${place}`;
}

function nextLines({ next_request: next, steps }: MissionView, { url }: RecorderClient): string[] {
  const step = next === null ? undefined : steps[next.index];
  return step === undefined
    ? []
    : [
        `Next: ${printable(step.method)} ${url}${printable(step.path_template)}; \`assay mission run\` goes on with it.`,
      ];
}
