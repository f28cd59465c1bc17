import type { Hex } from "@assay/protocol";
import type { Event } from "../core/index.ts";
import type { Commit, SignedTransaction, SubmissionChange, SubmissionRow } from "../store/index.ts";
import type { Journal } from "./journal.ts";
import type { Lane } from "./lane.ts";

/** What a step wants written beside the change of its own submission. */
export type Change = Omit<Commit, "at" | "submissions" | "postponed" | "released">;

/** Facts to record. */
export interface Found {
  readonly events: readonly [Event, ...Event[]];
  /** Written in the same transaction as the change of state. */
  readonly change?: Change;
  /** Other submissions that change with this one or not at all. */
  readonly others?: readonly SubmissionChange[];
}

/** Nothing yet. */
export interface Waiting {
  /** When to look again; an event of the ingest or a document can wake it before. `lane`: when there is room. */
  readonly wait: "poll" | "judgePoll" | "finality" | "lane";
  /** Why, when it is worth telling. */
  readonly note?: string;
  readonly change?: Change;
}

/** Something to sign with the next nonce of a key. It is journalled before anybody sees it. */
export interface Signing {
  readonly lane: Lane;
  sign(nonce: number): Promise<SignedTransaction>;
  /** What it comes to once it is journalled. */
  readonly signed: (transactionHash: Hex) => Pick<Found, "events"> | { readonly wait: "poll" };
}

/** What working on a submission came to. */
export type Step = Found | Waiting | Signing;

/**
 * A submission at work: as it is stored, but for the state, which is what was found out since.
 *
 * `journal` holds its intents, with what was done to them since.
 */
export interface Work extends SubmissionRow {
  readonly journal: Journal;
}

/** Works on one effect of one submission. Rejects when something could not be found out; it is then tried again. */
export type Handler = (work: Work) => Promise<Step>;

/** Work can't go on for a reason that is worth a line, and will be tried again later. */
export class NotYetError extends Error {
  override name = "NotYetError";
}
