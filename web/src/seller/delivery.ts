import {
  DocumentError,
  documentHash,
  encodeDocument,
  parseSubmission,
  runCheck,
  type Agreement,
  type CheckResult,
  type CheckSubject,
  type Hex,
  type Requirement,
  type Submission,
} from "@assay/protocol";

/** A delivery as it is being put together. */
export type DeliveryDraft = Omit<Submission, "schema">;

/** An empty one. */
export function emptyDelivery(agreementId: Hex): DeliveryDraft {
  return { agreementId, summary: "", files: {}, links: [], evidence: [] };
}

/** Whether there is nothing in it yet. */
export function isEmptyDelivery({ summary, files, links, evidence, output }: DeliveryDraft): boolean {
  const hasList = Object.keys(files).length > 0 || links.length > 0 || evidence.length > 0;
  const hasOutput = output !== undefined && (output.text !== "" || output.signature !== "");
  return summary === "" && !hasList && !hasOutput;
}

/** A delivery that is whole: its bytes and their hash; or what is wrong with it. */
export type Packed =
  | { readonly document: Uint8Array; readonly hash: Hex; readonly submission: Submission }
  | { readonly problems: readonly string[] };

/** Puts a delivery into its canonical bytes. */
export function pack(draft: DeliveryDraft): Packed {
  const submission: Submission = { schema: "assay/submission/1", ...draft };
  performance.mark(PACKING);
  try {
    const document = encodeDocument(submission);
    return { document, hash: documentHash(document), submission };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return {
      problems: error.issues.map(
        ({ path, message, hint }) => `${path === "" ? "The delivery" : path}: ${message}. ${hint}`,
      ),
    };
  } finally {
    performance.measure(PACKING, PACKING);
  }
}

/** Name under which the browser's tools show how long packing takes. */
const PACKING = "assay/pack";

/**
 * Reads a whole submission document, such as another tool made.
 *
 * @throws DocumentError when it is none, or for another agreement.
 */
export function readDelivery(text: string, agreementId: Hex): DeliveryDraft {
  const { schema: _schema, ...draft } = parseSubmission(text.trim(), agreementId);
  return draft;
}

/**
 * Reads what was kept, which need not be whole yet: that is found out when it is packed.
 *
 * @returns null for what can't be shown, or is for another agreement.
 */
export function readKeptDelivery(text: string | null, agreementId: Hex): DeliveryDraft | null {
  try {
    const draft = JSON.parse(text ?? "null") as DeliveryDraft;
    const isWhole =
      draft.agreementId === agreementId &&
      typeof draft.summary === "string" &&
      Object.values(draft.files).every((file) => typeof file === "string") &&
      Array.isArray(draft.links) &&
      draft.evidence.every((one) =>
        [one.source, one.claim, one.content].every((part) => typeof part === "string"),
      ) &&
      (draft.output === undefined ||
        [draft.output.text, draft.output.signature].every((part) => typeof part === "string"));
    return isWhole ? draft : null;
  } catch {
    return null;
  }
}

/** What can be said about a requirement before anything is sent. */
export interface Forecast {
  readonly requirement: Requirement;
  /** Undefined for what only validators can find out. */
  readonly result: CheckResult | undefined;
}

/**
 * What the judge's code will find, by the judge's own rules.
 *
 * @param pause is awaited between checks, so that a page stays alive while large files are examined.
 */
export async function forecast(
  agreement: Agreement,
  submission: Pick<Submission, "files" | "reports" | "execution">,
  subject: CheckSubject,
  pause: () => Promise<void>,
): Promise<readonly Forecast[]> {
  const forecasts: Forecast[] = [];
  for (const requirement of agreement.requirements) {
    const { check } = requirement;
    forecasts.push({
      requirement,
      result: check === undefined ? undefined : runCheck(check, agreement, submission, subject),
    });
    await pause();
  }
  return forecasts;
}
