import { join } from "node:path";
import { LocalnetError, bareEnvironment, startChild, type Child } from "@assay/localnet";

const ENTRY = join(import.meta.dirname, "../../oracle/src/bin/operator.ts");
const START_MILLISECONDS = 20_000;
/** The service drains for up to 25 s on SIGTERM. */
const STOP_MILLISECONDS = 30_000;

/** An operator in a process of its own, as it runs in production; it can be ended and started again on its data. */
export interface OperatorProcess {
  readonly url: string;
  readonly pid: number;
  /** Resolves when it ends without `stop` or `kill`. */
  readonly failed: Promise<LocalnetError>;
  /** The end of its log, for error messages. */
  log(): string;
  /** SIGTERM: it drains and ends. */
  stop(): Promise<void>;
  /** SIGKILL, as a crash would. */
  kill(): Promise<void>;
}

/**
 * Starts the operator service with the given ASSAY_… settings and waits until it listens.
 *
 * @param settings the whole configuration; nothing is inherited from this process
 * @throws LocalnetError with the end of the operator's log when it does not come up
 */
export async function startOperatorProcess(settings: Record<string, string>): Promise<OperatorProcess> {
  const child = await startChild({
    title: "The operator",
    command: process.execPath,
    args: [ENTRY],
    env: { ...bareEnvironment(settings["ASSAY_DATA_DIR"] ?? "/"), ...settings },
    stopSignal: "SIGTERM",
    stopMilliseconds: STOP_MILLISECONDS,
  });
  await child.untilReady(() => Promise.resolve(listeningUrl(child) !== undefined), START_MILLISECONDS);
  return {
    url: listeningUrl(child) ?? "",
    pid: child.pid,
    failed: child.failed,
    log: () => child.output(),
    stop: () => child.stop(),
    kill: () => child.kill(),
  };
}

/** The URL in the one line that the operator prints when it is ready. */
function listeningUrl(child: Child): string | undefined {
  const line = child.output().match(/^\{"event":"listening".*\}$/m)?.[0];
  return line === undefined ? undefined : (JSON.parse(line) as { url: string }).url;
}
