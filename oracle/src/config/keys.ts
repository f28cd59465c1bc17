import { readFileSync } from "node:fs";
import { decryptKeystoreJsonSync, isKeystoreJson } from "ethers";
import type { Address, Hex } from "@assay/protocol";
import type { Key } from "./value-types.ts";
import type { ConfigProblem } from "./errors.ts";
import { Secret } from "./secret.ts";
import type { Values } from "./settings.ts";

/** What the three keys are for; each needs one of its own. */
export const ROLES = ["attester", "submitter", "relayer"] as const;
export type Role = (typeof ROLES)[number];

type Prefix = "ASSAY_ATTESTER" | "ASSAY_SUBMITTER" | "ASSAY_RELAYER";
const PREFIX: Readonly<Record<Role, Prefix>> = {
  attester: "ASSAY_ATTESTER",
  submitter: "ASSAY_SUBMITTER",
  relayer: "ASSAY_RELAYER",
};

/** The setting that a problem with a role's key is reported under. */
export function keySetting(role: Role): `${Prefix}_KEYSTORE` {
  return `${PREFIX[role]}_KEYSTORE`;
}

/**
 * The key of every role, from its keystore or, when that is allowed, from the environment. Opening a keystore takes
 * about a second each: that is what protects it.
 *
 * @param refused problems known already; a role whose raw key is among them is left at that.
 * @returns the keys that could be had, and what is wrong with the others.
 */
export function loadKeys(
  values: Partial<Values>,
  refused: readonly ConfigProblem[],
): {
  readonly keys: Readonly<Partial<Record<Role, Key>>>;
  readonly problems: readonly ConfigProblem[];
} {
  const keys: Partial<Record<Role, Key>> = {};
  const problems: ConfigProblem[] = [];
  for (const role of ROLES) {
    if (refused.some(({ variable }) => variable === `${PREFIX[role]}_KEY`)) continue;
    const found = loadKey(role, values);
    if ("privateKey" in found) keys[role] = found;
    else problems.push(found);
  }
  return { keys, problems: [...problems, ...sharedKeys(keys)] };
}

function loadKey(role: Role, values: Partial<Values>): Key | ConfigProblem {
  const prefix = PREFIX[role];
  const keystore = values[`${prefix}_KEYSTORE`];
  const raw = values[`${prefix}_KEY`];
  const problem = (message: string, variable: string = keySetting(role)): ConfigProblem => ({
    variable,
    message,
  });
  if (keystore !== undefined && raw !== undefined)
    return problem(`is given beside ${prefix}_KEYSTORE; give one of the two`, `${prefix}_KEY`);
  if (raw !== undefined)
    return values.ASSAY_ALLOW_ENV_KEYS === true
      ? raw
      : problem(
          `is a key in the environment, which ASSAY_ALLOW_ENV_KEYS=1 allows on development chains; use ${prefix}_KEYSTORE`,
          `${prefix}_KEY`,
        );
  if (keystore === undefined) return problem("is required");
  const passwordFile = values[`${prefix}_PASSWORD_FILE`] ?? values.ASSAY_PASSWORD_FILE;
  if (passwordFile === undefined)
    return problem(`is required with ${prefix}_KEYSTORE`, `${prefix}_PASSWORD_FILE`);
  const json = readText(keystore);
  if (typeof json !== "string") return problem(json.message);
  const password = readText(passwordFile);
  if (typeof password !== "string") return problem(password.message, `${prefix}_PASSWORD_FILE`);
  if (!isKeystoreJson(json)) return problem(`names ${keystore}, which is no keystore of version 3`);
  try {
    // Editors end a file with a line end that is no part of the password.
    const account = decryptKeystoreJsonSync(json, password.replace(/\r?\n$/, ""));
    return { address: account.address as Address, privateKey: new Secret(account.privateKey as Hex) };
  } catch {
    return problem(`names ${keystore}, which the password in ${passwordFile} does not open`);
  }
}

function readText(path: string): string | { readonly message: string } {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    return { message: `names ${path}, which can't be read (${code})` };
  }
}

/** A gas key is exposed to every transaction that it sends; the attester's key must not be worth stealing with it. */
function sharedKeys(keys: Readonly<Partial<Record<Role, Key>>>): readonly ConfigProblem[] {
  return ROLES.flatMap((role, index) => {
    const other = ROLES.slice(0, index).find(
      (earlier) => keys[role] !== undefined && keys[earlier]?.address === keys[role].address,
    );
    return other === undefined
      ? []
      : [
          {
            variable: keySetting(role),
            message: `is the same key as the ${other}'s; every role needs its own`,
          },
        ];
  });
}
