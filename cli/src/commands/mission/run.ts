import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command, Option } from "commander";
import {
  committedRoot,
  examineExecution,
  isSameAddress,
  sequenceHash,
  walkAuthorizationTypedData,
  type Execution,
  type Hex,
} from "@assay/protocol";
import { AGREEMENT_DESCRIPTION, type CommandFactory } from "../../command.ts";
import { writeNewFile } from "../../deal/deal-file.ts";
import { documentOf, openDeal } from "../../deal/open-deal.ts";
import { RefusedError, UsageError } from "../../errors.ts";
import { EXIT } from "../../exit-codes.ts";
import type { Io } from "../../io.ts";
import { agentWith, beginFor, beginJob, type Beginning } from "../../mission/begin.ts";
import { planCalls, type CallOptions } from "../../mission/calls.ts";
import { openMemory } from "../../mission/memory.ts";
import { factsOf, stepsOf, type MissionView } from "../../mission/mission-view.ts";
import { submissionFrom } from "../../mission/proof.ts";
import { createRecorderClient } from "../../mission/recorder.ts";
import { walk } from "../../mission/walk.ts";
import { addNetwork, type NetworkOptions } from "../../options/network.ts";
import { recorderOption, type RecorderOptions } from "../../options/recorder.ts";
import { bytesValue, repeatedValue } from "../../options/values.ts";
import { addWallet, walletOf, type WalletOptions } from "../../options/wallet.ts";
import { addJson } from "../../options/write.ts";
import { show } from "../../output/show.ts";
import { openSession } from "../../session.ts";
import { printTypedData, signatureBy } from "../../typed-data.ts";

interface RunOptions extends NetworkOptions, WalletOptions, RecorderOptions, CallOptions {
  readonly job?: string;
  readonly mission?: string;
  readonly startOnly?: boolean;
  readonly save?: string;
  readonly out?: string;
  readonly typedData?: boolean;
  readonly signature?: Hex;
  readonly json?: boolean;
}

/** `assay mission run`: walks committed steps under a recorder, and writes the proof. */
export const missionRunCommand: CommandFactory = (io, finish) => {
  const command = new Command("run")
    .summary("walk committed steps under a recorder, and write the proof")
    .description(
      "Walks the steps that an agreement commits to, or those of a job on the recorder's board, in order, through the\n" +
        "recorder; checks every stamp against what was sent and received here; fetches the proof and writes the\n" +
        "submission. Every call is planned before the first is made. Whatever interrupts it, run it again: it goes on.",
    )
    .argument("[agreement]", AGREEMENT_DESCRIPTION)
    .addOption(recorderOption())
    .option("--job <id>", "a job of the board instead of an agreement; its nonce is mixed from both sides'")
    .option("--mission <id>", "with an agreement: a mission of a job that the agreement was drawn up for")
    .option("--start-only", "begin the mission, which commits to its root, and make no call yet")
    .addOption(
      new Option("--set <name=value>", "what stands for {name} in path templates; repeatable").argParser(
        repeatedValue,
      ),
    )
    .addOption(
      new Option(
        "--call <index=target>",
        "exact path and query of a step, such as 0=/v1/agents?limit=10; repeatable",
      ).argParser(repeatedValue),
    )
    .addOption(
      new Option("--body <index=file>", "file with the body of a step; repeatable").argParser(repeatedValue),
    )
    .addOption(
      new Option(
        "--header <header>",
        '"Name: value" for every step, "index=Name: value" for one; repeatable',
      ).argParser(repeatedValue),
    )
    .option("--save <folder>", "keep the body of every answer there, as <index>.body")
    .option("--out <file>", "where to write the proof (default: walk-<start of the id>.json)")
    .option("--typed-data", "print what the seller signs to name who walks (EIP-712); begin nothing")
    .addOption(new Option("--signature <hex>", "the seller's signature of that data").argParser(bytesValue));
  addJson(addWallet(addNetwork(command)));
  return command
    .addHelpText(
      "after",
      `
Examples:
  assay mission run deal.json --recorder http://127.0.0.1:8790 --wallet seller --set address=0x…
  assay mission run --job mission:read-platform-tour:testnet --recorder http://127.0.0.1:8790 --start-only
  assay mission run deal.json --recorder http://127.0.0.1:8790 --wallet seller --body 3=order.json \\
    --header "3=Content-Type: application/json" --save answers`,
    )
    .action(async (named: string | undefined, options: RunOptions) => {
      finish(EXIT.ok);
      if ((named === undefined) === (options.job === undefined))
        throw new UsageError(
          named === undefined ? "nothing says what is to be walked" : "an agreement and a job are two walks",
          "Give an agreement, or a job of the board with --job.",
        );
      const client = createRecorderClient(recorderOf(options));
      const memory = openMemory(io.env, client.url);
      const beginning = { client, memory, agent: await agentWith(client, memory) };
      const begun =
        named === undefined
          ? { agreementId: null, mission: await beginJob(beginning, options.job ?? "") }
          : await beginAgreement(io, beginning, named, options);
      if (begun === null) return;
      const { agreementId, mission } = begun;
      if (options.startOnly === true) {
        show(io, options.json, { ...summary(mission), agreementId }, [
          `Mission ${mission.mission_id} is begun and committed to ${mission.committed_root}`,
          `Its nonce is ${mission.nonce}; an agreement with it and with these steps can be drawn up: assay agreement new --recorder ${client.url} --mission ${mission.mission_id}`,
        ]);
        return;
      }
      await walkOn(io, beginning, mission, options);
      const walked = await client.mission(mission.mission_id);
      const report = examineExecution(factsOf(walked));
      if (report.failed > 0)
        throw new RefusedError(
          "proof_wrong",
          "what the recorder answers about the walk does not hold",
          "See `assay mission verify`; this recorder is faulty or lies.",
        );
      const file =
        options.out ??
        `walk-${(agreementId ?? mission.mission_id).replace(/^0x|^mission_/, "").slice(0, 8)}.json`;
      await writeOnce(
        file,
        agreementId === null
          ? Buffer.from(`${JSON.stringify(walked, null, 2)}\n`)
          : submissionFrom(walked, agreementId),
      );
      show(io, options.json, { ...summary(walked), agreementId, file }, [
        `Walked ${walked.steps.length} steps; the chain ends in ${walked.terminal ?? ""}`,
        `  mission    ${walked.mission_id}`,
        `  root       ${walked.committed_root}`,
        `  signature  ${walked.signature ?? "none: the mission is of no agreement"}`,
        `Written to ${file}`,
      ]);
      if (agreementId !== null)
        io.diagnose(
          `Next, where a gate pays: assay mission submit ${named ?? ""} --proof ${file}; where a judge decides: assay work submit ${named ?? ""} <folder> with its execution in the notes.`,
        );
    });
};

function recorderOf({ recorder }: RecorderOptions): string {
  if (recorder !== undefined) return recorder;
  throw new UsageError("no recorder was given", "Name its URL with --recorder or ASSAY_RECORDER.");
}

function summary(view: MissionView): Record<string, unknown> {
  const { mission_id: missionId, status, nonce, terminal, signature, recorder } = view;
  return {
    missionId,
    status,
    nonce,
    committedRoot: view.committed_root,
    steps: view.steps.length,
    recorded: view.attestations.length,
    terminal,
    signature,
    recorder,
  };
}

/** Null when only what is to be signed was asked for. */
async function beginAgreement(
  io: Io,
  beginning: Beginning,
  named: string,
  options: RunOptions,
): Promise<{ readonly agreementId: Hex; readonly mission: MissionView } | null> {
  const session = await openSession(options, io);
  const { network, node } = session;
  const deal = await openDeal(named, network, network.chainId);
  const { document, bytes } = await documentOf(deal, network.operators);
  const { agreementId, terms } = deal;
  const execution = await requireRecorder(beginning, agreementId, document.execution);
  const place = { agreementId, chainId: network.chainId, escrow: network.escrow };
  const authorization = (agentId: string) => walkAuthorizationTypedData({ ...place, agentId });
  if (options.typedData === true) {
    printTypedData(io, authorization(beginning.agent.agentId), terms.seller);
    return null;
  }
  const agreement = {
    ...place,
    terms,
    document: new TextDecoder().decode(bytes),
    authorize: async (agentId: string) =>
      signatureBy(terms.seller, authorization(agentId), {
        given: options.signature,
        wallet: await walletOf(options, io, network),
        node,
      }),
  };
  const mission = await beginFor(beginning, agreement, options.mission);
  const root = committedRoot(execution.nonce, sequenceHash(execution.steps));
  if (mission.committed_root !== root)
    throw new RefusedError(
      "root_differs",
      `the recorder's mission commits to ${mission.committed_root}, the agreement to ${root}`,
      "Nobody would be paid for that walk. Ask whoever runs the recorder.",
    );
  return { agreementId, mission };
}

async function requireRecorder(
  { client }: Beginning,
  agreementId: Hex,
  execution: Execution | undefined,
): Promise<Execution> {
  if (execution === undefined)
    throw new UsageError(
      `agreement ${agreementId} commits to no steps`,
      "Only an agreement with `execution` has a walk; see `assay agreement new --recorder`.",
    );
  const account = await client.account();
  if (isSameAddress(account, execution.recorder)) return execution;
  throw new RefusedError(
    "recorder_unexpected",
    `the agreement's recorder is ${execution.recorder}; the one at ${client.url} signs as ${account}`,
    "Walk under the recorder that the agreement names.",
  );
}

/** Walks from where the mission is to its end. */
async function walkOn(
  io: Io,
  { client, agent }: Beginning,
  mission: MissionView,
  options: RunOptions,
): Promise<void> {
  const { steps, attestations, status } = mission;
  if (status === "completed") {
    io.diagnose(`Mission ${mission.mission_id} was walked already`);
    return;
  }
  if (status === "expired")
    throw new RefusedError(
      "expired",
      `mission ${mission.mission_id} has expired after ${attestations.length} of ${steps.length} steps`,
      "A mission has to be walked in the time that its recorder gives; begin another one.",
    );
  const position = attestations.length;
  const before = examineExecution(factsOf(mission));
  const chain = position === 0 ? before.committedRoot : (before.calls[position - 1]?.chain ?? null);
  if (
    chain === null ||
    chain !== mission.current_chain_hash ||
    before.committedRoot !== mission.committed_root
  )
    throw new RefusedError(
      "chain_differs",
      "the mission's chain does not follow from its nonce, steps and records",
      "This recorder is faulty or lies; walk no further.",
    );
  const calls = await planCalls(stepsOf(mission), position, options);
  if (position > 0) io.diagnose(`Going on at step ${position} of ${steps.length}`);
  if (options.save !== undefined) await mkdir(options.save, { recursive: true });
  const walked = {
    origin: client.url,
    apiKey: agent.apiKey,
    missionId: mission.mission_id,
    nonce: mission.nonce,
    chain,
  };
  await walk(walked, calls, async ({ call: { step, target }, answer, chain: after }) => {
    if (options.save !== undefined) await writeFile(join(options.save, `${step.index}.body`), answer.body);
    io.diagnose(
      `step ${step.index + 1} of ${steps.length}  ${step.method} ${target}  ${answer.status}  ${after}`,
    );
  });
}

/** A proof that is there already, byte for byte, is the work of an earlier run. */
async function writeOnce(path: string, bytes: Uint8Array): Promise<void> {
  const known = await readFile(path).catch(() => null);
  if (known !== null && Buffer.compare(known, bytes) === 0) return;
  await writeNewFile(path, bytes);
}
