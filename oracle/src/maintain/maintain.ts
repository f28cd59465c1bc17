import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Secret } from "../config/index.ts";
import { DATABASE_FILE, StoreLockedError, openStore } from "../store/index.ts";
import { MaintenanceError } from "./errors.ts";
import { perform, type MaintenanceCommand, type MaintenanceOutcome } from "./perform.ts";
import { ADMIN_FILE, answerSchema, doorSchema } from "./wire.ts";

/** Where an operator's store is. */
export interface StoreLocation {
  /** The operator's folder. */
  readonly dataDir: string;
  /** Its PostgreSQL database, if it has one. */
  readonly databaseUrl: Secret<string> | null;
}

/** Milliseconds that a running operator may take. */
const TIMEOUT_MILLISECONDS = 60_000;

/**
 * Carries out a command on an operator, running or not: a running one with a database in its folder is asked to do it,
 * otherwise the database is opened. PostgreSQL takes it beside the workers.
 *
 * @throws MaintenanceError, or the store's errors when the database can't be used.
 */
export async function maintain(
  location: StoreLocation,
  command: MaintenanceCommand,
): Promise<MaintenanceOutcome> {
  if (command.name === "backup") command = { ...command, file: command.file && resolve(command.file) };
  if (location.databaseUrl === null) {
    const answered = await askRunning(location.dataDir, command);
    if (answered !== null) return answered;
    expectDatabase(location.dataDir);
  }
  const store = await openStore(location).catch((error: unknown) => {
    if (!(error instanceof StoreLockedError)) throw error;
    throw new MaintenanceError(
      "unreachable",
      `a process uses the database in ${location.dataDir} and takes no commands`,
      "It may be starting or stopping: try again in a moment. If it hangs, stop it first.",
    );
  });
  try {
    return await perform(store, command, Date.now());
  } finally {
    await store.close();
  }
}

/** A command must not make an empty database where it was pointed to by mistake. */
function expectDatabase(dataDir: string): void {
  if (existsSync(join(dataDir, DATABASE_FILE))) return;
  throw new MaintenanceError(
    "bad_argument",
    `there is no operator's database in ${dataDir}`,
    "Set ASSAY_DATA_DIR (or ASSAY_DATABASE_URL) as the operator has it.",
  );
}

/** Null when no operator runs on the folder. */
async function askRunning(dataDir: string, command: MaintenanceCommand): Promise<MaintenanceOutcome | null> {
  const door = await doorOf(dataDir);
  if (door === null) return null;
  let response: Response;
  try {
    response = await fetch(`http://127.0.0.1:${door.port}/`, {
      method: "POST",
      headers: { authorization: `Bearer ${door.token}` },
      body: JSON.stringify(command),
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    });
  } catch (error) {
    // Nobody listens: the file is a killed operator's.
    if (isRefused(error)) return null;
    throw unreachable(dataDir);
  }
  // Another program got the killed operator's port.
  if (response.status === 401) return null;
  const answer = answerSchema.safeParse(await response.json().catch(() => null));
  if (!answer.success) throw unreachable(dataDir);
  if ("outcome" in answer.data) return answer.data.outcome;
  const { code, message, hint } = answer.data.error;
  throw new MaintenanceError(code ?? "unreachable", message, hint ?? "See the operator's log.");
}

async function doorOf(dataDir: string) {
  try {
    return doorSchema.parse(JSON.parse(await readFile(join(dataDir, ADMIN_FILE), "utf8")));
  } catch {
    return null;
  }
}

function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
}

function unreachable(dataDir: string): MaintenanceError {
  return new MaintenanceError(
    "unreachable",
    `the operator of ${dataDir} does not answer`,
    "It may be starting or stopping: try again in a moment. If it hangs, stop it first.",
  );
}
