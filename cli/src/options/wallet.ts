import { Option, type Command } from "commander";
import type { Address } from "@assay/protocol";
import { UsageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { developmentWallet } from "../wallet/development.ts";
import { keySigner } from "../wallet/key-signer.ts";
import { decryptKeystore, readKeystore, walletPath } from "../wallet/keystore.ts";
import { readPassword } from "../wallet/password.ts";
import type { Wallet } from "../wallet/signer.ts";
import type { Network } from "./network.ts";

/** What {@link addWallet} adds to a command. */
export interface WalletOptions {
  readonly wallet?: string;
  readonly passwordFile?: string;
  readonly allowEnvKey?: boolean;
}

/** The variable that may hold a private key, when it is allowed to. */
export const KEY_VARIABLE = "ASSAY_PRIVATE_KEY";

/** The option that names a file with a password. */
export function passwordFileOption(): Option {
  return new Option("--password-file <file>", "file whose first line is the wallet's password").env(
    "ASSAY_PASSWORD_FILE",
  );
}

/** The option without which no key is read from the environment. */
export function allowEnvKeyOption(): Option {
  // Without .env(): commander would take any value, also 0, for a yes.
  return new Option(
    "--allow-env-key",
    `take the private key from ${KEY_VARIABLE} (env: ASSAY_ALLOW_ENV_KEY=1)`,
  );
}

/** Adds the options that say whose account acts. */
export function addWallet(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--wallet <name>",
        "a wallet of `assay wallet`, a keystore file, or a development account of the localnet",
      ).env("ASSAY_WALLET"),
    )
    .addOption(passwordFileOption())
    .addOption(allowEnvKeyOption());
}

/**
 * The wallet that options name, or null when none is named.
 *
 * @throws UsageError when it can't be found, or a key in the environment was not allowed.
 */
export async function walletOf(
  options: WalletOptions,
  io: Io,
  network: Pick<Network, "developmentAccounts" | "chainId"> | null,
): Promise<Wallet | null> {
  if (options.wallet !== undefined) return namedWallet(options.wallet, options, io, network);
  const key = io.env[KEY_VARIABLE];
  if (key === undefined) return null;
  if (options.allowEnvKey !== true && io.env["ASSAY_ALLOW_ENV_KEY"] !== "1")
    throw new UsageError(
      `${KEY_VARIABLE} is set, but keys in the environment are not used without being allowed`,
      "Add --allow-env-key or set ASSAY_ALLOW_ENV_KEY=1; safer is a keystore: `assay wallet import <name>`.",
    );
  const signer = keySigner(readKeyVariable(key));
  return { name: KEY_VARIABLE, address: signer.address, unlock: () => Promise.resolve(signer) };
}

/** Likewise, for commands that need one. */
export async function requireWallet(
  options: WalletOptions,
  io: Io,
  network: Pick<Network, "developmentAccounts" | "chainId"> | null,
): Promise<Wallet> {
  const wallet = await walletOf(options, io, network);
  if (wallet !== null) return wallet;
  const names = Object.keys(network?.developmentAccounts ?? {});
  throw new UsageError(
    "no wallet was given",
    names.length > 0
      ? `Name one with --wallet or ASSAY_WALLET; on this network ${names.join(", ")} are ready to use.`
      : "Name one with --wallet or ASSAY_WALLET; `assay wallet new <name>` makes one.",
  );
}

/** Checks the text of a private key. The value stays out of every message. */
export function readKeyVariable(text: string): string {
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return text;
  throw new UsageError(
    `${KEY_VARIABLE} holds no private key`,
    "Put 0x and 64 hexadecimal digits into that environment variable.",
  );
}

/** The address of a wallet or of somebody who is named by address. */
export async function accountNamed(
  text: string,
  io: Io,
  network: Pick<Network, "developmentAccounts" | "chainId"> | null,
  parse: (text: string) => Address,
): Promise<Address> {
  if (/^0x/i.test(text)) return parse(text);
  return (await namedWallet(text, {}, io, network)).address;
}

async function namedWallet(
  name: string,
  options: WalletOptions,
  io: Io,
  network: Pick<Network, "developmentAccounts" | "chainId"> | null,
): Promise<Wallet> {
  const index = network?.developmentAccounts[name];
  const development =
    index === undefined || network?.chainId == null ? null : developmentWallet(name, index, network.chainId);
  if (development !== null) return development;
  const path = /[/\\]|\.json$/.test(name) ? name : walletPath(name, io.env);
  const keystore = await readKeystore(path);
  let unlocked: Promise<ReturnType<typeof keySigner>> | undefined;
  return {
    name,
    address: keystore.address,
    unlock: () =>
      (unlocked ??= readPassword(io, options.passwordFile, `Password of wallet ${name}: `)
        .then((password) => decryptKeystore(keystore, password))
        .then(keySigner)),
  };
}
