import { Command } from "commander";
import { Wallet } from "ethers";
import type { CommandFactory } from "../../command.ts";
import { EXIT } from "../../exit-codes.ts";
import { passwordFileOption } from "../../options/wallet.ts";
import { addJson } from "../../options/write.ts";
import { show } from "../../output/show.ts";
import { walletPath, writeKeystore } from "../../wallet/keystore.ts";
import { readNewPassword } from "../../wallet/password.ts";

interface NewOptions {
  readonly passwordFile?: string;
  readonly json?: boolean;
}

/** `assay wallet new`: a new key under a password. */
export const walletNewCommand: CommandFactory = (io, finish) =>
  addJson(
    new Command("new")
      .summary("make a wallet with a new key")
      .description(
        "Makes a new key and keeps it under a password, as a keystore (version 3) that other wallets read too. There is\n" +
          "no other copy: back the file up, and remember the password.",
      )
      .argument("<name>", "name of the wallet")
      .addOption(passwordFileOption()),
  )
    .addHelpText(
      "after",
      "\nExamples:\n  assay wallet new me\n  assay wallet new agent --password-file agent.password",
    )
    .action(async (name: string, options: NewOptions) => {
      const path = walletPath(name, io.env);
      const password = await readNewPassword(io, options.passwordFile);
      const address = await writeKeystore(path, Wallet.createRandom().privateKey, password);
      show(io, options.json, { name, address, path }, [address]);
      io.diagnose(`Written to ${path}; back it up.`);
      finish(EXIT.ok);
    });
