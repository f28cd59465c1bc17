import { holdsSubmission } from "../judge/conditions.ts";
import { chainView, type Services } from "../run/services.ts";
import { NotYetError, type Handler, type Step } from "../run/step.ts";
import type { AgreementRow } from "../store/index.ts";
import { admitJob, knownAgreement, venueFor } from "../venue/index.ts";

/** Waits until the submission's block is final and the escrow, read there, says what the log said. */
export function createAnchorHandler(services: Services): Handler {
  const { chain } = services;
  return async ({ state }) => {
    const { final } = chainView(services);
    if (state.block.number > final.number) return { wait: "finality" };
    const header = await chain.header(state.block.number);
    if (header === null || header.hash !== state.block.hash)
      throw new NotYetError(
        `block ${state.block.number} reads as ${header?.hash ?? "missing"}, not ${state.block.hash}`,
      );
    const known = await knownAgreement(services, state);
    const agreement = known ?? (await admitJob(services, state, final.number));
    const change = known === null ? { agreements: [agreement] } : {};
    if (agreement.ignoredReason !== null) return leftAlone(services, agreement, agreement.ignoredReason);
    const escrow = await venueFor(services, agreement).state(state, final.number);
    if (holdsSubmission(escrow, state.submissionHash)) return { events: [{ type: "Anchored" }], change };
    // Settled or closed within the same stretch of final blocks: its log says so, and is or will be ingested.
    if (["Released", "Refunded", "Split"].includes(escrow.status)) return { wait: "poll" };
    throw new NotYetError(`the escrow reads ${escrow.status}, its log says that the submission stands`);
  };
}

/** A job that names our evaluator and is not ours to judge. Anybody can make one, so it bothers no person. */
function leftAlone({ logger }: Services, agreement: AgreementRow, reason: string): Step {
  const { agreementId, job } = agreement;
  logger.info(
    { job: agreementId, commerce: job?.commerce, jobId: job?.jobId.toString(), reason },
    "Left a job alone",
  );
  return {
    events: [{ type: "Closed", reason: `left alone: ${reason}` }],
    change: { agreements: [agreement] },
  };
}

/**
 * Ends what can't be settled any more: a final block is later than the last second for a verdict, and the escrow
 * still holds the submission. Whoever calls `expire` then pays by the agreed default.
 */
export function createWindowHandler(services: Services): Handler {
  return async ({ state }) => {
    const { final } = chainView(services);
    const agreement = await knownAgreement(services, state);
    // A job that could not be looked at until it expired.
    if (agreement === null) return { events: [{ type: "WindowClosed" }] };
    const escrow = await venueFor(services, agreement).state(state, final.number);
    return holdsSubmission(escrow, state.submissionHash)
      ? { events: [{ type: "WindowClosed" }] }
      : { wait: "poll" };
  };
}
