import { mkdir, open, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Wallet as EthersWallet, decryptKeystoreJson, encryptKeystoreJson } from "ethers";
import { ProtocolError, parseStrict, toAddress, type Address } from "@assay/protocol";
import { RefusedError, UsageError, UnavailableError } from "../errors.ts";
import { assayHome } from "../network/home.ts";

/** No keystore is larger; anything else under that name is no wallet. */
const MAX_BYTES = 64 * 1024;

/** A keystore (version 3) as it is on disk. */
export interface Keystore {
  readonly path: string;
  readonly address: Address;
  readonly json: string;
}

/** Where the wallet of that name is kept. */
export function walletPath(name: string, env: Readonly<Record<string, string | undefined>>): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name))
    throw new UsageError(
      `${JSON.stringify(name)} is no name for a wallet`,
      "Use 1 to 64 letters, digits, dots, underscores and hyphens.",
    );
  return join(assayHome(env), "wallets", `${name}.json`);
}

/**
 * Reads a keystore without its key.
 *
 * @throws UsageError when there is none, or it does not name its address.
 */
export async function readKeystore(path: string): Promise<Keystore> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw new UsageError(
      `there is no wallet at ${path}`,
      "Make one with `assay wallet new <name>`, or `assay wallet import <name>`; `assay wallet list` shows those there are.",
      { cause: error },
    );
  }
  const json = Buffer.from(bytes).toString("utf8");
  try {
    const { address, version } = parseStrict(bytes.length > MAX_BYTES ? new Uint8Array() : bytes) as Record<
      string,
      unknown
    >;
    if (version !== 3 || typeof address !== "string") throw notAKeystore(path);
    return { path, json, address: toAddress(`0x${address.replace(/^0x/, "").toLowerCase()}`) };
  } catch (error) {
    if (error instanceof ProtocolError) throw notAKeystore(path, { cause: error });
    throw error;
  }
}

/**
 * The private key inside.
 *
 * @throws RefusedError when the password is wrong, or the key is not that of the address on the outside.
 */
export async function decryptKeystore({ path, json, address }: Keystore, password: string): Promise<string> {
  let privateKey: string;
  try {
    ({ privateKey } = await decryptKeystoreJson(json, password));
  } catch (error) {
    throw new RefusedError("wrong_password", `the password does not open ${path}`, "Try again.", {
      cause: error,
    });
  }
  if (toAddress(new EthersWallet(privateKey).address) !== address)
    throw new RefusedError(
      "wallet_address_mismatch",
      `${path} holds the key of another address than the one it names`,
      "Somebody changed the file; restore it from your own copy.",
    );
  return privateKey;
}

/**
 * Keeps a key under a password, readable by its owner alone. Never replaces a wallet.
 *
 * @throws UsageError when there is one already.
 */
export async function writeKeystore(path: string, privateKey: string, password: string): Promise<Address> {
  const address = toAddress(new EthersWallet(privateKey).address);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const json = await encryptKeystoreJson({ address, privateKey }, password);
  try {
    const file = await open(path, "wx", 0o600);
    try {
      await file.writeFile(`${json}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST")
      throw new UsageError(
        `${path} exists already`,
        "Choose another name. Nothing replaces a wallet: without its file the key is gone.",
      );
    throw new UnavailableError(`${path} can't be written`, "Check the folder and its permissions.", {
      cause: error,
    });
  }
  return address;
}

function notAKeystore(path: string, options?: ErrorOptions): UsageError {
  return new UsageError(
    `${path} is no keystore of version 3`,
    "Give a file that `assay wallet new`, geth or another wallet wrote.",
    options,
  );
}
