export { loadConfig, type Finality, type Key, type OperatorConfig } from "./config.ts";
export { ConfigError, type ConfigProblem } from "./errors.ts";
export { Endpoint, Secret, withoutUrls } from "./secret.ts";
