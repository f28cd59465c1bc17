import { readFile, stat } from "node:fs/promises";
import { UsageError } from "../errors.ts";
import type { Io } from "../io.ts";

const MAX_BYTES = 4_096;

/**
 * A password: the first line of a file when one is named, else what somebody types.
 *
 * @throws UsageError when there is neither a file nor a terminal.
 */
export async function readPassword(io: Io, file: string | undefined, question: string): Promise<string> {
  if (file !== undefined) return firstLine(io, file);
  if (io.terminal === undefined)
    throw new UsageError(
      "nobody is here to type the password",
      "Put it into a file that only you can read, and name it with --password-file or ASSAY_PASSWORD_FILE.",
    );
  return io.terminal.askSecret(question);
}

/** A new password, typed twice. */
export async function readNewPassword(io: Io, file: string | undefined): Promise<string> {
  const password = await readPassword(io, file, "Password for the wallet: ");
  if (password === "")
    throw new UsageError("the password is empty", "Choose one; it is what protects the key.");
  if (file === undefined && (await readPassword(io, undefined, "Once more: ")) !== password)
    throw new UsageError("the two passwords differ", "Try again.");
  return password;
}

async function firstLine(io: Io, path: string): Promise<string> {
  let text: string;
  try {
    const { size, mode } = await stat(path);
    if (size > MAX_BYTES) throw new Error("it is too large for a password");
    if ((mode & 0o077) !== 0)
      io.diagnose(`Warning: others on this machine can read ${path}; \`chmod 600\` it.`);
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new UsageError(
      `the password file ${path} can't be read`,
      "Name a file whose first line is the password.",
      { cause: error },
    );
  }
  return text.split(/\r?\n/)[0] ?? "";
}
