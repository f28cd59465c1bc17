import type { OperatorConfig } from "./config.ts";
import { readSettings, parseSettings, type Environment, type Source } from "./read.ts";
import { Endpoint, Secret } from "./secret.ts";
import { CONFIG_FILE_VARIABLE, SETTINGS, SETTING_NAMES, type Setting } from "./settings.ts";

/** The effective configuration as it may be shown: no secret, of every URL the origin only. */
export interface RedactedConfig {
  /** By name: the value and where it came from. Absent settings are left out. */
  readonly settings: Readonly<Record<string, { readonly value: string; readonly from: Source }>>;
  /** What follows from them. */
  readonly operator: {
    readonly attester: string;
    readonly submitter: string;
    readonly relayer: string;
    readonly threshold: number;
    readonly adjudicatorConfig: string;
  };
}

/**
 * The effective configuration with every secret and every URL's path left out.
 *
 * @param config what `loadConfig` made of the same environment and file.
 */
export function redactedConfig(config: OperatorConfig, env: Environment, file?: string): RedactedConfig {
  const given = readSettings(env, file);
  const { values } = parseSettings(given);
  const settings = SETTING_NAMES.flatMap((name) => {
    const found = given.get(name);
    return found === undefined
      ? []
      : [[name, { value: shown(values[name], found.text), from: found.from }] as const];
  });
  return {
    settings: Object.fromEntries(settings),
    operator: {
      attester: config.keys.attester.address,
      submitter: config.keys.submitter.address,
      relayer: config.keys.relayer.address,
      threshold: config.members.threshold,
      adjudicatorConfig: config.members.configHash,
    },
  };
}

function shown(value: unknown, text: string): string {
  if (value instanceof Endpoint) return value.origin;
  if (value instanceof Secret || (typeof value === "object" && value !== null && "privateKey" in value))
    return "[redacted]";
  if (Array.isArray(value) && value.some((item) => item instanceof Endpoint))
    return value.map((item: unknown) => (item instanceof Endpoint ? item.origin : String(item))).join(",");
  return text;
}

const NAME_WIDTH = 33;

/** Every setting with what it means and its default, for `--help`. */
export function settingsHelp(): string {
  const lines = SETTING_NAMES.map((name) => {
    const { help, required, fallback }: Setting<unknown> = SETTINGS[name];
    const note = required ? " (required)" : fallback === undefined || fallback === "" ? "" : ` [${fallback}]`;
    return `  ${name.padEnd(NAME_WIDTH)}${help}${note}`;
  });
  const file = `  ${CONFIG_FILE_VARIABLE.padEnd(NAME_WIDTH)}JSON file whose members are named like these variables; they win over it`;
  return [file, ...lines].join("\n");
}
