import { randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { sha256, toHash, utf8Encode } from "@assay/protocol";
import { UnavailableError } from "../errors.ts";
import { assayHome } from "../network/home.ts";

const hash = z.string().transform((text) => toHash(text));

const agentSchema = z.strictObject({ recorder: z.string(), apiKey: z.string(), agentId: z.string() });
const missionSchema = z.strictObject({
  recorder: z.string(),
  /** What the mission is walked for: an agreement's id, or a job's. */
  subject: z.string(),
  offerId: z.string().optional(),
  /** What the recorder committed to before it saw the agent's nonce. */
  commitment: hash.optional(),
  agentNonce: hash.optional(),
  missionId: z.string().optional(),
});

/** Who this machine is with a recorder. */
export type Agent = z.infer<typeof agentSchema>;
/** What was begun with a recorder, from before the recorder hears of it. */
export type Begun = z.infer<typeof missionSchema>;

/** What has to outlive an interruption: the key that a recorder gave, and what was begun with it. */
export interface Memory {
  agent(): Promise<Agent | null>;
  /** Durable when it returns. The agent that was kept first stays. */
  keepAgent(agent: Omit<Agent, "recorder">): Promise<Agent>;
  begun(subject: string): Promise<Begun | null>;
  /** Durable when it returns. */
  keepBegun(begun: Omit<Begun, "recorder">): Promise<void>;
}

/** What is kept about one recorder, in Assay's own folder, readable by its owner alone. */
export function openMemory(env: Readonly<Record<string, string | undefined>>, recorder: string): Memory {
  const folder = join(assayHome(env), "missions", nameOf(recorder));
  const agentPath = join(folder, "agent.json");
  const pathOf = (subject: string): string => join(folder, `${nameOf(subject)}.json`);
  const agent = (): Promise<Agent | null> => read(agentPath, agentSchema);
  return {
    agent,
    async keepAgent(given) {
      const made = { recorder, ...given };
      if (await write(agentPath, made, true)) return made;
      return (await agent()) ?? made;
    },
    begun: (subject) => read(pathOf(subject), missionSchema),
    async keepBegun(begun) {
      await write(pathOf(begun.subject), { recorder, ...begun }, false);
    },
  };
}

/** A file's name for any text. */
function nameOf(text: string): string {
  return `${text.replaceAll(/[^A-Za-z0-9.-]+/g, "_").slice(0, 60)}-${sha256(utf8Encode(text)).slice(2, 10)}`;
}

async function read<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw unusable(path, error);
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Whole or not at all. @returns false when the file is there already and `isNew` says that it must not be. */
async function write(path: string, value: unknown, isNew: boolean): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(`${JSON.stringify(value)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await (isNew ? link(draft, path) : rename(draft, path));
    return true;
  } catch (error) {
    if (isNew && (error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw unusable(path, error);
  } finally {
    await rm(draft, { force: true });
  }
}

function unusable(path: string, cause: unknown): UnavailableError {
  return new UnavailableError(
    `${path} can't be used`,
    "It keeps what this machine is with a recorder. Check the folder and its permissions, or move the file away to begin anew.",
    { cause },
  );
}
