import { pino, type Logger } from "pino";
import { withoutUrls, type OperatorConfig } from "../config/index.ts";

export type { Logger };

const STDERR = 2;

/**
 * One JSON line per event, on standard error; standard output belongs to the process's protocol with its caller.
 *
 * @param destination for tests: where the lines go instead.
 */
export function createLogger(
  level: OperatorConfig["logLevel"],
  destination: { write(line: string): void } = pino.destination({ dest: STDERR, sync: true }),
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: ["*.privateKey", "privateKey", "*.raw", "raw", "*.url", "url"], censor: "[redacted]" },
      serializers: { error: describeError },
    },
    destination,
  );
}

/** An error as it may be logged or shown: names, messages and codes of the whole chain, no URLs, no payloads. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: withoutUrls(String(error)) };
  const code = "code" in error ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { name: error.name, message: withoutUrls(error.message), ...code, ...cause };
}

/** The one-line form of `describeError`, for places that keep text. */
export function errorText(error: unknown): string {
  const { name, message } = describeError(error);
  return typeof name === "string" && name !== "Error" ? `${name}: ${String(message)}` : String(message);
}
