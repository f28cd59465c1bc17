import { readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Source } from "@assay/evidence";
import { keccak256, sha256, type Hex } from "@assay/protocol";

/** No document is larger, in bytes. */
const MAX_BYTES = 512 * 1024;
/** A folder with more files is no folder of documents. */
const MAX_FILES = 10_000;

/** Files directly in a folder, by what they hash to; their names don't matter. */
export function folderSource(path: string): Source {
  let files: Promise<Uint8Array[]> | undefined;
  const contents = (): Promise<Uint8Array[]> => (files ??= readAll(path));
  return {
    name: path,
    async document(hash) {
      return (await contents()).find((bytes) => sha256(bytes) === hash) ?? null;
    },
    async verdictRecord(_agreementId: Hex, verdictHash) {
      const found = (await contents()).find((bytes) => keccak256(bytes) === verdictHash);
      return found === undefined ? null : Buffer.from(found).toString("utf8");
    },
  };
}

async function readAll(path: string): Promise<Uint8Array[]> {
  const names = (await readdir(path)).slice(0, MAX_FILES);
  const read = await Promise.all(
    names.map(async (name) => {
      const file = join(path, name);
      const found = await stat(file);
      return found.isFile() && found.size <= MAX_BYTES ? readFile(file) : null;
    }),
  );
  return read.filter((bytes) => bytes !== null);
}
