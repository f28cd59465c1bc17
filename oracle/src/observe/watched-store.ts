import type { StateName, SubmissionState } from "../core/index.ts";
import type {
  Commit,
  Committed,
  Store,
  SubmissionChange,
  SubmissionKey,
  SubmissionStep,
} from "../store/index.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";
import type { Work, WorkLog } from "./work.ts";

/**
 * A store that tells of what was committed: one log line and one count for each change of state. What is told has
 * happened; whoever moves a submission, moves it through here.
 */
export function watchStore(
  store: Store,
  tell: { readonly metrics: Metrics; readonly logger: Logger; readonly workLog: WorkLog },
): Store {
  const { metrics, logger, workLog } = tell;

  async function commit(commit: Commit): Promise<Committed> {
    const committed = await store.commit(commit);
    for (const change of commit.submissions ?? []) changed(change);
    for (const { purpose } of commit.outbox ?? []) metrics.signedTransaction(purpose);
    // Only settlements are offered at a higher price.
    for (const _bump of commit.bumps ?? []) metrics.signedTransaction("settle");
    const signed = commit.signed?.map(({ digest }) => digest) ?? [];
    for (const { operator, digest } of commit.attestations ?? [])
      if (signed.includes(digest) || !isDisagreement(commit)) metrics.attestation(operator);
    return committed;
  }

  function changed(change: SubmissionChange): void {
    const { before, earlier = [], after } = change;
    const work = workLog.take(after);
    let from = before?.state.name ?? null;
    for (const step of [...earlier, change]) {
      moved(from, step, (before?.attempts ?? 0) + 1, work);
      from = step.after.name;
    }
  }

  function moved(
    from: StateName | null,
    { after, events }: SubmissionStep,
    attempt: number,
    work: Work | null,
  ): void {
    const reason = events.at(-1);
    if (reason !== undefined) metrics.transition(from, after.name, reason);
    if (events.includes("Disagreement")) metrics.violation("disagreement");
    if (after.name === "CONFLICT" && events.includes("SettlementFinal"))
      metrics.violation("foreign_settlement");
    const line = {
      agreement: after.agreementId,
      submission: after.submissionHash,
      from,
      state: after.name,
      events,
      attempt,
      ...transactionsOf(after),
      ...(after.verdict === null ? {} : { outcome: after.verdict.outcome }),
      ...(after.reason === null ? {} : { reason: after.reason }),
      origins: [...(work?.origins ?? [])],
      requestId: work?.requestId ?? null,
    };
    if (after.name === "CONFLICT" || after.name === "QUARANTINED")
      logger.error(line, "Parked for a person to look at");
    else logger.info(line, "Moved");
  }

  /** Nothing came of the work. */
  async function postpone(...[row, ...rest]: Parameters<Store["postpone"]>): Promise<void> {
    workLog.forget(row.state);
    await store.postpone(row, ...rest);
  }

  async function release(keys: readonly SubmissionKey[]): Promise<void> {
    for (const key of keys) workLog.forget(key);
    await store.release(keys);
  }

  const watched: Partial<Store> = { commit, postpone, release };
  return new Proxy(store, {
    get(target, name) {
      const own = watched[name as keyof Store];
      if (own !== undefined) return own;
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
}

/** A signature over another digest is evidence, not support. */
function isDisagreement({ submissions = [] }: Commit): boolean {
  return submissions.some(({ events }) => events.includes("Disagreement"));
}

function transactionsOf({ relayTx, judgeTx, settleTx }: SubmissionState) {
  return {
    ...(relayTx === null ? {} : { relayTx }),
    ...(judgeTx === null ? {} : { judgeTx }),
    ...(settleTx === null ? {} : { settleTx }),
  };
}
