import { holdsSubmission } from "../judge/conditions.ts";
import { chainView, type Services } from "../run/services.ts";
import { NotYetError, type Handler } from "../run/step.ts";

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
    const escrow = await chain.escrowState(state.agreementId, final.number);
    if (holdsSubmission(escrow, state.submissionHash)) return { events: [{ type: "Anchored" }] };
    // Settled or closed within the same stretch of final blocks: its log says so, and is or will be ingested.
    if (["Released", "Refunded", "Split"].includes(escrow.status)) return { wait: "poll" };
    throw new NotYetError(`the escrow reads ${escrow.status}, its log says that the submission stands`);
  };
}

/**
 * Ends what can't be settled any more: a final block is later than the last second for a verdict, and the escrow
 * still holds the submission. Whoever calls `expire` then pays by the agreed default.
 */
export function createWindowHandler(services: Services): Handler {
  const { chain } = services;
  return async ({ state }) => {
    const { final } = chainView(services);
    const escrow = await chain.escrowState(state.agreementId, final.number);
    return holdsSubmission(escrow, state.submissionHash)
      ? { events: [{ type: "WindowClosed" }] }
      : { wait: "poll" };
  };
}
