import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { LocalnetError } from "../errors.ts";
import { disown, own } from "./reaper.ts";

/** How much of a child's output is kept for error messages, in characters. */
const KEPT_OUTPUT = 16_384;

export interface ChildParameters {
  /** What the child is, for messages: "PostgreSQL". */
  title: string;
  command: string;
  args: string[];
  /** The whole environment; nothing is inherited, because gnd, postgres and anvil all read variables by themselves. */
  env: Record<string, string>;
  cwd?: string;
  uid?: number;
  gid?: number;
  /** The signal that asks the child to end. */
  stopSignal: NodeJS.Signals;
  /** How long the child may take to end before SIGKILL. */
  stopMilliseconds: number;
}

/** A running program in its own process group, which never outlives this process. */
export interface Child {
  readonly pid: number;
  /** Resolves, never rejects, when the child ends without `stop` having been called; stays pending otherwise. */
  readonly failed: Promise<LocalnetError>;
  /** The latest output, stdout and stderr interleaved. */
  output(): string;
  /**
   * Waits for `attempt` to answer true, trying again until it does.
   *
   * @throws {@link LocalnetError} `CHILD_DIED` or `START_TIMEOUT`; the child has ended by then.
   */
  untilReady(attempt: () => Promise<boolean>, timeoutMilliseconds: number): Promise<void>;
  /** Asks the child to end, and ends it when it does not. Idempotent. */
  stop(): Promise<void>;
  /** Ends the child at once, as a crash would. Idempotent. */
  kill(): Promise<void>;
}

/**
 * The environment that every child starts from: a PATH, a home and a locale that is always there, and where Node finds
 * modules that it has compiled before.
 */
export function bareEnvironment(home: string): Record<string, string> {
  const { PATH = "/usr/bin:/bin", NODE_COMPILE_CACHE } = process.env;
  return {
    ...{ PATH, HOME: home, TMPDIR: home, LC_ALL: "C" },
    ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
  };
}

function lastLines(output: string, count: number): string {
  return output.trimEnd().split("\n").slice(-count).join("\n");
}

/**
 * Starts a program and supervises it.
 *
 * @throws {@link LocalnetError} `BINARY_MISSING` or `ENVIRONMENT` when it cannot be started at all.
 */
export async function startChild(parameters: ChildParameters): Promise<Child> {
  const { title, command, args, stopSignal, stopMilliseconds } = parameters;
  const child = spawn(command, args, {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: parameters.env,
    ...(parameters.cwd === undefined ? {} : { cwd: parameters.cwd }),
    ...(parameters.uid === undefined ? {} : { uid: parameters.uid }),
    ...(parameters.gid === undefined ? {} : { gid: parameters.gid }),
  });
  const pid = await spawned(child, title, command);
  own(pid, stopSignal);

  let output = "";
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString("utf8")).slice(-KEPT_OUTPUT);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);

  const signalGroup = (signal: NodeJS.Signals): void => {
    try {
      process.kill(-pid, signal);
    } catch {
      // The group is gone already, which is what was wanted.
    }
  };

  let stopping = false;
  // What a dead child leaves behind would hold its output open, and the end would not be noticed.
  child.once("exit", () => signalGroup("SIGKILL"));
  const ended = new Promise<string>((resolve) => {
    child.once("close", (code, signal) => {
      disown(pid);
      resolve(signal === null ? `exit code ${code ?? "unknown"}` : `signal ${signal}`);
    });
  });
  const failed = new Promise<LocalnetError>((resolve) => {
    void ended.then((how) => {
      if (stopping) return;
      const said = lastLines(output, 15);
      resolve(
        new LocalnetError(
          "CHILD_DIED",
          `${title} ended unexpectedly (${how}).`,
          said === "" ? "It printed nothing; start the localnet again." : `Its last output was:\n${said}`,
        ),
      );
    });
  });

  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopping = true;
    stopped ??= (async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      signalGroup(stopSignal);
      const timer = setTimeout(() => signalGroup("SIGKILL"), stopMilliseconds);
      await ended;
      clearTimeout(timer);
    })();
    return stopped;
  };

  const kill = async (): Promise<void> => {
    stopping = true;
    if (child.exitCode !== null || child.signalCode !== null) return;
    signalGroup("SIGKILL");
    await ended;
  };

  const untilReady = async (attempt: () => Promise<boolean>, timeoutMilliseconds: number): Promise<void> => {
    const deadline = Date.now() + timeoutMilliseconds;
    let death: LocalnetError | undefined;
    void failed.then((error) => (death = error));
    // Reassigned by the callback above; a plain read would be narrowed to undefined.
    const dead = (): LocalnetError | undefined => death;
    for (;;) {
      const error = dead();
      if (error !== undefined) throw error;
      if (await attempt().catch(() => false)) return;
      if (Date.now() > deadline) {
        await stop();
        throw new LocalnetError(
          "START_TIMEOUT",
          `${title} was not ready after ${timeoutMilliseconds / 1000} s.`,
          `Its last output was:\n${lastLines(output, 15)}`,
        );
      }
      await Promise.race([delay(25), failed]);
    }
  };

  return { pid, failed, output: () => output, untilReady, stop, kill };
}

/** Waits until the operating system has started the child, and says why when it can't. */
async function spawned(child: ChildProcess, title: string, command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("spawn", () => resolve(child.pid as number));
    child.once("error", (error: NodeJS.ErrnoException) => {
      const missing = error.code === "ENOENT";
      reject(
        new LocalnetError(
          missing ? "BINARY_MISSING" : "ENVIRONMENT",
          `${title} could not be started: ${command} ${missing ? "does not exist" : `failed with ${error.code ?? error.message}`}.`,
          missing ? "Run `npm ci` in the repository's root." : "Check that this user may execute it.",
          { cause: error },
        ),
      );
    });
  });
}
