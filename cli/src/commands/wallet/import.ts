import { Command } from "commander";
import type { CommandFactory } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { EXIT } from "../../exit-codes.ts";
import type { Io } from "../../io.ts";
import {
  KEY_VARIABLE,
  allowEnvKeyOption,
  passwordFileOption,
  readKeyVariable,
} from "../../options/wallet.ts";
import { addJson } from "../../options/write.ts";
import { show } from "../../output/show.ts";
import { decryptKeystore, readKeystore, walletPath, writeKeystore } from "../../wallet/keystore.ts";
import { readNewPassword, readPassword } from "../../wallet/password.ts";

interface ImportOptions {
  readonly keystore?: string;
  readonly passwordFile?: string;
  readonly allowEnvKey?: boolean;
  readonly json?: boolean;
}

/** `assay wallet import`: an existing key under a password. */
export const walletImportCommand: CommandFactory = (io, finish) =>
  addJson(
    new Command("import")
      .summary("keep an existing key as a wallet")
      .description(
        "Takes a key that is typed, one from another keystore (--keystore), or, when that is allowed, the one in\n" +
          `${KEY_VARIABLE}, and keeps it under a password. Keys are never taken from the command line, which others see.`,
      )
      .argument("<name>", "name of the wallet")
      .option("--keystore <file>", "take the key from that keystore; its password stays")
      .addOption(passwordFileOption())
      .addOption(allowEnvKeyOption()),
  )
    .addHelpText(
      "after",
      "\nExamples:\n  assay wallet import me                            # asks for the key\n" +
        "  assay wallet import me --keystore UTC--2026-…     # from geth",
    )
    .action(async (name: string, options: ImportOptions) => {
      const path = walletPath(name, io.env);
      const { privateKey, password } = await keyAndPassword(io, options);
      const address = await writeKeystore(path, privateKey, password);
      show(io, options.json, { name, address, path }, [address]);
      io.diagnose(`Written to ${path}`);
      finish(EXIT.ok);
    });

async function keyAndPassword(
  io: Io,
  options: ImportOptions,
): Promise<{ privateKey: string; password: string }> {
  if (options.keystore !== undefined) {
    const keystore = await readKeystore(options.keystore);
    const password = await readPassword(io, options.passwordFile, `Password of ${options.keystore}: `);
    return { privateKey: await decryptKeystore(keystore, password), password };
  }
  const privateKey = await bareKey(io, options);
  return { privateKey, password: await readNewPassword(io, options.passwordFile) };
}

async function bareKey(io: Io, { allowEnvKey }: ImportOptions): Promise<string> {
  const key = io.env[KEY_VARIABLE];
  if (key !== undefined) {
    if (allowEnvKey === true || io.env["ASSAY_ALLOW_ENV_KEY"] === "1") return readKeyVariable(key);
    throw new UsageError(
      `${KEY_VARIABLE} is set, but keys in the environment are not used without being allowed`,
      "Add --allow-env-key, or unset it to be asked.",
    );
  }
  if (io.terminal === undefined)
    throw new UsageError(
      "nobody is here to type the key",
      `Use --keystore, or ${KEY_VARIABLE} with --allow-env-key.`,
    );
  const typed = (await io.terminal.askSecret("Private key, 0x and 64 hexadecimal digits: ")).trim();
  if (/^0x[0-9a-fA-F]{64}$/.test(typed)) return typed;
  throw new UsageError("that is no private key", "It is 0x and 64 hexadecimal digits. Nothing was written.");
}
