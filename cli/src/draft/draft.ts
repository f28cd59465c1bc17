import { z } from "zod";
import {
  parseStrict,
  ProtocolError,
  toAddress,
  type Agreement,
  type AdjudicationPolicy,
} from "@assay/protocol";
import { readBounded } from "../deal/deal-file.ts";
import { UsageError } from "../errors.ts";

const MAX_BYTES = 128 * 1024;

/** An agreement's document before it is known to be valid: what people write, without who judges. */
export interface Draft {
  readonly title?: unknown;
  readonly task?: unknown;
  readonly category?: unknown;
  readonly requirements?: unknown;
  readonly evidenceRequired?: unknown;
  readonly reporters?: unknown;
  readonly execution?: unknown;
  readonly adjudication?: unknown;
}

const templateSchema = z.strictObject({
  schema: z.literal("assay/agreement/1").optional(),
  title: z.unknown(),
  task: z.unknown(),
  category: z.unknown(),
  requirements: z.unknown(),
  evidenceRequired: z.unknown(),
  reporters: z.unknown(),
  execution: z.unknown(),
  adjudication: z.unknown(),
});

/** What flags say about a document. */
export interface DraftFlags {
  readonly title?: string;
  readonly task?: string;
  readonly category?: string;
  readonly require?: readonly string[];
  readonly check?: readonly string[];
  readonly evidence?: readonly string[];
  readonly reporter?: readonly string[];
}

/**
 * Reads a template: an agreement's document, or the part of one that people write.
 *
 * @throws UsageError
 */
export async function readTemplate(path: string): Promise<Draft> {
  const bytes = await readBounded(path, MAX_BYTES);
  try {
    const parsed = templateSchema.partial().safeParse(parseStrict(bytes));
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    throw notATemplate(path, issue?.message ?? "");
  } catch (error) {
    if (error instanceof ProtocolError) throw notATemplate(path, error.message, error);
    throw error;
  }
}

/**
 * Puts what flags say over a template: single values replace, lists are added to.
 *
 * @throws UsageError when a flag can't be read.
 */
export function applyFlags(template: Draft, flags: DraftFlags): Draft {
  const checks = new Map((flags.check ?? []).map(readCheck));
  const requirements = [
    ...listOf(template.requirements),
    ...(flags.require ?? []).map((text, index) => readRequirement(text, index)),
  ].map((requirement) => withCheck(requirement, checks));
  if (checks.size > 0)
    throw new UsageError(
      `--check names ${[...checks.keys()].join(", ")}, which is no requirement`,
      "Write --check <requirement id>=<JSON>, for requirements that --from or --require name.",
    );
  const reporters = [...listOf(template.reporters), ...(flags.reporter ?? []).map(readReporter)];
  return {
    ...template,
    ...(flags.title === undefined ? {} : { title: flags.title }),
    ...(flags.task === undefined ? {} : { task: flags.task }),
    ...(flags.category === undefined ? {} : { category: flags.category }),
    requirements,
    evidenceRequired: [...listOf(template.evidenceRequired), ...(flags.evidence ?? [])],
    ...(reporters.length === 0 ? {} : { reporters }),
  };
}

/** The document that a draft amounts to; encoding it says whether it is valid. */
export function documentFrom(draft: Draft, adjudication: AdjudicationPolicy): Agreement {
  const { schema: _schema, ...written } = draft as Draft & { schema?: unknown };
  return { schema: "assay/agreement/1", ...written, adjudication } as Agreement;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** `ID: text`, or text alone, which is numbered. */
function readRequirement(text: string, index: number): unknown {
  const [, id, rest] = /^([A-Za-z0-9._-]{1,64}): +(.+)$/s.exec(text) ?? [];
  return id === undefined ? { id: `REQ-${index + 1}`, text } : { id, text: rest };
}

/** `ID=<JSON>`. */
function readCheck(text: string): [id: string, check: unknown] {
  const [, id, json] = /^([A-Za-z0-9._-]{1,64})=(\{.*\})$/s.exec(text) ?? [];
  try {
    if (id !== undefined && json !== undefined) return [id, parseStrict(json)];
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
  }
  throw new UsageError(
    `--check ${JSON.stringify(text)} can't be read`,
    `Write --check 'REQ-1={"type":"file_exists","path":"src/index.ts"}'.`,
  );
}

function withCheck(requirement: unknown, checks: Map<string, unknown>): unknown {
  const { id } = requirement as { id?: unknown };
  if (typeof id !== "string" || !checks.has(id)) return requirement;
  const check = checks.get(id);
  checks.delete(id);
  return { ...(requirement as object), check };
}

/** `ID=0x…`. */
function readReporter(text: string): unknown {
  const [, id, address] = /^([A-Za-z0-9._-]{1,64})=(0x[0-9a-fA-F]{40})$/.exec(text) ?? [];
  if (id === undefined || address === undefined)
    throw new UsageError(
      `--reporter ${JSON.stringify(text)} can't be read`,
      "Write --reporter <id>=<address>.",
    );
  try {
    return { id, address: toAddress(address) };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new UsageError(`--reporter ${id}: ${error.message}`, error.hint, { cause: error });
  }
}

function notATemplate(path: string, what: string, cause?: unknown): UsageError {
  return new UsageError(
    `${path} is no template of an agreement: ${what}`,
    "It is JSON with title, task, requirements and, if wanted, category, evidenceRequired and reporters.",
    { cause },
  );
}
