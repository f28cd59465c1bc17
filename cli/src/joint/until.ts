import { setTimeout as sleep } from "node:timers/promises";
import type { WorkflowState } from "@assay/evidence";
import type { Hex } from "@assay/protocol";
import { PendingError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Workflow } from "./workflows.ts";

const POLL_MILLISECONDS = 1_000;

/**
 * Waits until a call has had its effect in finalized state.
 *
 * @param seconds how long.
 * @throws PendingError when it has not by then; whoever asks again goes on, since a call that came through is not sent
 * a second time.
 */
export async function untilFinal(
  io: Io,
  workflow: Workflow,
  transactionHash: Hex,
  seconds: number,
  isThere: (state: WorkflowState) => boolean,
): Promise<WorkflowState> {
  io.diagnose(`Sent to ${workflow.network.name} in ${transactionHash}; it counts once it is final …`);
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const state = await workflow.read();
    if (isThere(state)) return state;
    if (performance.now() > deadline)
      throw new PendingError(
        transactionHash,
        `the workflow is still ${state.state} after ${seconds} s`,
        "Run the same command again: it looks first, and sends only what is not there. GenLayer's explorer tells why a transaction failed.",
      );
    await sleep(POLL_MILLISECONDS);
  }
}
