import { Command } from "commander";
import { amountInWords } from "@assay/protocol";
import type { CommandFactory } from "../../command.ts";
import { openDeal } from "../../deal/open-deal.ts";
import { openSettlement, updateSettlement } from "../../deal/settlement-file.ts";
import { EXIT } from "../../exit-codes.ts";
import { addNetwork, type NetworkOptions } from "../../options/network.ts";
import { addWallet, walletOf, type WalletOptions } from "../../options/wallet.ts";
import { addJson, addTypedData, type TypedDataOptions } from "../../options/write.ts";
import { show } from "../../output/show.ts";
import { openSession } from "../../session.ts";
import { printTypedData } from "../../typed-data.ts";
import { asOption } from "./propose.ts";
import { requireSame, settlementData, signaturesInWords, signedBy } from "./shared.ts";

interface SignOptions extends NetworkOptions, WalletOptions, TypedDataOptions {
  readonly as?: "buyer" | "seller";
  readonly json?: boolean;
}

/** `assay settle sign`: the other side signs the same split. */
export const signCommand: CommandFactory = (io, finish) => {
  const command = new Command("sign")
    .summary("add your signature to a settlement's file")
    .description(
      "Adds a signature to the file that `assay settle propose` wrote. Look at the amounts it prints first.",
    )
    .argument("<settlement>", "the settlement's file")
    .addOption(asOption());
  addJson(addTypedData(addWallet(addNetwork(command)), "the side named with --as"));
  return command
    .addHelpText("after", "\nExamples:\n  assay settle sign settlement.json --wallet seller")
    .action(async (path: string, options: SignOptions) => {
      const session = await openSession(options, io);
      const { network, wording } = session;
      const found = await openSettlement(path);
      const deal = await openDeal(found.agreementId, network, network.chainId);
      requireSame(found, deal, session);
      finish(EXIT.ok);
      if (options.typedData === true) {
        printTypedData(io, settlementData(session, found), deal.terms[options.as ?? "seller"]);
        return;
      }
      const { reward } = deal.terms;
      io.diagnose(
        `The seller gets ${amountInWords(found.sellerAmount, wording)}, the buyer ${amountInWords(reward - found.sellerAmount, wording)}`,
      );
      const wallet = await walletOf(options, io, network);
      const settlement = await signedBy(session, deal, found, {
        wallet,
        given: options.signature,
        as: options.as,
      });
      await updateSettlement(path, settlement);
      show(io, options.json, { ...settlement, file: path }, [`${path}: ${signaturesInWords(settlement)}`]);
    });
};
