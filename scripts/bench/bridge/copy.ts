import { copyFile, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DATABASE_FILE } from "../../../oracle/src/store/index.ts";

/** A folder with a copy of a stopped operator's database: what one measurement sends is not on another one's chains. */
export async function copyOf(dataDir: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "assay-bench-"));
  await copyFile(join(dataDir, DATABASE_FILE), join(copy, DATABASE_FILE));
  return copy;
}
