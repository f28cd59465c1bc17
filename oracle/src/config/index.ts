export { loadConfig, type OperatorConfig } from "./config.ts";
export { redactedConfig, settingsHelp, type RedactedConfig } from "./describe.ts";
export { ConfigError, type ConfigProblem } from "./errors.ts";
export { ROLES, type Role } from "./keys.ts";
export { type Environment } from "./read.ts";
export { Endpoint, Secret, withoutUrls } from "./secret.ts";
export { SETTING_NAMES, type SettingName } from "./settings.ts";
export { type Finality, type Key } from "./value-types.ts";
