import { ConfigError } from "../config/errors.ts";
import { parseSettings, readSettings, type Environment } from "../config/read.ts";
import type { StoreLocation } from "./maintain.ts";

/**
 * Where an operator's store is, from its environment and configuration file. Nothing else of the configuration is looked
 * at: maintenance needs no keys.
 *
 * @param file path of the configuration file; `ASSAY_CONFIG` names one when it is left out.
 * @throws ConfigError when one of the two settings is wrong.
 */
export function storeLocation(env: Environment, file?: string): StoreLocation {
  const { values, problems } = parseSettings(readSettings(env, file));
  const own = problems.filter(({ variable }) => ["ASSAY_DATA_DIR", "ASSAY_DATABASE_URL"].includes(variable));
  if (own.length > 0) throw new ConfigError(own);
  return { dataDir: values.ASSAY_DATA_DIR ?? "", databaseUrl: values.ASSAY_DATABASE_URL ?? null };
}
