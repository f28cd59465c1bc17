import {
  DocumentError,
  ProtocolError,
  documentHash,
  encodeDocument,
  parseStrict,
  parseSubmission,
  previewChecks,
  type Agreement,
  type CheckSubject,
  type Hex,
  type Submission,
  printable,
} from "@assay/protocol";
import { readBounded } from "../deal/deal-file.ts";
import { UsageError } from "../errors.ts";
import type { Collected } from "./collect.ts";

const MAX_NOTES_BYTES = 1024 * 1024;

/** A submission's document. */
export interface Prepared {
  readonly submission: Submission;
  readonly submissionHash: Hex;
  /** Canonical bytes. */
  readonly document: Uint8Array;
}

/** One requirement with what is known about it before anybody judges. */
export interface Preview {
  readonly id: string;
  readonly decidedBy: "check" | "models" | "validators";
  readonly result: "PASS" | "FAIL" | "OPEN";
  readonly detail: string;
}

/**
 * Makes a submission of files and notes: JSON with summary, evidence, links, repository, reports or execution. Further
 * links come after those of the notes.
 *
 * @throws UsageError with everything that is wrong.
 */
export async function prepare(
  agreementId: Hex,
  { files }: Pick<Collected, "files">,
  notes: {
    readonly file?: string;
    readonly summary?: string;
    readonly links?: Submission["links"];
    readonly output?: Submission["output"];
  },
): Promise<Prepared> {
  const written = notes.file === undefined ? {} : await readNotes(notes.file);
  if (notes.output !== undefined && "output" in written)
    throw new UsageError(
      "there is an output in the notes, and one by --output",
      "Give one of them: it can't be changed later.",
    );
  const draft = {
    summary: "",
    evidence: [],
    links: [],
    ...written,
    ...(notes.summary === undefined ? {} : { summary: notes.summary }),
    ...(notes.output === undefined ? {} : { output: notes.output }),
    ...withLinks(written["links"], notes.links ?? []),
    schema: "assay/submission/1",
    agreementId,
    files,
  };
  try {
    const document = encodeDocument(draft as Submission);
    return { document, submissionHash: documentHash(document), submission: parseSubmission(document) };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const issues = error.issues.map(
      ({ path, message, hint }) => `  ${printable(`${path} ${message}. ${hint}`).trim()}`,
    );
    throw new UsageError(`this is no valid submission:\n${issues.join("\n")}`, "Correct it and try again.", {
      cause: error,
    });
  }
}

/** Notes that hold no list of links are left as they are, so that the format can say what is wrong with them. */
function withLinks(written: unknown, more: Submission["links"]): { links?: unknown } {
  if (more.length === 0) return {};
  return { links: Array.isArray(written) ? [...(written as unknown[]), ...more] : (written ?? more) };
}

/** What is known before anybody judges: the checks are decided by the same rules as the judge's. */
export function preview(agreement: Agreement, submission: Submission, subject: CheckSubject): Preview[] {
  const checked = new Map(previewChecks(agreement, submission, subject).map((found) => [found.id, found]));
  return agreement.requirements.map(({ id, check }): Preview => {
    const result = checked.get(id)?.result;
    if (result !== undefined)
      return { id, decidedBy: "check", result: result.passed ? "PASS" : "FAIL", detail: result.detail };
    return check === undefined
      ? { id, decidedBy: "models", result: "OPEN", detail: "the validators' models will judge it" }
      : { id, decidedBy: "validators", result: "OPEN", detail: "every validator will look for itself" };
  });
}

async function readNotes(path: string): Promise<Record<string, unknown>> {
  const bytes = await readBounded(path, MAX_NOTES_BYTES);
  try {
    const value = parseStrict(bytes);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw notNotes(path, error.message, error);
  }
  throw notNotes(path, "it is no JSON object");
}

function notNotes(path: string, what: string, cause?: unknown): UsageError {
  return new UsageError(
    `${printable(path)} holds no notes: ${what}`,
    "It is JSON with any of summary, evidence, links, repository, reports, execution and output.",
    { cause },
  );
}
