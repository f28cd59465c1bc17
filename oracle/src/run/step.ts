import type { Event } from "../core/index.ts";
import type { Commit, SubmissionChange, SubmissionRow } from "../store/index.ts";

/** What working on a submission came to: facts to record, or nothing yet. */
export type Step =
  | {
      readonly events: readonly [Event, ...Event[]];
      /** Written in the same transaction as the change of state. */
      readonly change?: Omit<Commit, "at" | "submissions">;
      /** Other submissions that change with this one or not at all. */
      readonly others?: readonly SubmissionChange[];
    }
  | {
      /** When to look again; an event of the ingest or a document can wake it before. `lane`: when there is room. */
      readonly wait: "poll" | "judgePoll" | "finality" | "lane";
      /** Why, when it is worth telling. */
      readonly note?: string;
      readonly change?: Omit<Commit, "at" | "submissions">;
    };

/** Works on one effect of one submission. Rejects when something could not be found out; it is then tried again. */
export type Handler = (row: SubmissionRow) => Promise<Step>;

/** Work can't go on for a reason that is worth a line, and will be tried again later. */
export class NotYetError extends Error {
  override name = "NotYetError";
}
