import { Command, Option } from "commander";
import { amountInWords, type Address } from "@assay/protocol";
import type { CommandFactory } from "../command.ts";
import { readCredit, withdrawCall } from "../escrow/contracts.ts";
import { EXIT } from "../exit-codes.ts";
import { addNetwork, type NetworkOptions } from "../options/network.ts";
import { addressValue } from "../options/values.ts";
import { addWallet, requireWallet, type WalletOptions } from "../options/wallet.ts";
import { addWrite, type WriteOptions } from "../options/write.ts";
import { includedLines } from "../output/included-lines.ts";
import { show } from "../output/show.ts";
import { openSession, transacting } from "../session.ts";
import { transact } from "../transact/transact.ts";

interface WithdrawOptions extends NetworkOptions, WalletOptions, WriteOptions {
  readonly to?: Address;
}

/** `assay withdraw`: fetches what the token refused to pay out. */
export const withdrawCommand: CommandFactory = (io, finish) => {
  const command = new Command("withdraw")
    .summary("fetch a payout that the token had refused")
    .description(
      "Payouts arrive by themselves. When the token refuses one (a blocked account, a stopped token), it becomes a\n" +
        "credit; this sends all credits of the wallet's account to an address of your choice.",
    )
    .addOption(
      new Option("--to <address>", "who receives it (default: the wallet's account)").argParser(addressValue),
    );
  addWrite(addWallet(addNetwork(command)));
  return command
    .addHelpText("after", "\nExamples:\n  assay withdraw --wallet seller --to 0x…")
    .action(async (options: WithdrawOptions) => {
      const session = await openSession(options, io);
      const { network, node, wording } = session;
      const wallet = await requireWallet(options, io, network);
      const to = options.to ?? wallet.address;
      const credit = await readCredit(node, network.escrow, wallet.address);
      const amount = amountInWords(credit, wording);
      const included = await transact(transacting(session, wallet, options), {
        action: "withdraw",
        subject: wallet.address,
        title: `Withdraw the credit of ${wallet.address}`,
        money: `${amount} goes to ${to}.`,
        to: network.escrow,
        data: withdrawCall(to),
        sender: wallet.address,
      });
      if (included !== null)
        show(io, options.json, { ...included, creditor: wallet.address, to, amount: credit }, [
          ...includedLines(`Withdrew ${amount} to ${to}`, included),
        ]);
      finish(EXIT.ok);
    });
};
