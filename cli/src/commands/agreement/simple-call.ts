import { Command } from "commander";
import { amountInWords, isSameAddress, type Address, type Terms } from "@assay/protocol";
import { AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION, type CommandFactory } from "../../command.ts";
import { openDeal } from "../../deal/open-deal.ts";
import { escrowCall } from "../../escrow/contracts.ts";
import { EXIT } from "../../exit-codes.ts";
import { addNetwork, type NetworkOptions } from "../../options/network.ts";
import { addWallet, walletOf, type WalletOptions } from "../../options/wallet.ts";
import { addWrite, type WriteOptions } from "../../options/write.ts";
import { includedLines } from "../../output/included-lines.ts";
import { show } from "../../output/show.ts";
import { openSession, transacting } from "../../session.ts";
import { transact } from "../../transact/transact.ts";

interface CallOptions extends NetworkOptions, WalletOptions, WriteOptions {}

/** A function of the escrow that takes nothing but the terms. */
export interface SimpleCall {
  readonly action: "cancel" | "concede" | "expire";
  readonly summary: string;
  readonly description: string;
  readonly examples: string;
  /** What was done, as in `Cancelled agreement 0x…`. */
  readonly done: string;
  /** Who may call it, given who wants to; null when anyone may. */
  sender(terms: Terms, caller: Address | undefined): Address | null;
  /** What becomes of the reward, given who calls. */
  money(terms: Terms, reward: string, caller: Address | undefined): string;
}

/** Makes the command of such a function. */
export function simpleCallCommand(call: SimpleCall): CommandFactory {
  return (io, finish) => {
    const command = new Command(call.action)
      .summary(call.summary)
      .description(call.description)
      .argument(AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION);
    addWrite(addWallet(addNetwork(command)));
    return command
      .addHelpText("after", `\nExamples:\n${call.examples}`)
      .action(async (named: string, options: CallOptions) => {
        const session = await openSession(options, io);
        const { network, wording } = session;
        const { agreementId, terms } = await openDeal(named, network, network.chainId);
        const wallet = await walletOf(options, io, network);
        const included = await transact(transacting(session, wallet, options), {
          action: call.action,
          subject: agreementId,
          title: `${capitalised(call.action)} agreement ${agreementId}`,
          money: call.money(terms, amountInWords(terms.reward, wording), wallet?.address),
          to: network.escrow,
          data: escrowCall(call.action, terms),
          sender: call.sender(terms, wallet?.address),
        });
        if (included !== null)
          show(io, options.json, { ...included, agreementId }, [
            ...includedLines(`${call.done} agreement ${agreementId}`, included),
          ]);
        finish(EXIT.ok);
      });
  };
}

/** The party that an account is, or null. */
export function partyOf(terms: Terms, account: Address | undefined): "buyer" | "seller" | null {
  if (account === undefined) return null;
  if (isSameAddress(terms.buyer, account)) return "buyer";
  return isSameAddress(terms.seller, account) ? "seller" : null;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
