import { Command } from "commander";
import { amountInWords } from "@assay/protocol";
import type { CommandFactory } from "../../command.ts";
import { openDeal } from "../../deal/open-deal.ts";
import { openSettlement } from "../../deal/settlement-file.ts";
import { escrowCall } from "../../escrow/contracts.ts";
import { RefusedError } from "../../errors.ts";
import { EXIT } from "../../exit-codes.ts";
import { addNetwork, type NetworkOptions } from "../../options/network.ts";
import { addWallet, walletOf, type WalletOptions } from "../../options/wallet.ts";
import { addWrite, type WriteOptions } from "../../options/write.ts";
import { includedLines } from "../../output/included-lines.ts";
import { show } from "../../output/show.ts";
import { openSession, transacting } from "../../session.ts";
import { transact } from "../../transact/transact.ts";
import { requireSignature } from "../../typed-data.ts";
import { requireSame, settlementData, signaturesInWords } from "./shared.ts";

interface SendOptions extends NetworkOptions, WalletOptions, WriteOptions {}

/** `assay settle send`: anyone sends what both sides signed. */
export const sendCommand: CommandFactory = (io, finish) => {
  const command = new Command("send")
    .summary("divide the reward as both sides signed, as anyone")
    .description(
      "Sends a settlement that both sides have signed; the reward is divided and the agreement ends.",
    )
    .argument("<settlement>", "the settlement's file");
  addWrite(addWallet(addNetwork(command)));
  return command
    .addHelpText("after", "\nExamples:\n  assay settle send settlement.json --wallet anyone")
    .action(async (path: string, options: SendOptions) => {
      finish(EXIT.ok);
      const session = await openSession(options, io);
      const { network, node, wording } = session;
      const settlement = await openSettlement(path);
      const deal = await openDeal(settlement.agreementId, network, network.chainId);
      requireSame(settlement, deal, session);
      const { agreementId, sellerAmount, buyerSignature, sellerSignature } = settlement;
      if (buyerSignature === null || sellerSignature === null)
        throw new RefusedError(
          "signature_missing",
          `${path} is ${signaturesInWords(settlement)}`,
          "Both sides have to sign it: `assay settle sign`.",
        );
      const { terms } = deal;
      const typedData = settlementData(session, settlement);
      await requireSignature(terms.buyer, typedData, buyerSignature, node);
      await requireSignature(terms.seller, typedData, sellerSignature, node);
      const wallet = await walletOf(options, io, network);
      const [toSeller, toBuyer] = [sellerAmount, terms.reward - sellerAmount].map((amount) =>
        amountInWords(amount, wording),
      );
      const included = await transact(transacting(session, wallet, options), {
        action: "settle",
        subject: agreementId,
        title: `Settle agreement ${agreementId}`,
        money: `${toSeller ?? ""} goes to the seller, ${toBuyer ?? ""} back to the buyer.`,
        to: network.escrow,
        data: escrowCall("settle", terms, sellerAmount, buyerSignature, sellerSignature),
        sender: null,
      });
      if (included !== null)
        show(io, options.json, { ...included, agreementId, sellerAmount }, [
          ...includedLines(
            `Settled agreement ${agreementId}: ${toSeller ?? ""} to the seller, ${toBuyer ?? ""} to the buyer`,
            included,
          ),
        ]);
    });
};
