import { randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Transaction } from "ethers";
import { z } from "zod";
import { toAddress, toHash, type Address, type Hex } from "@assay/protocol";
import { UnavailableError } from "../errors.ts";
import { assayHome } from "../network/home.ts";
import type { Intent } from "./intent.ts";

const entrySchema = z.strictObject({
  schema: z.literal("assay/sent/1"),
  chainId: z.int().positive(),
  action: z.string(),
  subject: z.string().transform(toHash).or(z.string().transform(toAddress)),
  title: z.string(),
  from: z.string().transform(toAddress),
  nonce: z.int().nonnegative(),
  transactionHash: z.string().transform(toHash),
  /** The signed transaction: sending it again can't do it twice. */
  raw: z.string().regex(/^0x[0-9a-f]+$/),
  at: z.string(),
});

/** A signed transaction whose receipt was not seen yet. */
export type Entry = z.infer<typeof entrySchema>;

/** What was signed and may have been sent, one file for each operation, from before it is sent until a block holds it. */
export interface Journal {
  find(intent: Intent): Promise<Entry | null>;
  /** Durable when it returns. @returns false when another run was faster; its entry stands. */
  add(intent: Intent, raw: Hex): Promise<boolean>;
  remove(intent: Intent): Promise<void>;
}

/** The journal of one chain and contract, in Assay's own folder. */
export function openJournal(
  env: Readonly<Record<string, string | undefined>>,
  chainId: number,
  contract: Address,
): Journal {
  const folder = join(assayHome(env), "journal", `${chainId}-${contract.toLowerCase()}`);
  const pathOf = ({ action, subject }: Intent): string =>
    join(folder, `${action}-${subject.toLowerCase()}.json`);
  return {
    async find(intent) {
      let text: string;
      try {
        text = await readFile(pathOf(intent), "utf8");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
        throw unusable(pathOf(intent), error);
      }
      try {
        const entry = entrySchema.parse(JSON.parse(text));
        const transaction = Transaction.from(entry.raw);
        if (transaction.hash !== entry.transactionHash) throw new Error("its hash is not its transaction's");
        return entry;
      } catch (error) {
        throw unusable(pathOf(intent), error);
      }
    },
    async add(intent, raw) {
      const transaction = Transaction.from(raw);
      const entry: z.input<typeof entrySchema> = {
        schema: "assay/sent/1",
        chainId,
        action: intent.action,
        subject: intent.subject,
        title: intent.title,
        from: transaction.from ?? "",
        nonce: transaction.nonce,
        transactionHash: transaction.hash ?? "",
        raw,
        at: new Date().toISOString(),
      };
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return writeNew(pathOf(intent), `${JSON.stringify(entry, null, 2)}\n`);
    },
    async remove(intent) {
      await rm(pathOf(intent), { force: true });
    },
  };
}

/** Whole or not at all: what a kill in the middle leaves behind is under another name. */
async function writeNew(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(draft, "w", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw unusable(path, error);
  } finally {
    await rm(draft, { force: true });
  }
}

function unusable(path: string, cause: unknown): UnavailableError {
  return new UnavailableError(
    `the journal's ${path} can't be used: ${cause instanceof Error ? cause.message : String(cause)}`,
    "Nothing was sent. Look at the account's latest transactions; when this one is not among them, delete the file.",
    { cause },
  );
}
