import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { ProtocolError, parseProfile, type Profile } from "@assay/protocol";
import { UsageError } from "../errors.ts";
import { assayHome } from "./home.ts";

/**
 * Reads the profile of that name: a path to a file, or a name that is looked up as `.assay/<name>.json` in this folder
 * and those above it, then as `networks/<name>.json` in Assay's own folder.
 *
 * @throws UsageError when there is none, or it is malformed.
 */
export function readProfile(
  name: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Profile {
  const path = findProfile(name, env);
  try {
    return parseProfile(readFileSync(path));
  } catch (error) {
    if (error instanceof ProtocolError) throw malformed(path, error.message, { cause: error });
    throw error;
  }
}

function findProfile(name: string, env: Readonly<Record<string, string | undefined>>): string {
  if (isAbsolute(name) || name.includes("/") || name.endsWith(".json")) {
    if (statSync(name, { throwIfNoEntry: false })?.isFile() === true) return name;
    throw missing(name, "there is no such file");
  }
  const places = [...foldersAbove(process.cwd()).map((folder) => join(folder, ".assay", `${name}.json`))];
  places.push(join(assayHome(env), "networks", `${name}.json`));
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw missing(
    name,
    `neither ${places[0] ?? ""}, or one in a folder above, nor ${places.at(-1) ?? ""} exists`,
  );
}

function foldersAbove(folder: string): string[] {
  const parent = dirname(resolve(folder));
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}

function missing(name: string, why: string): UsageError {
  return new UsageError(
    `the network ${JSON.stringify(name)} is not known: ${why}`,
    name === "localnet"
      ? "`npm start` writes that file while it runs; start it in the clone, and run assay in the same folder."
      : "Give a profile's path or name with --network; docs/cli.md says what is in one.",
  );
}

function malformed(path: string, what: string, options?: ErrorOptions): UsageError {
  return new UsageError(
    `${path} is no network profile: ${what}`,
    "docs/cli.md says what is in one.",
    options,
  );
}
