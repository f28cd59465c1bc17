import { readFileSync } from "node:fs";
import { Wallet, isKeystoreJson } from "ethers";
import { SettingsError } from "./settings.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The account that signs terminals, from a keystore or, where that is allowed, from the environment.
 *
 * @throws SettingsError
 */
export function readKey(environment: Environment): Wallet {
  const keystore = environment["RECORDER_KEYSTORE"];
  const raw = environment["RECORDER_KEY"];
  if (keystore !== undefined && raw !== undefined)
    throw wrong("RECORDER_KEY is given beside RECORDER_KEYSTORE");
  if (raw !== undefined) return rawKey(raw, environment["RECORDER_ALLOW_ENV_KEYS"] === "1");
  if (keystore === undefined) throw wrong("RECORDER_KEYSTORE is required: a keystore of version 3");
  const passwordFile = environment["RECORDER_PASSWORD_FILE"];
  if (passwordFile === undefined) throw wrong("RECORDER_PASSWORD_FILE is required with RECORDER_KEYSTORE");
  const json = read(keystore, "RECORDER_KEYSTORE");
  if (!isKeystoreJson(json))
    throw wrong(`RECORDER_KEYSTORE names ${keystore}, which is no keystore of version 3`);
  // Editors end a file with a line end that is no part of the password.
  const password = read(passwordFile, "RECORDER_PASSWORD_FILE").replace(/\r?\n$/, "");
  try {
    return Wallet.fromEncryptedJsonSync(json, password) as Wallet;
  } catch {
    throw wrong("RECORDER_KEYSTORE can't be opened with the password in RECORDER_PASSWORD_FILE");
  }
}

function rawKey(raw: string, isAllowed: boolean): Wallet {
  if (!isAllowed) {
    throw wrong(
      "RECORDER_KEY is a key in the environment, which RECORDER_ALLOW_ENV_KEYS=1 allows on development chains; use RECORDER_KEYSTORE",
    );
  }
  try {
    return new Wallet(raw);
  } catch {
    // Never the value itself: it would end up in a log.
    throw wrong("RECORDER_KEY is no private key: write 0x and 64 hexadecimal digits");
  }
}

function read(path: string, name: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw wrong(`${name} names ${path}, which can't be read`);
  }
}

function wrong(problem: string): SettingsError {
  return new SettingsError([problem]);
}
