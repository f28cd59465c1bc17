import { parseVerdictRecord, toAddress, type Address, type Hex } from "@assay/protocol";
import { verdictRef } from "../attest/verdict.ts";
import { observe, transition, type Event, type SubmissionState } from "../core/index.ts";
import { documentWindowEnd } from "../documents/window.ts";
import type { Logger } from "../observe/logger.ts";
import type {
  AgreementRow,
  BlockRow,
  LogRow,
  SignedVerdict,
  Store,
  SubmissionChange,
  SubmissionKey,
  SubmissionRow,
} from "../store/index.ts";
import { agreementOf, type Jurisdiction } from "./agreement.ts";
import { CLOSING_EVENTS, VERDICT_EVENTS, hashField } from "./escrow-log.ts";
import { EVALUATION_EVENTS, OwnJobs, deliverableOf, isJobLog } from "./job-log.ts";
import { jobDeadline } from "./job-terms.ts";

/** Where and when a log stands. */
export type BlockTime = Pick<BlockRow, "number" | "hash" | "timestamp">;

interface Draft {
  readonly before: SubmissionRow | null;
  after: SubmissionState;
  readonly events: Event["type"][];
}

/** Collects what a stretch of logs changes, to be committed together with the cursor that moves over it. */
export class Batch {
  readonly #store: Store;
  readonly #jurisdiction: Jurisdiction;
  readonly #windowSeconds: number | null;
  readonly #logger: Logger;
  readonly #jobs: OwnJobs;
  readonly #agreements = new Map<Hex, AgreementRow>();
  /** Submissions by agreement, then by submission hash. */
  readonly #drafts = new Map<Hex, Promise<Map<Hex, Draft>>>();
  /** What was signed about submissions before, each under its agreement and hash. */
  readonly #earlier = new Map<string, Promise<SignedVerdict | null>>();

  constructor(options: {
    readonly store: Store;
    readonly jurisdiction: Jurisdiction;
    readonly windowSeconds: number | null;
    readonly logger: Logger;
  }) {
    this.#store = options.store;
    this.#jurisdiction = options.jurisdiction;
    this.#windowSeconds = options.windowSeconds;
    this.#logger = options.logger;
    this.#jobs = new OwnJobs(options.store, options.jurisdiction);
  }

  /** Whether a log is to be kept: all of the escrow's, and of jobs those that name our evaluator. */
  async concerns(log: LogRow): Promise<boolean> {
    return !isJobLog(log) || this.#jobs.concern(log);
  }

  /** Reads together what these logs need: one after the other, each would wait for the database. */
  async foresee(logs: readonly LogRow[]): Promise<void> {
    await Promise.all(
      logs.flatMap((log) => {
        if (log.name !== "Submitted" && !VERDICT_EVENTS.includes(log.name)) return [];
        const { agreementId } = log;
        const submissionHash = hashField(log, "submissionHash");
        return [
          this.#draftsOf(agreementId),
          ...(log.name === "Submitted"
            ? [this.#earlierOf(this.#jurisdiction.escrow, { agreementId, submissionHash })]
            : []),
        ];
      }),
    );
  }

  /** A log that stands in this block. */
  async seen(log: LogRow, block: BlockTime): Promise<void> {
    if (log.name === "Funded") this.#funded(log);
    else if (log.name === "Submitted") await this.#submitted(log, block);
    else if (EVALUATION_EVENTS.includes(log.name)) await this.#evaluated(log);
    else if (VERDICT_EVENTS.includes(log.name))
      await this.#apply(log.agreementId, hashField(log, "submissionHash"), {
        type: "SettlementSeen",
        settlement: {
          verdictHash: hashField(log, "verdictHash"),
          transactionHash: log.transactionHash,
          block: { number: log.blockNumber, hash: log.blockHash },
        },
      });
  }

  /** A log whose block left the chain. */
  async orphaned(log: LogRow): Promise<void> {
    if (log.name === "Submitted")
      await this.#apply(log.agreementId, hashField(log, "submissionHash"), {
        type: "SubmissionOrphaned",
        blockHash: log.blockHash,
      });
    else if (VERDICT_EVENTS.includes(log.name))
      await this.#apply(log.agreementId, hashField(log, "submissionHash"), {
        type: "SettlementOrphaned",
        blockHash: log.blockHash,
      });
    else if (EVALUATION_EVENTS.includes(log.name))
      await this.#applyToAll(log.agreementId, { type: "SettlementOrphaned", blockHash: log.blockHash });
  }

  /**
   * A log whose block is final: only then do the parties' own endings count, and only then is a job's submission taken
   * up. A job's number says nothing about its content: in another block it may be another job.
   */
  async finalized(log: LogRow, block: BlockTime): Promise<void> {
    if (log.name === "JobSubmitted") await this.#jobSubmitted(log, block);
    // Seen before the submission was taken up, it meant nothing then.
    else if (EVALUATION_EVENTS.includes(log.name)) await this.#evaluated(log);
    const reason = CLOSING_EVENTS[log.name];
    if (reason === undefined) return;
    await this.#applyToAll(log.agreementId, { type: "Closed", reason });
  }

  agreements(): readonly AgreementRow[] {
    return [...this.#agreements.values()];
  }

  async changes(nextAt: (state: SubmissionState) => number | null): Promise<readonly SubmissionChange[]> {
    return (await Promise.all(this.#drafts.values()))
      .flatMap((drafts) => [...drafts.values()])
      .filter((draft) => draft.events.length > 0)
      .map(({ before, after, events }) => ({ before, after, events, nextAt: nextAt(after) }));
  }

  #funded(log: LogRow): void {
    const agreement = agreementOf(log, this.#jurisdiction);
    this.#agreements.set(agreement.agreementId, agreement);
    if (agreement.ignoredReason !== null)
      this.#logger.info(
        { agreement: agreement.agreementId, reason: agreement.ignoredReason },
        "Ignored an agreement of another quorum",
      );
  }

  async #submitted(log: LogRow, block: BlockTime): Promise<void> {
    const { agreementId } = log;
    const agreement = this.#agreements.get(agreementId) ?? (await this.#store.agreement(agreementId));
    if (agreement === null) {
      this.#logger.warn(
        { agreement: agreementId },
        "Left a submission alone whose funding was not read: it is before the start block, or was left out",
      );
      return;
    }
    if (agreement.ignoredReason !== null) return;
    const submissionHash = hashField(log, "submissionHash");
    const { adjudicateBy } = agreement.terms;
    const seen = {
      block: { number: block.number, hash: block.hash },
      submittedAt: block.timestamp,
      documentsBy: documentWindowEnd({
        submittedAt: block.timestamp,
        adjudicateBy,
        windowSeconds: this.#windowSeconds,
      }),
    };
    const drafts = await this.#draftsOf(agreementId);
    if (drafts.has(submissionHash))
      await this.#apply(agreementId, submissionHash, { type: "SubmissionSeen", ...seen });
    else
      await this.#observe(this.#jurisdiction.escrow, { agreementId, submissionHash, adjudicateBy, ...seen });
  }

  /** A job is delivered once. A contract that lets it be delivered again leaves open what is to be paid for. */
  async #jobSubmitted(log: LogRow, block: BlockTime): Promise<void> {
    const { agreementId } = log;
    const created = await this.#jobs.announcement(agreementId);
    if (created === null) return;
    const submissionHash = deliverableOf(log);
    const drafts = await this.#draftsOf(agreementId);
    if (drafts.size > 0) {
      if (!drafts.has(submissionHash))
        await this.#applyToAll(agreementId, {
          type: "Quarantined",
          reason: `the job was submitted a second time, with ${submissionHash}`,
        });
      return;
    }
    const adjudicateBy = jobDeadline(created, block.timestamp);
    if (adjudicateBy === null) {
      this.#logger.warn(
        { job: agreementId, commerce: log.data["commerce"], expiredAt: created.data["expiredAt"] },
        "Left a job alone whose expiry leaves no time for a verdict, or too much",
      );
      return;
    }
    await this.#observe(toAddress(log.data["commerce"] ?? ""), {
      agreementId,
      submissionHash,
      adjudicateBy,
      block: { number: block.number, hash: block.hash },
      submittedAt: block.timestamp,
      documentsBy: documentWindowEnd({
        submittedAt: block.timestamp,
        adjudicateBy,
        windowSeconds: this.#windowSeconds,
      }),
    });
  }

  /** The evaluator ended a job. A client may reject one too, but only one that nobody has paid into. */
  async #evaluated(log: LogRow): Promise<void> {
    if ((log.data["evaluator"] ?? log.data["rejector"]) !== this.#jurisdiction.jobs?.evaluator) return;
    await this.#applyToAll(log.agreementId, {
      type: "SettlementSeen",
      settlement: {
        verdictHash: hashField(log, "reason"),
        transactionHash: log.transactionHash,
        block: { number: log.blockNumber, hash: log.blockHash },
      },
    });
  }

  async #observe(escrow: Address, seen: Omit<Parameters<typeof observe>[0], "signed">): Promise<void> {
    const { agreementId, submissionHash } = seen;
    const drafts = await this.#draftsOf(agreementId);
    const signed = await this.#signed(escrow, agreementId, submissionHash);
    drafts.set(submissionHash, {
      before: null,
      after: observe({ ...seen, signed }).state,
      events: ["SubmissionSeen"],
    });
  }

  /** What this operator signed about a submission before its database was rebuilt. */
  async #signed(escrow: Address, agreementId: Hex, submissionHash: Hex) {
    const signed = await this.#earlierOf(escrow, { agreementId, submissionHash });
    return signed === null
      ? undefined
      : { digest: signed.digest, verdict: verdictRef(parseVerdictRecord(signed.record)) };
  }

  async #applyToAll(agreementId: Hex, event: Event): Promise<void> {
    for (const submissionHash of (await this.#draftsOf(agreementId)).keys())
      await this.#apply(agreementId, submissionHash, event);
  }

  async #apply(agreementId: Hex, submissionHash: Hex, event: Event): Promise<void> {
    const draft = (await this.#draftsOf(agreementId)).get(submissionHash);
    if (draft === undefined) return;
    const { state } = transition(draft.after, event);
    if (state === draft.after) return;
    draft.after = state;
    draft.events.push(event.type);
  }

  #earlierOf(escrow: Address, key: SubmissionKey): Promise<SignedVerdict | null> {
    const name = `${escrow} ${key.agreementId} ${key.submissionHash}`;
    const known = this.#earlier.get(name) ?? this.#store.signed(escrow, key);
    this.#earlier.set(name, known);
    return known;
  }

  #draftsOf(agreementId: Hex): Promise<Map<Hex, Draft>> {
    const known = this.#drafts.get(agreementId) ?? this.#readDrafts(agreementId);
    this.#drafts.set(agreementId, known);
    return known;
  }

  async #readDrafts(agreementId: Hex): Promise<Map<Hex, Draft>> {
    const rows = await this.#store.submissionsOf(agreementId);
    return new Map(
      rows.map((row) => [
        row.state.submissionHash,
        { before: row, after: row.state, events: [] as Event["type"][] },
      ]),
    );
  }
}
