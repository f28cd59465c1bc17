import { StaleVersionError } from "../errors.ts";
import type { Commit, Committed, SubmissionRow } from "../rows.ts";
import { expectCursor, insertAgreement, insertBlock, insertLog, rewind, setCursor } from "./chain.ts";
import { expectNotHalted } from "./meta.ts";
import { insertAttempt, insertOutbox, markSent, setOutboxStatus } from "./outbox.ts";
import type { Script } from "./script.ts";
import { changeSubmission, postponeSubmission, wakeDocument } from "./submissions.ts";
import { insertAttestation, insertSigned, insertVerdict } from "./verdicts.ts";

/** Everything that one step wants written. */
export function* commitScript(commit: Commit): Script<Committed> {
  const { at } = commit;
  yield* writeChain(commit);
  const intents = yield* writeSignatures(commit);
  for (const change of commit.outboxStatus ?? []) yield* setOutboxStatus(change);
  for (const sent of commit.sent ?? []) yield* markSent(sent, at);
  for (const verdict of commit.verdicts ?? []) yield* insertVerdict(verdict);
  for (const attestation of commit.attestations ?? []) yield* insertAttestation(attestation, at);
  const changed: SubmissionRow[] = [];
  for (const change of commit.submissions ?? []) changed.push(yield* changeSubmission(change, at));
  for (const hash of commit.wakes ?? []) yield* wakeDocument(hash, at);
  // What was found out with a submission that changed since is of no use: an intent that nobody watches keeps its nonce.
  for (const { row, nextAt } of commit.postponed ?? [])
    if ((yield* postponeSubmission(row, nextAt, null)) === 0)
      throw new StaleVersionError("the submission changed meanwhile");
  return { submissions: changed, intents };
}

function* writeChain(commit: Commit): Script<void> {
  const { at } = commit;
  if (commit.cursorBefore !== undefined) yield* expectCursor(commit.cursorBefore);
  for (const agreement of commit.agreements ?? []) yield* insertAgreement(agreement, at);
  if (commit.rewindTo !== undefined) yield* rewind(commit.rewindTo);
  for (const block of commit.blocks ?? []) yield* insertBlock(block, at);
  for (const log of commit.logs ?? []) yield* insertLog(log);
  if (commit.cursor !== undefined) yield* setCursor(commit.cursor);
}

/** What was signed may leave only once it is written, and while signing is halted it is not written. */
function* writeSignatures(commit: Commit): Script<Committed["intents"]> {
  const { at, outbox = [], bumps = [], signed = [] } = commit;
  const intents: Committed["intents"][number][] = [];
  if (outbox.length + bumps.length + signed.length === 0) return intents;
  yield* expectNotHalted();
  for (const intent of outbox) intents.push(yield* insertOutbox(intent, at));
  for (const bump of bumps) yield* insertAttempt(bump.outboxId, bump.transaction, at);
  for (const verdict of signed) yield* insertSigned(verdict, at);
  return intents;
}
