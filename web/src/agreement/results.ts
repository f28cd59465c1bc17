import type { AgreementView } from "./view.ts";

/** What was decided about one requirement. */
export interface Decision {
  readonly result: string;
  readonly decidedBy: string;
}

/** What was decided about each requirement, by its id, and how far that can be believed. */
export interface Results {
  readonly results: ReadonlyMap<string, Decision>;
  /** Completes "The results are …"; null when there are none. */
  readonly toldBy: string | null;
}

/**
 * The results of the verdict record when its bytes hash to what the chain says; else what an operator that has a final
 * verdict tells. Nothing is told before a verdict is final.
 */
export function resultsOf({ file, operators }: AgreementView): Results {
  const record = file.record?.document;
  if (record != null)
    return {
      results: new Map(record.requirements.map((one) => [one.id, one])),
      toldBy: "those of the verdict record, which hashes to the value on the chain",
    };
  for (const reading of operators) {
    const submission = "view" in reading ? reading.view?.submissions.at(-1) : undefined;
    if (submission?.verdict == null || submission.requirements.length === 0) continue;
    return {
      results: new Map(submission.requirements.map((one) => [one.id, one])),
      toldBy: `what ${reading.origin} says, and not proven yet`,
    };
  }
  return { results: new Map(), toldBy: null };
}
