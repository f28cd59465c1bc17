#!/usr/bin/env node
import { format } from "node:util";
import { ConfigError, loadConfig, withoutUrls } from "../config/index.ts";
import { ListenError } from "../http/index.ts";
import { createLogger, errorText, type Logger } from "../observe/index.ts";
import { startOperator, type Operator } from "../operator.ts";
import { ChainIdentityError } from "../rpc/index.ts";
import { StoreLockedError, StoreVersionError } from "../store/index.ts";

/** The user has to change something. */
const EXIT_MISTAKE = 1;
/** Nothing is wrong with the set-up: start me again. */
const EXIT_RESTART = 75;
/** Milliseconds that draining may take. */
const DRAIN_MILLISECONDS = 25_000;

/** Errors that starting again can't heal. */
const MISTAKES = [ConfigError, ChainIdentityError, ListenError, StoreLockedError, StoreVersionError];

function exitCodeOf(error: unknown): number {
  return MISTAKES.some((kind) => error instanceof kind) ? EXIT_MISTAKE : EXIT_RESTART;
}

/** Libraries print to the console; their lines belong into the log, and never to standard output. */
function quietConsole(logger: Logger): void {
  const line =
    (level: "debug" | "warn") =>
    (...values: unknown[]) => {
      logger[level]({ source: "console" }, withoutUrls(format(...values)).slice(0, 1_000));
    };
  console.log = line("debug");
  console.info = line("debug");
  console.debug = line("debug");
  console.warn = line("debug");
  console.error = line("debug");
}

async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const logger = createLogger(config.logLevel);
  quietConsole(logger);
  const operator = await startOperator(config, { logger });
  process.stdout.write(`${JSON.stringify({ event: "listening", url: operator.url })}\n`);
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => {
      logger.info({ signal }, "Draining");
      void leave(operator, 0);
    });
  operator.failed.catch((error: unknown) => {
    process.exitCode = exitCodeOf(error);
    void leave(operator, exitCodeOf(error));
  });
}

async function leave(operator: Operator, code: number): Promise<void> {
  setTimeout(() => {
    process.exit(EXIT_RESTART);
  }, DRAIN_MILLISECONDS).unref();
  await operator.stop().catch(() => undefined);
  process.exit(code);
}

main().catch((error: unknown) => {
  process.stderr.write(`${errorText(error).replace(/^\w+Error: /, "")}\n`);
  process.exit(exitCodeOf(error));
});
