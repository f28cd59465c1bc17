import { Command, Option } from "commander";
import { amountInWords, writeSettlement } from "@assay/protocol";
import { AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION, type CommandFactory } from "../../command.ts";
import { writeNewFile } from "../../deal/deal-file.ts";
import { openDeal } from "../../deal/open-deal.ts";
import { amountOf } from "../../draft/amount.ts";
import { UsageError } from "../../errors.ts";
import { EXIT } from "../../exit-codes.ts";
import { addNetwork, type NetworkOptions } from "../../options/network.ts";
import { addWallet, walletOf, type WalletOptions } from "../../options/wallet.ts";
import { addJson, addTypedData, type TypedDataOptions } from "../../options/write.ts";
import { show } from "../../output/show.ts";
import { openSession } from "../../session.ts";
import { printTypedData } from "../../typed-data.ts";
import { settlementData, signedBy } from "./shared.ts";

interface ProposeOptions extends NetworkOptions, WalletOptions, TypedDataOptions {
  readonly sellerGets: string;
  readonly as?: "buyer" | "seller";
  readonly out?: string;
  readonly json?: boolean;
}

/** `assay settle propose`: one side signs a split. */
export const proposeCommand: CommandFactory = (io, finish) => {
  const command = new Command("propose")
    .summary("sign a split and write it to a file for the other side")
    .description(
      "One side signs how the reward is to be divided. The signature counts until the agreement ends: whoever holds\n" +
        "both signatures can send them. Nothing is sent.",
    )
    .argument(AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION)
    .requiredOption("--seller-gets <amount>", "the seller's part; the buyer gets the rest")
    .addOption(asOption())
    .option("--out <file>", "where to write it (default: settlement-<start of the id>.json)");
  addJson(addTypedData(addWallet(addNetwork(command)), "the side named with --as"));
  return command
    .addHelpText("after", "\nExamples:\n  assay settle propose 0x… --seller-gets 10 --wallet buyer")
    .action(async (named: string, options: ProposeOptions) => {
      const session = await openSession(options, io);
      const { network, token, wording } = session;
      const deal = await openDeal(named, network, network.chainId);
      const { agreementId, terms } = deal;
      const sellerAmount = amountOf(options.sellerGets, "the seller's part", token);
      if (sellerAmount > terms.reward)
        throw new UsageError(
          `the seller would get ${amountInWords(sellerAmount, wording)} of ${amountInWords(terms.reward, wording)}`,
          "Give the seller at most the reward.",
        );
      const { chainId, escrow } = network;
      const bare = {
        agreementId,
        chainId,
        escrow,
        sellerAmount,
        buyerSignature: null,
        sellerSignature: null,
      };
      finish(EXIT.ok);
      if (options.typedData === true) {
        printTypedData(io, settlementData(session, bare), terms[options.as ?? "buyer"]);
        return;
      }
      const wallet = await walletOf(options, io, network);
      const settlement = await signedBy(session, deal, bare, {
        wallet,
        given: options.signature,
        as: options.as,
      });
      const out = options.out ?? `settlement-${agreementId.slice(2, 10)}.json`;
      await writeNewFile(out, writeSettlement(settlement));
      show(io, options.json, { ...settlement, file: out }, [
        `The seller gets ${amountInWords(sellerAmount, wording)}, the buyer ${amountInWords(terms.reward - sellerAmount, wording)}.`,
        `Written to ${out}; the other side signs it with \`assay settle sign ${out}\`.`,
      ]);
    });
};

/** Whose signature it is, when it is not told by the wallet. */
export function asOption(): Option {
  return new Option("--as <side>", "with --typed-data and --signature: whose signature it is").choices([
    "buyer",
    "seller",
  ]);
}
