import { CHECK_TYPES, newSalt, parseStrict, type Agreement } from "@assay/protocol";
import { draftOfCheck, type CheckDraft } from "./check-draft.ts";

/** One requirement as it stands in the form. */
export interface RequirementDraft {
  readonly id: string;
  readonly text: string;
  /** Null when the validators' models judge it. */
  readonly check: CheckDraft | null;
}

/** Everything that the form holds: all text, nothing checked. */
export interface Draft {
  readonly title: string;
  readonly task: string;
  readonly category: string;
  readonly requirements: readonly RequirementDraft[];
  readonly evidenceRequired: readonly string[];
  readonly reporters: readonly { readonly id: string; readonly address: string }[];
  /** The calls that `execution_proof` replays, from a document that was opened; the form can't write them. */
  readonly execution: unknown;
  readonly seller: string;
  readonly reward: string;
  /** Local date and time, as `datetime-local` inputs write them. */
  readonly deliverBy: string;
  readonly adjudicateBy: string;
  /** Per cent of the reward that the seller gets when no verdict comes. */
  readonly sellerShare: string;
  readonly rounds: string;
  readonly minValidators: string;
  /** The seller's signature on these terms, when it consented before the money came. */
  readonly sellerSignature: string;
  /** Decimal digits; makes two otherwise equal agreements distinct. */
  readonly salt: string;
}

/** An empty form, with a salt of its own. */
export function emptyDraft(): Draft {
  return {
    title: "",
    task: "",
    category: "",
    requirements: [{ id: "REQ-1", text: "", check: null }],
    evidenceRequired: [],
    reporters: [],
    execution: null,
    seller: "",
    reward: "",
    deliverBy: "",
    adjudicateBy: "",
    sellerShare: "50",
    rounds: "",
    minValidators: "",
    sellerSignature: "",
    salt: newSalt().toString(),
  };
}

/** Whether nobody has written anything yet. */
export function isEmpty(draft: Draft): boolean {
  return JSON.stringify({ ...draft, salt: "" }) === JSON.stringify({ ...emptyDraft(), salt: "" });
}

/** The form of a document: what people write of an agreement, from a file or an example. */
export function draftOfDocument(document: Partial<Agreement>, over: Partial<Draft> = {}): Draft {
  const { requirements, reporters, evidenceRequired, execution } = document;
  return {
    ...emptyDraft(),
    title: document.title ?? "",
    task: document.task ?? "",
    category: document.category ?? "",
    requirements: (requirements ?? []).map(({ id, text, check }) => ({
      id,
      text,
      check: check === undefined ? null : draftOfCheck(check),
    })),
    evidenceRequired: evidenceRequired ?? [],
    reporters: reporters ?? [],
    execution: execution ?? null,
    ...over,
  };
}

/** A requirement's name that none has yet. */
export function nextRequirementId(requirements: readonly RequirementDraft[]): string {
  for (let number = requirements.length + 1; ; number++)
    if (!requirements.some(({ id }) => id === `REQ-${number}`)) return `REQ-${number}`;
}

/** A draft that was kept as text; null when it is none, because nothing in a browser's storage is certain. */
export function readDraft(text: string | null): Draft | null {
  if (text === null) return null;
  try {
    const value: unknown = parseStrict(text);
    return isDraft(value) ? value : null;
  } catch {
    return null;
  }
}

const TEXTS = [
  "title",
  "task",
  "category",
  "seller",
  "reward",
  "deliverBy",
  "adjudicateBy",
  "sellerShare",
  "rounds",
  "minValidators",
  "sellerSignature",
] as const satisfies readonly (keyof Draft)[];

function isDraft(value: unknown): value is Draft {
  return (
    isRecord(value) &&
    TEXTS.every((name) => isText(value[name])) &&
    "execution" in value &&
    /^\d{1,78}$/.test(String(value["salt"])) &&
    isText(value["salt"]) &&
    isListOf(value["evidenceRequired"], isText) &&
    isListOf(value["reporters"], (one) => isRecord(one) && isText(one["id"]) && isText(one["address"])) &&
    isListOf(
      value["requirements"],
      (one) =>
        isRecord(one) &&
        isText(one["id"]) &&
        isText(one["text"]) &&
        (one["check"] === null || isCheck(one["check"])),
    )
  );
}

const isText = (value: unknown): value is string => typeof value === "string" && value.length <= 100_000;

function isCheck(value: unknown): boolean {
  return (
    isRecord(value) &&
    CHECK_TYPES.some((type) => type === value["type"]) &&
    isRecord(value["fields"]) &&
    Object.values(value["fields"]).every(isText)
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isListOf(value: unknown, is: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length <= 100 && value.every(is);
}

/**
 * The form of an agreement's document, or of the part of one that people write.
 *
 * @throws Error in words when the text is no such document.
 */
export function readTemplate(text: string): Draft {
  let value: unknown;
  try {
    value = parseStrict(text);
  } catch (error) {
    throw new Error(`This is no JSON that counts here: ${error instanceof Error ? error.message : ""}`, {
      cause: error,
    });
  }
  if (isRecord(value) && "joint" in value)
    throw new Error(
      "This is a joint agreement of two sellers. This form writes agreements of one; `assay agreement new --seller-b` draws up joint ones.",
    );
  const draft = isRecord(value) && isText(value["title"]) ? draftOfUnknown(value) : null;
  if (draft === null)
    throw new Error("This is no agreement: it needs a title, a task and requirements, as in the examples.");
  return draft;
}

/** Members of the wrong type become a refusal and not a broken form. */
function draftOfUnknown(document: Partial<Agreement>): Draft | null {
  try {
    const draft: unknown = draftOfDocument(document);
    return isDraft(draft) ? draft : null;
  } catch {
    return null;
  }
}
