import type { SubmissionState } from "../core/index.ts";
import type { Commit, Store, SubmissionChange, SubmissionRow } from "../store/index.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";
import type { WorkLog } from "./work.ts";

/**
 * A store that tells of what was committed: one log line and one count for each change of state. What is told has
 * happened; whoever moves a submission, moves it through here.
 */
export function watchStore(
  store: Store,
  tell: { readonly metrics: Metrics; readonly logger: Logger; readonly workLog: WorkLog },
): Store {
  const { metrics, logger, workLog } = tell;

  async function commit(commit: Commit): Promise<readonly SubmissionRow[]> {
    const rows = await store.commit(commit);
    for (const change of commit.submissions ?? []) changed(change);
    for (const { purpose } of commit.outbox ?? []) metrics.signedTransaction(purpose);
    // Only settlements are offered at a higher price.
    for (const _bump of commit.bumps ?? []) metrics.signedTransaction("settle");
    const signed = commit.signed?.map(({ digest }) => digest) ?? [];
    for (const { operator, digest } of commit.attestations ?? [])
      if (signed.includes(digest) || !isDisagreement(commit)) metrics.attestation(operator);
    return rows;
  }

  function changed({ before, after, events }: SubmissionChange): void {
    const reason = events.at(-1);
    const from = before?.state.name ?? null;
    if (reason !== undefined) metrics.transition(from, after.name, reason);
    if (events.includes("Disagreement")) metrics.violation("disagreement");
    if (after.name === "CONFLICT" && events.includes("SettlementFinal"))
      metrics.violation("foreign_settlement");
    const key = { agreementId: after.agreementId, submissionHash: after.submissionHash };
    const work = workLog.take(key);
    const line = {
      agreement: after.agreementId,
      submission: after.submissionHash,
      from,
      state: after.name,
      events,
      attempt: (before?.attempts ?? 0) + 1,
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

  return new Proxy(store, {
    get(target, name) {
      if (name === "commit") return commit;
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
