import { Command } from "commander";
import { examineExecution, isGated, submissionTypedData } from "@assay/protocol";
import { AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION, type CommandFactory } from "../../command.ts";
import { documentOf, openDeal } from "../../deal/open-deal.ts";
import { RefusedError, UsageError } from "../../errors.ts";
import { escrowCall, readState } from "../../escrow/contracts.ts";
import { EXIT } from "../../exit-codes.ts";
import { firstFailure, proofFor, type ProofOptions, proofOption } from "../../mission/proof-option.ts";
import { addNetwork, type NetworkOptions } from "../../options/network.ts";
import { recorderOption } from "../../options/recorder.ts";
import { addWallet, walletOf, type WalletOptions } from "../../options/wallet.ts";
import { addTypedData, addWrite, type TypedDataOptions, type WriteOptions } from "../../options/write.ts";
import { includedLines } from "../../output/included-lines.ts";
import { show } from "../../output/show.ts";
import { openSession, transacting } from "../../session.ts";
import type { Intent } from "../../transact/intent.ts";
import { transact } from "../../transact/transact.ts";
import { printTypedData, requireSignature } from "../../typed-data.ts";

interface SubmitOptions extends NetworkOptions, WalletOptions, WriteOptions, TypedDataOptions, ProofOptions {}

/** `assay mission submit`: the seller commits to the end of its walk, where a gate pays for it. */
export const missionSubmitCommand: CommandFactory = (io, finish) => {
  const command = new Command("submit")
    .summary("commit to the end of a walk on chain, as the seller, where a gate pays")
    .description(
      "Verifies the proof as a stranger would, and submits the walk's end to the escrow: where a gate decides, that is the\n" +
        "submission. Then anyone delivers the proof with `assay claim`. A submission is made once.",
    )
    .argument(AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION)
    .addOption(proofOption())
    .addOption(recorderOption());
  addWrite(addTypedData(addWallet(addNetwork(command)), "the seller"));
  return command
    .addHelpText(
      "after",
      "\nExamples:\n  assay mission submit deal.json --proof walk-1a2b3c4d.json --wallet seller\n" +
        "  assay mission submit deal.json --recorder http://127.0.0.1:8790 --wallet seller",
    )
    .action(async (named: string, options: SubmitOptions) => {
      finish(EXIT.ok);
      const session = await openSession(options, io);
      const { network, node } = session;
      const deal = await openDeal(named, network, network.chainId);
      const document = await documentOf(deal, network.operators);
      const { agreementId, terms } = deal;
      if (!isGated(terms, document.document))
        throw new UsageError(
          `agreement ${agreementId} is decided by operators, not by a gate`,
          "Submit a document with `assay work submit`, with the walk as `execution` in its notes.",
        );
      const facts = await proofFor(session, deal, document, options, false);
      const report = examineExecution(facts);
      const failure = firstFailure(report);
      const { terminal } = report;
      if (failure !== null || terminal === null || facts.signature === null)
        throw new RefusedError(
          "proof_wrong",
          failure ?? "the walk is not at its end, or not signed",
          "See `assay mission verify`; nothing was sent.",
        );
      const typedData = submissionTypedData(agreementId, terminal, network.chainId, network.escrow);
      if (options.typedData === true) {
        printTypedData(io, typedData, terms.seller);
        return;
      }
      const { signature } = options;
      if (signature !== undefined) await requireSignature(terms.seller, typedData, signature, node);
      const wallet = await walletOf(options, io, network);
      const intent: Intent = {
        action: "submit",
        subject: agreementId,
        title: `Submit the walk's end ${terminal} for agreement ${agreementId}`,
        money: null,
        to: network.escrow,
        data:
          signature === undefined
            ? escrowCall("submit", terms, terminal)
            : escrowCall("submitWithSignature", terms, terminal, signature),
        sender: signature === undefined ? terms.seller : null,
        async done() {
          const { submissionHashPrefix } = await readState(node, network.escrow, agreementId);
          if (submissionHashPrefix === null) return null;
          return terminal.startsWith(submissionHashPrefix) ? "Exactly this was submitted already." : null;
        },
      };
      const included = await transact(transacting(session, wallet, options), intent);
      if (included === null) return;
      show(io, options.json, { ...included, agreementId, submissionHash: terminal }, [
        ...includedLines(`Submitted ${terminal} for agreement ${agreementId}`, included),
        "Anyone can deliver the proof now: assay claim",
      ]);
    });
};
