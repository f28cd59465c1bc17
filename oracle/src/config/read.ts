import { readFileSync } from "node:fs";
import { z } from "zod";
import { ConfigError, type ConfigProblem } from "./errors.ts";
import {
  CONFIG_FILE_VARIABLE,
  SETTINGS,
  SETTING_NAMES,
  isSettingName,
  type SettingName,
  type Values,
} from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a setting's value came from. */
export type Source = "environment" | "file" | "default";

/** The text of a setting, before it is parsed. */
export interface Given {
  readonly text: string;
  readonly from: Source;
}

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const fileSchema = z.record(z.string(), z.union([scalar, z.array(scalar)]));

/** Settings that may not stand in the configuration file: it is no place for a key. */
const NOT_IN_FILE: readonly SettingName[] = [
  "ASSAY_ATTESTER_KEY",
  "ASSAY_SUBMITTER_KEY",
  "ASSAY_RELAYER_KEY",
];

/**
 * Every setting that is given or has a default. The environment wins over the file; an empty value is an absent one.
 *
 * @param file path of the configuration file; `ASSAY_CONFIG` names one when it is left out.
 * @throws ConfigError when the file can't be read or holds something that is no setting.
 */
export function readSettings(
  env: Environment,
  file: string | undefined = env[CONFIG_FILE_VARIABLE],
): ReadonlyMap<SettingName, Given> {
  const fromFile = file === undefined || file === "" ? new Map<SettingName, string>() : readFile(file);
  const given = new Map<SettingName, Given>();
  for (const name of SETTING_NAMES) {
    const fallback = SETTINGS[name] as { readonly fallback?: string };
    const environment = env[name]?.trim() ?? "";
    const inFile = fromFile.get(name) ?? "";
    if (environment !== "") given.set(name, { text: environment, from: "environment" });
    else if (inFile !== "") given.set(name, { text: inFile, from: "file" });
    else if (fallback.fallback !== undefined) given.set(name, { text: fallback.fallback, from: "default" });
  }
  return given;
}

/** A JSON object whose members are named like the environment variables; lists may be arrays. */
function readFile(path: string): ReadonlyMap<SettingName, string> {
  const refuse = (message: string, variable = CONFIG_FILE_VARIABLE) =>
    new ConfigError([{ variable, message }]);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    // A parser's message quotes the text, which may hold a secret.
    if (error instanceof SyntaxError) throw refuse(`names ${path}, which is no JSON`);
    throw refuse(
      `names ${path}, which can't be read (${(error as NodeJS.ErrnoException).code ?? "unknown"})`,
    );
  }
  const parsed = fileSchema.safeParse(content);
  if (!parsed.success)
    throw refuse(
      `names ${path}, which must be one JSON object of strings, numbers, booleans and lists of them`,
    );
  const problems: ConfigProblem[] = [];
  const values = new Map<SettingName, string>();
  for (const [name, value] of Object.entries(parsed.data)) {
    if (!isSettingName(name))
      problems.push({ variable: name, message: `in ${path} is no setting; --help lists them all` });
    else if (NOT_IN_FILE.includes(name))
      problems.push({ variable: name, message: `in ${path} is a key in plain text; use a keystore` });
    else values.set(name, textOf(value));
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return values;
}

function textOf(value: z.infer<typeof fileSchema>[string]): string {
  if (Array.isArray(value)) return value.map(textOf).join(",");
  if (typeof value === "boolean") return value ? "1" : "0";
  return String(value).trim();
}

/**
 * Parses every setting.
 *
 * @returns what could be parsed, and everything that is missing or wrong. Values are never quoted.
 */
export function parseSettings(given: ReadonlyMap<SettingName, Given>): {
  readonly values: Partial<Values>;
  readonly problems: readonly ConfigProblem[];
} {
  const values: Record<string, unknown> = {};
  const problems: ConfigProblem[] = [];
  for (const name of SETTING_NAMES) {
    const found = given.get(name);
    if (found === undefined) {
      if (SETTINGS[name].required) problems.push({ variable: name, message: "is required" });
      continue;
    }
    const result = SETTINGS[name].parse.safeParse(found.text);
    if (result.success) values[name] = result.data;
    else problems.push({ variable: name, message: result.error.issues[0]?.message ?? "is not valid" });
  }
  return { values: values, problems };
}
