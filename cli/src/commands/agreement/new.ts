import { Command, Option } from "commander";
import { newSalt } from "@assay/protocol";
import type { CommandFactory } from "../../command.ts";
import { dealLines } from "../../deal/deal-lines.ts";
import { writeDeal, writeNewFile } from "../../deal/deal-file.ts";
import { amountOf } from "../../draft/amount.ts";
import { askForAgreement, type Asked } from "../../draft/ask.ts";
import { applyFlags, documentFrom, readTemplate, type DraftFlags } from "../../draft/draft.ts";
import { withExecution, type ExecutionFlags } from "../../draft/execution.ts";
import { addressFlag, adjudicationOf, buyerOf, saltValue, textOf, whenFlag } from "../../draft/flags.ts";
import { gateOf } from "../../draft/gate.ts";
import { drawUp } from "../../draft/draw-up.ts";
import { addJoint, isJointAsked, type JointFlags } from "../../draft/joint-flags.ts";
import { adjudicatorOf } from "../../draft/quorum.ts";
import { UsageError } from "../../errors.ts";
import { EXIT } from "../../exit-codes.ts";
import type { Io } from "../../io.ts";
import { resolveWhen, whenValue, type When } from "../../options/durations.ts";
import { addNetwork, type NetworkOptions } from "../../options/network.ts";
import { recorderOption } from "../../options/recorder.ts";
import { repeatedValue, shareValue } from "../../options/values.ts";
import { accountNamed, addWallet, type WalletOptions } from "../../options/wallet.ts";
import { addJson } from "../../options/write.ts";
import { show } from "../../output/show.ts";
import { openSession } from "../../session.ts";
import { newJoint } from "./new-joint.ts";

interface NewOptions extends NetworkOptions, WalletOptions, DraftFlags, ExecutionFlags, JointFlags {
  readonly from?: string;
  readonly taskFile?: string;
  readonly buyer?: string;
  readonly seller?: string;
  readonly reward?: string;
  readonly deliverBy?: string;
  readonly judgeBy: When;
  readonly sellerShare: number;
  readonly salt?: bigint;
  readonly adjudication?: string;
  readonly gate?: string | true;
  readonly out?: string;
  readonly document?: string;
  readonly json?: boolean;
}

const DEFAULT_JUDGE_BY = "3d";
const DEFAULT_SELLER_SHARE = "50%";
/** Where a gate decides, whoever submits anything at all would get the share, so it has to be asked for. */
const GATE_SELLER_SHARE_BPS = 0;

/** `assay agreement new`: draws up an agreement and writes its file. Nothing is signed or sent. */
export const newCommand: CommandFactory = (io, finish) => {
  const command = new Command("new")
    .summary("draw up an agreement and write its file")
    .description(
      "Draws up an agreement from flags, a template (--from), or questions; checks everything that the escrow and the\n" +
        "judge would check; writes a file for both sides. Nothing is signed or sent. With --seller-b it draws up a joint\n" +
        "agreement, in which one workflow of two agents decides two agreements, and writes a file for each.",
    )
    .option("--from <file>", "template: JSON with title, task, requirements, …; flags replace and add to it")
    .option("--title <text>", "what it is about, in a line")
    .option("--task <text>", "what is to be done")
    .option("--task-file <file>", "the same, from a file")
    .option("--category <name>", "kind of work, such as web-development; reputation is told apart by it")
    .addOption(
      new Option("--require <text>", "a requirement, as `ID: text` or text alone; repeatable").argParser(
        repeatedValue,
      ),
    )
    .addOption(
      new Option("--check <id=json>", "the check that decides a requirement; repeatable").argParser(
        repeatedValue,
      ),
    )
    .addOption(
      new Option("--evidence <text>", "evidence that the seller should add; repeatable").argParser(
        repeatedValue,
      ),
    )
    .addOption(
      new Option(
        "--reporter <id=address>",
        "somebody whose signed report decides a check; repeatable",
      ).argParser(repeatedValue),
    )
    .option("--buyer <account>", "address or wallet name (default: the wallet's account)")
    .option("--seller <account>", "address or wallet name")
    .option("--reward <amount>", "in units of the escrow's token, such as 25.50")
    .option("--deliver-by <when>", "deadline of the delivery: a duration from now (3d, 12h) or a date")
    .addOption(
      new Option(
        "--judge-by <when>",
        "deadline of the verdict: a duration from the delivery's deadline, or a date",
      )
        .argParser(whenValue)
        .default(whenValue(DEFAULT_JUDGE_BY), DEFAULT_JUDGE_BY),
    )
    .addOption(
      new Option(
        "--seller-share <share>",
        "the seller's share when no verdict comes, such as 50% or 5000bps; with --gate nothing by default",
      )
        .argParser(shareValue)
        .default(shareValue(DEFAULT_SELLER_SHARE), DEFAULT_SELLER_SHARE),
    )
    .addOption(
      new Option("--salt <number>", "tells equal agreements apart (default: 64 random bits)").argParser(
        saltValue,
      ),
    )
    .option(
      "--adjudication <file>",
      "who judges, as in an agreement's document (default: the network's profile)",
    )
    .addOption(recorderOption())
    .option("--job <id>", "commit to the steps of a job on the recorder's board")
    .option(
      "--mission <id>",
      "commit to a mission that was begun there (`assay mission run --job … --start-only`)",
    )
    .option(
      "--gate [address]",
      "an execution proof gate pays when the steps were walked; no judge is asked (default: the profile's)",
    )
    .option("--out <file>", "where to write the agreement's file (default: deal-<start of the id>.json)")
    .option("--document <file>", "write the document's canonical bytes there too: what the hash is of");
  addJson(addWallet(addNetwork(addJoint(command))));
  return command
    .addHelpText(
      "after",
      `
Examples:
  assay agreement new --from examples/password-reset/agreement.json \\
    --wallet buyer --seller seller --reward 25 --deliver-by 3d
  assay agreement new --title "Logo" --task "Draw a logo as SVG." --require "SVG: The logo is at logo.svg." \\
    --check 'SVG={"type":"file_exists","path":"logo.svg"}' --seller 0x… --reward 40 --deliver-by 2026-12-24 --wallet me
  assay agreement new --recorder http://127.0.0.1:8790 --job mission:read-platform-tour:testnet --gate \\
    --wallet buyer --seller seller --reward 0.01 --deliver-by 1h
  assay agreement new --title "Report" --task "Publish a report in two languages." --criteria "Both say the same." \\
    --seller 0x… --reward 40 --obligation "Write it." --seller-b 0x… --reward-b 10 --obligation-b "Translate it." \\
    --deliver-by 3d --wallet me`,
    )
    .action(async (options: NewOptions) => {
      const session = await openSession(options, io);
      const { timestamp } = await session.node.head();
      if (isJointAsked(options)) {
        await newJoint(options, io, session, timestamp);
        finish(EXIT.ok);
        return;
      }
      const template = options.from === undefined ? {} : await readTemplate(options.from);
      const asked = await complete(io, options);
      const { gate } = options;
      const adjudicator =
        gate === undefined
          ? await adjudicatorOf(session.network)
          : gateOf(gate === true ? gate : addressFlag("--gate")(gate), session.network);
      const isDefaultShare = command.getOptionValueSource("sellerShare") === "default";
      const agreement = documentFrom(
        await withExecution(applyFlags(template, asked), options),
        await adjudicationOf(options, template, session.network.adjudication),
      );
      const deliverBy = resolveWhen(whenFlag(asked.deliverBy), timestamp);
      const deal = drawUp(
        session,
        agreement,
        {
          buyer: await buyerOf(options, io, session),
          seller: await accountNamed(asked.seller, io, session.network, addressFlag("--seller")),
          reward: amountOf(asked.reward, "the reward", session.token),
          deliverBy,
          adjudicateBy: resolveWhen(options.judgeBy, deliverBy),
          noVerdictSellerBps:
            gate !== undefined && isDefaultShare ? GATE_SELLER_SHARE_BPS : options.sellerShare,
          salt: options.salt ?? newSalt(),
        },
        adjudicator,
        timestamp,
      );
      const out = options.out ?? `deal-${deal.agreementId.slice(2, 10)}.json`;
      await writeNewFile(out, writeDeal(deal));
      if (options.document !== undefined) await writeNewFile(options.document, deal.document);
      const { agreementId, terms } = deal;
      show(io, options.json, { agreementId, agreementHash: terms.agreementHash, terms, file: out }, [
        ...dealLines(session, deal, deal.agreement, timestamp),
        `Written to ${out}`,
      ]);
      io.diagnose(`Next: assay agreement fund ${out}; give the file to the seller too.`);
      finish(EXIT.ok);
    });
};

/** What flags say, with answers of a person for what they don't. */
async function complete(io: Io, options: NewOptions): Promise<Asked> {
  const task = options.taskFile === undefined ? options.task : await textOf(options.taskFile);
  const given = { ...options, ...(task === undefined ? {} : { task }) };
  const { seller, reward, deliverBy } = options;
  if (seller !== undefined && reward !== undefined && deliverBy !== undefined)
    return { ...given, seller, reward, deliverBy };
  const hasText = options.from !== undefined || options.recorder !== undefined;
  if (io.terminal !== undefined) return askForAgreement(io.terminal, given, hasText);
  const missing = Object.entries({ "--seller": seller, "--reward": reward, "--deliver-by": deliverBy })
    .filter(([, value]) => value === undefined)
    .map(([flag]) => flag);
  throw new UsageError(
    `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing`,
    "Give them as flags; at a terminal you would be asked.",
  );
}
