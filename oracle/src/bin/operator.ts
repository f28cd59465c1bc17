#!/usr/bin/env node
import { readFileSync, writeFileSync } from "node:fs";
import { format, parseArgs } from "node:util";
import { OperatorListError } from "../attest/index.ts";
import { ConfigError, loadConfig, redactedConfig, settingsHelp, withoutUrls } from "../config/index.ts";
import { ListenError } from "../http/index.ts";
import { createLogger, errorText, type Logger } from "../observe/index.ts";
import { startOperator, type Operator } from "../operator.ts";
import { ChainIdentityError } from "../rpc/index.ts";
import { createKeystore } from "../signer/index.ts";
import { StoreLockedError, StoreVersionError } from "../store/index.ts";

const USAGE = `Usage: operator.ts [--config FILE]                     run until SIGTERM or SIGINT
       operator.ts config --redacted [--config FILE]   show the effective configuration, secrets left out
       operator.ts keystore FILE --password-file FILE  make a new key in a keystore; prints its address

Standard output has one line of JSON, {"event":"listening","url":…}; the log is JSON lines on standard error.
Exit code 0: stopped as asked. 1: change something, the message says what. 75: start me again.

Settings, from the environment or from the configuration file:
${settingsHelp()}
`;

/** The user has to change something. */
const EXIT_MISTAKE = 1;
/** Nothing is wrong with the set-up: start me again. */
const EXIT_RESTART = 75;
/** Milliseconds that draining may take. */
const DRAIN_MILLISECONDS = 25_000;

/** The command line makes no sense. */
class UsageError extends Error {
  override name = "UsageError";
}

/** Errors that starting again can't heal. */
const MISTAKES = [
  ChainIdentityError,
  ConfigError,
  ListenError,
  OperatorListError,
  StoreLockedError,
  StoreVersionError,
  UsageError,
];

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

interface Command {
  readonly names: readonly string[];
  readonly config: string | undefined;
  readonly passwordFile: string | undefined;
  readonly redacted: boolean;
  readonly help: boolean;
}

function parseCommand(args: readonly string[]): Command {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        config: { type: "string" },
        "password-file": { type: "string" },
        redacted: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    const { config, redacted, help } = values;
    return { names: positionals, config, passwordFile: values["password-file"], redacted, help };
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

async function main(): Promise<void> {
  const command = parseCommand(process.argv.slice(2));
  const [name, file, ...rest] = command.names;
  if (command.help) process.stdout.write(USAGE);
  else if (name === undefined) await run(command.config);
  else if (name === "config" && file === undefined && command.redacted) show(command.config);
  else if (name === "keystore" && file !== undefined && rest.length === 0)
    makeKeystore(file, command.passwordFile);
  else throw new UsageError(`"${command.names.join(" ")}" is no command\n\n${USAGE}`);
}

function show(file: string | undefined): void {
  const config = loadConfig(process.env, file);
  process.stdout.write(`${JSON.stringify(redactedConfig(config, process.env, file), null, 2)}\n`);
}

function makeKeystore(file: string, passwordFile: string | undefined): void {
  if (passwordFile === undefined) throw new UsageError("keystore needs --password-file");
  try {
    const password = readFileSync(passwordFile, "utf8").replace(/\r?\n$/, "");
    if (password === "") throw new UsageError(`${passwordFile} holds no password`);
    const { address, json } = createKeystore(password);
    // Never over a file that is there: it might be the only copy of a key.
    writeFileSync(file, `${json}\n`, { flag: "wx", mode: 0o600 });
    process.stdout.write(`${address}\n`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function run(file: string | undefined): Promise<void> {
  const config = loadConfig(process.env, file);
  const logger = createLogger(config.logLevel);
  quietConsole(logger);
  // Whatever nobody expected leaves the process in a state that nobody knows; the journal knows how to go on.
  process.on("uncaughtException", (error) => {
    logger.fatal({ error }, "Something unexpected happened");
    process.exit(EXIT_RESTART);
  });
  const operator = await startOperator(config, { logger });
  process.stdout.write(`${JSON.stringify({ event: "listening", url: operator.url })}\n`);
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => {
      logger.info({ signal }, "Draining");
      void leave(operator, 0);
    });
  operator.failed.catch((error: unknown) => {
    void leave(operator, exitCodeOf(error));
  });
}

/** Ends in good order, or without it when that takes too long: everything that matters is written down. */
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
