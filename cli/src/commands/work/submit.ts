import { Command, Option } from "commander";
import { submissionTypedData, type Agreement, type Hex, type Submission } from "@assay/protocol";
import { AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION, type CommandFactory } from "../../command.ts";
import { escrowCall, readState } from "../../escrow/contracts.ts";
import { documentOf, openDeal, type OpenedDeal } from "../../deal/open-deal.ts";
import { RefusedError, UsageError } from "../../errors.ts";
import { EXIT } from "../../exit-codes.ts";
import { publishToThreshold } from "../../operators/publish.ts";
import { addNetwork, type NetworkOptions } from "../../options/network.ts";
import { bytesValue } from "../../options/values.ts";
import { addWallet, walletOf, type WalletOptions } from "../../options/wallet.ts";
import { addWork, type WorkOptions } from "../../options/work.ts";
import { addTypedData, addWrite, type TypedDataOptions, type WriteOptions } from "../../options/write.ts";
import { includedLines } from "../../output/included-lines.ts";
import { show } from "../../output/show.ts";
import { openSession, transacting, type Session } from "../../session.ts";
import type { Intent } from "../../transact/intent.ts";
import { goOn, simulate, transact } from "../../transact/transact.ts";
import { printTypedData, requireSignature } from "../../typed-data.ts";
import type { Wallet } from "../../wallet/signer.ts";
import { draftWork, type DraftWork } from "../../work/draft-work.ts";
import { readOutput, signOutput } from "../../work/output.ts";
import { ignoredLine, previewLines } from "../../work/preview-lines.ts";

interface SubmitOptions extends NetworkOptions, WalletOptions, WorkOptions, WriteOptions, TypedDataOptions {
  readonly anyway?: boolean;
  readonly output?: string;
  readonly outputTypedData?: boolean;
  readonly outputSignature?: Hex;
}

/** `assay work submit`: the seller delivers a folder. */
export const workSubmitCommand: CommandFactory = (io, finish) => {
  const command = new Command("submit")
    .summary("deliver a folder, as the seller")
    .description(
      "Makes the folder into a submission, runs the checks as `assay work check` does, publishes the document to the\n" +
        "agreement's operators until enough of them hold it, and commits to it on chain. A submission is made once.",
    )
    .argument(AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION)
    .argument("[folder]", "the delivery; not needed with --output")
    .option("--anyway", "submit although a check fails")
    .option("--output <file>", "under a joint agreement: the agent's output, which the wallet signs")
    .option(
      "--output-typed-data",
      "print the EIP-712 data of the output for the agent to sign elsewhere; send nothing",
    )
    .addOption(
      new Option(
        "--output-signature <hex>",
        "the agent's signature of that data, in place of the wallet's",
      ).argParser(bytesValue),
    );
  addWrite(addTypedData(addWallet(addWork(addNetwork(command))), "the seller"));
  return command
    .addHelpText(
      "after",
      `
Examples:
  assay work submit deal.json ./delivery --notes notes.json --wallet seller
  assay work submit 0x… ./delivery --dry-run --wallet seller
  assay work submit deal-a.json --output report.md --wallet agent`,
    )
    .action(async (named: string, folder: string | undefined, options: SubmitOptions) => {
      finish(EXIT.ok);
      requireSomething(folder, options);
      const session = await openSession(options, io);
      if (options.outputTypedData === true) {
        await printOutput(session, named, options);
        return;
      }
      // Found once, so that its password is asked once, and only when something is signed.
      let found: Promise<Wallet | null> | undefined;
      const findWallet = () => (found ??= walletOf(options, io, session.network));
      const work = await draftWork(session, named, folder ?? null, options, (deal, agreement) =>
        outputOf(deal, agreement, options, findWallet),
      );
      const { deal, collected, prepared } = work;
      const { submissionHash } = prepared;
      const { network, node } = session;
      const typedData = submissionTypedData(
        deal.agreementId,
        submissionHash,
        network.chainId,
        network.escrow,
      );
      if (options.typedData === true) {
        printTypedData(io, typedData, deal.terms.seller);
        return;
      }
      if (options.signature !== undefined)
        await requireSignature(deal.terms.seller, typedData, options.signature, node);
      const wallet = await findWallet();
      const context = transacting(session, wallet, options);
      const intent = intentOf(session, work, options);
      const settled = await goOn(context, intent);
      if (settled === null) return;
      if (settled === undefined) {
        for (const line of [...previewLines(collected, prepared, work.previews), ignoredLine(collected)])
          if (line !== null) io.diagnose(line);
        refuseFailing(work, options);
        // Hopeless ones are found out before the document is given to anybody.
        const sender = intent.sender ?? wallet?.address;
        if (sender !== undefined) await simulate(session, intent, sender);
        const document = { hash: submissionHash, bytes: prepared.document };
        if (options.dryRun !== true)
          await publishToThreshold(
            io,
            "submission",
            document,
            network.operators,
            deal.quorum ?? network.quorum,
          );
      }
      const included = settled ?? (await transact(context, intent));
      if (included === null) return;
      show(io, options.json, { ...included, agreementId: deal.agreementId, submissionHash }, [
        ...includedLines(`Submitted ${submissionHash} for agreement ${deal.agreementId}`, included),
      ]);
    });
};

/** @throws UsageError when nothing is delivered, or an option of outputs stands without one. */
function requireSomething(folder: string | undefined, options: SubmitOptions): void {
  const { output, outputTypedData, outputSignature } = options;
  if (output === undefined && (outputTypedData === true || outputSignature !== undefined))
    throw new UsageError(
      "no output was given",
      "Name its file with --output: the signature is over its text.",
    );
  if (output === undefined && folder === undefined)
    throw new UsageError(
      "nothing to deliver was given",
      "Name the folder with the delivery; under a joint agreement the output's file, with --output.",
    );
}

/** What the agent has to sign so that anybody may carry its output. */
async function printOutput(session: Session, named: string, { output = "" }: SubmitOptions): Promise<void> {
  const { network, io } = session;
  const deal = await openDeal(named, network, network.chainId);
  const { document } = await documentOf(deal, network.operators);
  const { typedData } = await readOutput(output, deal, document);
  printTypedData(io, typedData, deal.terms.seller, "--output-signature");
}

async function outputOf(
  deal: OpenedDeal,
  agreement: Agreement,
  { output, outputSignature }: SubmitOptions,
  findWallet: () => Promise<Wallet | null>,
): Promise<Submission["output"]> {
  if (output === undefined) return undefined;
  const unsigned = await readOutput(output, deal, agreement);
  const wallet = outputSignature === undefined ? await findWallet() : null;
  return signOutput(unsigned, deal, outputSignature, wallet);
}

function intentOf(
  { network, node }: Session,
  { deal, prepared }: DraftWork,
  { signature }: SubmitOptions,
): Intent {
  const { agreementId, terms } = deal;
  const { submissionHash } = prepared;
  return {
    action: "submit",
    subject: agreementId,
    title: `Submit ${submissionHash} for agreement ${agreementId}`,
    money: null,
    to: network.escrow,
    data:
      signature === undefined
        ? escrowCall("submit", terms, submissionHash)
        : escrowCall("submitWithSignature", terms, submissionHash, signature),
    sender: signature === undefined ? terms.seller : null,
    async done() {
      const { submissionHashPrefix } = await readState(node, network.escrow, agreementId);
      if (submissionHashPrefix === null) return null;
      return submissionHash.startsWith(submissionHashPrefix) ? "Exactly this was submitted already." : null;
    },
  };
}

function refuseFailing({ previews }: DraftWork, { anyway, dryRun }: SubmitOptions): void {
  const failing = previews.filter(({ result }) => result === "FAIL");
  if (failing.length === 0 || anyway === true || dryRun === true) return;
  throw new RefusedError(
    "check_failed",
    `the judge would find FAIL: ${failing.map(({ id, detail }) => `${id} (${detail})`).join(", ")}`,
    "Correct the delivery: a submission is made once, and one failed requirement fails it. --anyway submits it nevertheless.",
  );
}
