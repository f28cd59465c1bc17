import { Command } from "commander";
import type { CommandFactory } from "../../command.ts";
import { EXIT } from "../../exit-codes.ts";
import { networkOption, profileOf, type NetworkOptions } from "../../options/network.ts";
import { requireWallet } from "../../options/wallet.ts";
import { addJson } from "../../options/write.ts";
import { show } from "../../output/show.ts";

interface AddressOptions extends Pick<NetworkOptions, "network"> {
  readonly json?: boolean;
}

/** `assay wallet address`: a wallet's account. */
export const walletAddressCommand: CommandFactory = (io, finish) =>
  addJson(
    new Command("address")
      .summary("print a wallet's address")
      .description("Prints the account of a wallet. No password is needed.")
      .argument("<name>", "name of the wallet, a keystore file, or a development account of the localnet")
      .addOption(networkOption()),
  )
    .addHelpText(
      "after",
      "\nExamples:\n  assay wallet address me\n  assay wallet address buyer --network localnet",
    )
    .action(async (name: string, options: AddressOptions) => {
      const profile = profileOf(options);
      const network =
        profile === null
          ? null
          : { developmentAccounts: profile.developmentAccounts ?? {}, chainId: profile.evm.chainId };
      const { address } = await requireWallet({ wallet: name }, io, network);
      show(io, options.json, { name, address }, [address]);
      finish(EXIT.ok);
    });
