import { Command } from "commander";
import { acceptanceTypedData } from "@assay/protocol";
import { AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION, type CommandFactory } from "../../command.ts";
import { openDeal } from "../../deal/open-deal.ts";
import { escrowCall, readState } from "../../escrow/contracts.ts";
import { EXIT } from "../../exit-codes.ts";
import { addNetwork, type NetworkOptions } from "../../options/network.ts";
import { addWallet, walletOf, type WalletOptions } from "../../options/wallet.ts";
import { addTypedData, addWrite, type TypedDataOptions, type WriteOptions } from "../../options/write.ts";
import { includedLines } from "../../output/included-lines.ts";
import { show } from "../../output/show.ts";
import { openSession, transacting } from "../../session.ts";
import { transact } from "../../transact/transact.ts";
import { printTypedData, requireSignature, signatureBy } from "../../typed-data.ts";

interface AcceptOptions extends NetworkOptions, WalletOptions, WriteOptions, TypedDataOptions {
  readonly signOnly?: boolean;
}

/** `assay agreement accept`: the seller consents. */
export const acceptCommand: CommandFactory = (io, finish) => {
  const command = new Command("accept")
    .summary("consent to an agreement, as its seller")
    .description(
      "The seller consents to an agreement: from then on the buyer can't cancel. Submitting is accepting too.\n" +
        "Look at it first with `assay agreement check`.",
    )
    .argument(AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION)
    .option("--sign-only", "print the consent's signature for the buyer to fund with; send nothing");
  addWrite(addTypedData(addWallet(addNetwork(command)), "the seller"));
  return command
    .addHelpText(
      "after",
      `
Examples:
  assay agreement accept deal.json --wallet seller
  assay agreement accept deal.json --wallet seller --sign-only    # before it is funded; the buyer hands it in
  assay agreement accept 0x… --typed-data                         # sign with a hardware wallet …
  assay agreement accept 0x… --signature 0x… --wallet anyone      # … and let anyone send it`,
    )
    .action(async (named: string, options: AcceptOptions) => {
      const session = await openSession(options, io);
      const { network, node } = session;
      const { agreementId, terms } = await openDeal(named, network, network.chainId);
      const typedData = acceptanceTypedData(agreementId, network.chainId, network.escrow);
      finish(EXIT.ok);
      if (options.typedData === true) {
        printTypedData(io, typedData, terms.seller);
        return;
      }
      const wallet = await walletOf(options, io, network);
      if (options.signOnly === true) {
        const signature = await signatureBy(terms.seller, typedData, { given: undefined, wallet, node });
        show(io, options.json, { agreementId, signer: terms.seller, signature }, [signature]);
        return;
      }
      if (options.signature !== undefined)
        await requireSignature(terms.seller, typedData, options.signature, node);
      const included = await transact(transacting(session, wallet, options), {
        action: "accept",
        subject: agreementId,
        title: `Accept agreement ${agreementId}`,
        money: null,
        to: network.escrow,
        data:
          options.signature === undefined
            ? escrowCall("accept", terms)
            : escrowCall("acceptWithSignature", terms, options.signature),
        sender: options.signature === undefined ? terms.seller : null,
        async done() {
          const { status } = await readState(node, network.escrow, agreementId);
          return status === "Accepted" ? "The agreement is accepted already." : null;
        },
      });
      if (included !== null)
        show(io, options.json, { ...included, agreementId }, [
          ...includedLines(`Accepted agreement ${agreementId}`, included),
        ]);
    });
};
