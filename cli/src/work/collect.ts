import { constants, type Dirent } from "node:fs";
import { open, readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { MAX_DOCUMENT_BYTES, SCHEMA, printable } from "@assay/protocol";
import { UsageError } from "../errors.ts";
import { ignoreFrom, type Ignore } from "./ignore.ts";

/** Most bytes of a submission's document; its files together can't have more. */
const MAX_BYTES = MAX_DOCUMENT_BYTES[SCHEMA.submission];
/** Most files of a submission. */
const MAX_FILES = 200;
/** A folder with more entries is not the one that was meant. */
const MAX_ENTRIES = 20_000;
/** How many faults are told at once. */
const MAX_TOLD = 20;
/** Where a folder says what is not part of its delivery; the first that exists counts. */
const IGNORE_FILES = [".assayignore", ".gitignore"];

/** A folder's files, ready for a submission. */
export interface Collected {
  /** Text by normalised path, in the order of the paths. */
  readonly files: Readonly<Record<string, string>>;
  /** UTF-8 bytes of all files together. */
  readonly bytes: number;
  /** What was left out; a folder stands for everything in it. */
  readonly ignored: readonly string[];
}

/**
 * Reads every file below a folder that its ignore rules leave. Links are never followed.
 *
 * @throws UsageError naming every file that can't be delivered, or the limit that they exceed together.
 */
export async function collect(folder: string): Promise<Collected> {
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() !== true)
    throw new UsageError(`${printable(folder)} is no folder`, "Name the folder that holds the delivery.");
  const walk = await walkFolder(folder, await ignoreOf(folder));
  if (walk.paths.length > MAX_FILES)
    throw new UsageError(
      `the folder holds ${walk.paths.length} files; a submission has at most ${MAX_FILES}`,
      "Leave some out by rules in .assayignore, or deliver an archive elsewhere and link to it by its hash.",
    );
  const files: Record<string, string> = Object.create(null) as Record<string, string>;
  const faults = [...walk.faults];
  let bytes = 0;
  for (const path of walk.paths) {
    const read = await readText(join(folder, path), MAX_BYTES - bytes);
    if ("fault" in read) faults.push(`${printable(path)} ${read.fault}`);
    else {
      files[path] = read.text;
      bytes += read.bytes;
    }
  }
  if (faults.length > 0) throw refusal(faults);
  return { files, bytes, ignored: walk.ignored };
}

async function ignoreOf(folder: string): Promise<Ignore> {
  for (const name of IGNORE_FILES) {
    const text = await readFile(join(folder, name), "utf8").catch(() => null);
    if (text !== null) return ignoreFrom(text);
  }
  return ignoreFrom("");
}

interface Walk {
  readonly paths: string[];
  readonly ignored: string[];
  readonly faults: string[];
}

async function walkFolder(root: string, ignore: Ignore): Promise<Walk> {
  const walk: Walk = { paths: [], ignored: [], faults: [] };
  let entries = 0;
  const visit = async (folder: string): Promise<void> => {
    const found = await readdir(join(root, folder), { withFileTypes: true });
    entries += found.length;
    if (entries > MAX_ENTRIES)
      throw new UsageError(
        `the folder holds more than ${MAX_ENTRIES} files`,
        "Name the folder that holds the delivery alone, or leave the rest out by rules in .assayignore.",
      );
    for (const entry of found.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (ignore(path, entry.isDirectory())) walk.ignored.push(entry.isDirectory() ? `${path}/` : path);
      else if (entry.isDirectory()) await visit(path);
      else if (entry.isFile()) walk.paths.push(path);
      else walk.faults.push(`${printable(path)} is ${kindOf(entry)}; only files are delivered`);
    }
  };
  await visit("");
  return walk;
}

function kindOf(entry: Dirent): string {
  if (entry.isSymbolicLink()) return "a symbolic link, which is not followed";
  return "neither a file nor a folder";
}

/** The file may change, or become a link, after it was listed: only what is opened counts. */
async function readText(
  path: string,
  room: number,
): Promise<{ readonly text: string; readonly bytes: number } | { readonly fault: string }> {
  let file;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return { fault: `can't be read (${(error as NodeJS.ErrnoException).code ?? "unknown"})` };
  }
  try {
    const { size } = await file.stat();
    if (size > room) return { fault: `has ${size} bytes; all files together may have ${MAX_BYTES}` };
    const buffer = Buffer.alloc(room + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
      if (length > room)
        return { fault: `grew beyond the ${MAX_BYTES} bytes that all files together may have` };
    }
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      buffer.subarray(0, length),
    );
    return { text, bytes: length };
  } catch (error) {
    if (error instanceof TypeError)
      return { fault: "is no text in UTF-8; put it elsewhere and link to it with --link" };
    throw error;
  } finally {
    await file.close();
  }
}

function refusal(faults: readonly string[]): UsageError {
  const told = faults.slice(0, MAX_TOLD).map((fault) => `  ${fault}`);
  if (faults.length > told.length) told.push(`  … and ${faults.length - told.length} more`);
  return new UsageError(
    `this folder can't be delivered:\n${told.join("\n")}`,
    "Correct these, or leave them out by rules in .assayignore.",
  );
}
