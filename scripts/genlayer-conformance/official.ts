import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Case, type Need, type Observation, SETTINGS } from "./case.ts";

/**
 * How the SDK is run: through its own entry point with a minimal host of ours, or in the direct mode of GenLayer's
 * testing suite.
 */
export type HostName = "entry" | "direct";

/** Where the SDK and a Python for it are. */
export interface OfficialOptions {
  /** A directory that holds `genlayer/`, a checkout of GenVM, or a release tarball. */
  readonly sdk: string;
  readonly host: HostName;
  readonly python: string;
}

/** What the SDK's side says of a case. `notShown`: the host lacks what the case needs. */
export type OfficialAnswer =
  | { readonly observed: readonly Observation[] }
  | { readonly notShown: readonly Need[] }
  | { readonly failure: string };

/** The SDK's side cannot be run; the message says what to do. */
export class OfficialSideError extends Error {
  override readonly name = "OfficialSideError";
}

/** The version of GenLayer's testing suite that this was written for. */
export const TESTING_SUITE = "genlayer-test==0.29.2";
const CLOUDPICKLE = "cloudpickle==3.1.3";
// The SDK uses type parameters (PEP 695), which 3.12.0 to 3.12.7 resolve wrongly.
const OLDEST_PYTHON = "3.12.8";
const HOST = join(import.meta.dirname, "python/host.py");

type Line =
  { readonly environment: string } | { readonly error: string } | ({ readonly id: string } & OfficialAnswer);

/**
 * Runs cases on the official SDK, one after the other.
 *
 * @param each is called with each case's answer as soon as it is there
 * @returns what ran it: the versions of Python and its packages
 * @throws {@link OfficialSideError} when the SDK or Python cannot be used
 */
export async function runOfficialSide(
  cases: readonly Case[],
  options: OfficialOptions,
  each: (id: string, answer: OfficialAnswer) => void,
): Promise<string> {
  requirePython(options.python);
  const child = spawn(options.python, ["-B", HOST], { stdio: ["pipe", "pipe", "pipe"] });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  // A host that ends early closes its input; its exit says why.
  child.stdin.on("error", () => undefined);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  child.stdin.end(
    JSON.stringify({
      sdk: options.sdk,
      host: options.host,
      settings: SETTINGS,
      pinSource: cases[0]?.source ?? "",
      cases,
    }),
  );
  let environment = "";
  let refused: string | undefined;
  for await (const text of createInterface({ input: child.stdout })) {
    const line = JSON.parse(text) as Line;
    if ("environment" in line) environment = line.environment;
    else if ("error" in line) refused = line.error;
    else each(line.id, line);
  }
  const code = await ended;
  if (refused !== undefined) throw new OfficialSideError(refused);
  if (code !== 0) throw new OfficialSideError(`the host of the SDK ended with ${code}: ${errors.trim()}`);
  return environment;
}

function requirePython(python: string): void {
  const asked = spawnSync(python, ["-c", "import platform; print(platform.python_version())"], {
    encoding: "utf8",
  });
  if (asked.status !== 0) {
    throw new OfficialSideError(`${python} does not run; name a Python with --python`);
  }
  const version = asked.stdout.trim();
  if (version.localeCompare(OLDEST_PYTHON, "en", { numeric: true }) < 0) {
    throw new OfficialSideError(
      `${python} is Python ${version}; the SDK needs ${OLDEST_PYTHON} or newer: --python`,
    );
  }
}

/**
 * Makes a virtual environment with what the SDK's side needs, unless it is there already.
 *
 * @returns its Python
 * @throws {@link OfficialSideError} when that fails
 */
export function createEnvironment(directory: string, python: string): string {
  const own = join(directory, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
  if (existsSync(own)) return own;
  requirePython(python);
  for (const [command, args] of [
    [python, ["-m", "venv", directory]],
    [
      own,
      ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", CLOUDPICKLE, "numpy", TESTING_SUITE],
    ],
  ] as const) {
    if (spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"] }).status !== 0) {
      throw new OfficialSideError(`${command} ${args.join(" ")} failed`);
    }
  }
  return own;
}
