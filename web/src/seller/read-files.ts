/** A file as it was dropped, with the path that it will have in the delivery. */
export interface GivenFile {
  readonly path: string;
  readonly file: File;
}

/** What reading files came to. */
export interface ReadFiles {
  /** Text by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Files that were left out, with why. */
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
}

/** A submission has 512 KiB, so no larger file can be part of one. */
const MAX_BYTES = 512 * 1024;
const MAX_FILES = 200;

/** Reads files as text; what is too large or no text is left out, without loading it whole. */
export async function readFiles(given: readonly GivenFile[]): Promise<ReadFiles> {
  // No prototype, so that a file may be called anything.
  const files = Object.create(null) as Record<string, string>;
  const refused: { path: string; reason: string }[] = [];
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let bytes = 0;
  for (const [index, { path, file }] of given.entries()) {
    if (index >= MAX_FILES) {
      refused.push({ path, reason: `A delivery has ${MAX_FILES} files at most.` });
    } else if (bytes + file.size > MAX_BYTES) {
      refused.push({
        path,
        reason: "With it the delivery would have more than 512 KiB. Link to large content by its hash.",
      });
    } else {
      try {
        files[path] = decoder.decode(await file.arrayBuffer());
        bytes += file.size;
      } catch {
        refused.push({
          path,
          reason: "It is no UTF-8 text. Deliver sources, or link to binary content by its hash.",
        });
      }
    }
  }
  return { files, refused };
}

/** Files of an input; a chosen folder's own name is left out of the paths. */
export function filesOfInput(list: FileList | null): GivenFile[] {
  return withoutCommonFolder(
    [...(list ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file })),
  );
}

/** Files of a drop, those in folders too; a single dropped folder's own name is left out of the paths. */
export async function filesOfDrop(transfer: DataTransfer): Promise<GivenFile[]> {
  // The list is gone after the first wait, so all entries are taken at once.
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  const found: GivenFile[] = [];
  for (const entry of entries) await collect(entry, found);
  return withoutCommonFolder(found);
}

async function collect(entry: FileSystemEntry, found: GivenFile[]): Promise<void> {
  if (found.length > MAX_FILES) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => {
      (entry as FileSystemFileEntry).file(resolve, reject);
    });
    found.push({ path: entry.fullPath.replace(/^\/+/, ""), file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (batch.length === 0) return;
    for (const child of batch) await collect(child, found);
  }
}

/** A folder that was given as a whole stands for what is in it. */
export function withoutCommonFolder<T extends { readonly path: string }>(given: readonly T[]): T[] {
  const [first] = given;
  const folder = first?.path.includes("/") ? `${first.path.split("/")[0] ?? ""}/` : null;
  if (folder === null || !given.every(({ path }) => path.startsWith(folder))) return [...given];
  return given.map((one) => ({ ...one, path: one.path.slice(folder.length) }));
}
