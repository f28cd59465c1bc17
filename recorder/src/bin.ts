#!/usr/bin/env node
import { pino } from "pino";
import { readKey } from "./key.ts";
import { startRecorder } from "./recorder.ts";
import { SETTINGS, SettingsError, readSettings } from "./settings.ts";

const WIDTH = Math.max(...SETTINGS.map(([name]) => name.length));
const HELP = `assay-recorder: records executions in front of an API

Settings are environment variables:
${SETTINGS.map(([name, meaning]) => `  ${name.padEnd(WIDTH)}  ${meaning}`).join("\n")}

It listens until SIGTERM or SIGINT. Exit code 2 means that a setting is wrong.
`;

async function main(): Promise<void> {
  if (process.argv.length > 2) {
    const isHelp = process.argv[2] === "--help";
    (isHelp ? process.stdout : process.stderr).write(HELP);
    process.exitCode = isHelp ? 0 : 2;
    return;
  }
  const settings = readSettings(process.env);
  const wallet = readKey(process.env);
  const log = pino({ level: process.env["RECORDER_LOG_LEVEL"] ?? "info" });
  const recorder = await startRecorder(settings, wallet, {
    report: (error) => log.error({ err: error }, "unexpected error"),
  });
  log.info({ url: recorder.url, upstream: settings.upstream.href, recorder: wallet.address }, "recording");
  const stop = (): void => {
    log.info("stopping");
    recorder.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, "did not stop cleanly");
        process.exit(1);
      },
    );
  };
  process.once("SIGTERM", stop).once("SIGINT", stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof SettingsError ? 2 : 1);
});
