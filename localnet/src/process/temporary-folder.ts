import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownFolder } from "./reaper.ts";

/** A fresh folder that is gone when `remove` returns, or soon after this process ends. */
export interface TemporaryFolder {
  /** Absolute path. Mode 0700. */
  path: string;
  /** Deletes the folder with everything in it. Idempotent. */
  remove(): Promise<void>;
}

/**
 * Creates a temporary folder.
 *
 * @param purpose - A word for its name, such as "postgres".
 */
export async function createTemporaryFolder(purpose: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), `assay-${purpose}-`));
  ownFolder(path);
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}
