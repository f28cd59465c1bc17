import { Command } from "commander";
import { collectCertificate, createChain } from "@assay/evidence";
import {
  amountInWords,
  deliveryCalldata,
  gateDeliveryCalldata,
  type Outcome,
  type Terms,
} from "@assay/protocol";
import { AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION, type CommandFactory } from "../command.ts";
import { openDeal } from "../deal/open-deal.ts";
import { readState } from "../escrow/contracts.ts";
import { RefusedError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { gatedDocument, proofToDeliver } from "../mission/deliver.ts";
import { proofOption, type ProofOptions } from "../mission/proof-option.ts";
import { addNetwork, type NetworkOptions } from "../options/network.ts";
import { recorderOption } from "../options/recorder.ts";
import { addWallet, walletOf, type WalletOptions } from "../options/wallet.ts";
import { addWrite, type WriteOptions } from "../options/write.ts";
import { includedLines } from "../output/included-lines.ts";
import { show } from "../output/show.ts";
import { openSession, transacting } from "../session.ts";
import type { Intent } from "../transact/intent.ts";
import { goOn, transact } from "../transact/transact.ts";

interface ClaimOptions extends NetworkOptions, WalletOptions, WriteOptions, ProofOptions {}

/** `assay claim`: anyone delivers the operators' certificate, or the proof of a walk. */
export const claimCommand: CommandFactory = (io, finish) => {
  const command = new Command("claim")
    .summary("deliver the operators' verdict, or a walk's proof, to the escrow, as anyone")
    .description(
      "Operators deliver verdicts by themselves; this does it when none does. It fetches what they published, verifies\n" +
        "every signature and the record here, and delivers the certificate: PASS pays the seller, FAIL and WITHHELD\n" +
        "refund the buyer, UNDETERMINED splits as agreed.\n" +
        "Where a gate pays for a walk, it delivers the proof instead, from --proof or --recorder.",
    )
    .argument(AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION)
    .addOption(proofOption())
    .addOption(recorderOption());
  addWrite(addWallet(addNetwork(command)));
  return command
    .addHelpText(
      "after",
      "\nExamples:\n  assay claim 0x… --wallet seller\n  assay claim 0x… --unsigned\n" +
        "  assay claim deal.json --proof walk-1a2b3c4d.json --wallet relayer",
    )
    .action(async (named: string, options: ClaimOptions) => {
      finish(EXIT.ok);
      const session = await openSession(options, io);
      const { network, node, wording } = session;
      const deal = await openDeal(named, network, network.chainId);
      const { agreementId, terms } = deal;
      const wallet = await walletOf(options, io, network);
      const context = transacting(session, wallet, options);
      const bare: Intent = {
        action: "claim",
        subject: agreementId,
        title: `Deliver the verdict on agreement ${agreementId}`,
        money: null,
        to: terms.adjudicator,
        data: "0x",
        sender: null,
        async done() {
          const { status } = await readState(node, network.escrow, agreementId);
          const isOver = status === "Released" || status === "Refunded" || status === "Split";
          return isOver ? `The agreement has ended already (${status}).` : null;
        },
      };
      const settled = await goOn(context, bare);
      if (settled === null) return;
      if (settled !== undefined) {
        show(io, options.json, { ...settled, agreementId }, includedLines("Delivered the verdict", settled));
        return;
      }
      const { submissionHashPrefix } = await readState(node, network.escrow, agreementId);
      if (submissionHashPrefix === null)
        throw new RefusedError(
          "submission_missing",
          `nothing was submitted for agreement ${agreementId}, so there is no verdict to deliver`,
          "The seller submits with `assay work submit`, or `assay mission submit` where a gate pays.",
        );
      const walked = await gatedDocument(session, deal, options);
      if (walked !== null) {
        const delivery = await proofToDeliver(session, deal, walked, options);
        const included = await transact(context, {
          ...bare,
          money: moneyOf("PASS", terms, amountInWords(terms.reward, wording)),
          data: gateDeliveryCalldata(delivery.proof),
        });
        if (included === null) return;
        show(io, options.json, { ...included, agreementId, outcome: "PASS", terminal: delivery.terminal }, [
          ...includedLines(`Delivered the proof of agreement ${agreementId}`, included),
          `  terminal     ${delivery.terminal}`,
        ]);
        return;
      }
      const subject = {
        chainId: network.chainId,
        escrow: network.escrow,
        agreementId,
        terms,
        submissionHashPrefix,
      };
      const found = await collectCertificate(
        createChain(network.rpcUrl),
        network.operators,
        subject,
        (line) => io.diagnose(line),
      );
      const { outcome } = found.record;
      io.diagnose(`${outcome}, signed by ${found.signers.join(", ")}`);
      const included = await transact(context, {
        ...bare,
        money: moneyOf(outcome, terms, amountInWords(terms.reward, wording)),
        data: deliveryCalldata(found.certificate),
      });
      if (included === null) return;
      const { verdictHash } = found.certificate.verdict;
      show(io, options.json, { ...included, agreementId, outcome, verdictHash, signers: found.signers }, [
        ...includedLines(`Delivered ${outcome} for agreement ${agreementId}`, included),
        `  verdict      ${verdictHash}`,
      ]);
    });
};

function moneyOf(outcome: Outcome, { buyer, seller, noVerdictSellerBps }: Terms, reward: string): string {
  if (outcome === "PASS") return `${reward} goes to the seller, ${seller}.`;
  if (outcome === "UNDETERMINED")
    return `${noVerdictSellerBps / 100}% of ${reward} goes to the seller, the rest to the buyer.`;
  return `${reward} goes back to the buyer, ${buyer}.`;
}
