import type { Hex } from "@assay/protocol";
import { lowestFreeNonce, type SubmissionState } from "../core/index.ts";
import type { Nudge, Subject } from "../judge/index.ts";
import { chainView, rankOf, relayChain, type Services, type Step } from "../run/index.ts";
import type { Commit, OutboxRow } from "../store/index.ts";
import { relayReceipt } from "./outbox.ts";
import { unstick } from "./receipt.ts";

/**
 * Asks a testnet to finalize a judge transaction whose window has ended, when nobody else does: by rank, signed and
 * journalled before it is sent like any other send of the relayer's key. A second one changes nothing.
 */
export function createNudge(services: Services): Nudge {
  const { judge, store, config } = services;
  /** Chain time at which each transaction was first seen waiting. Forgotten by a restart, which only costs time. */
  const waitingSince = new Map<Hex, number>();

  /** The nudge under way. The adjudication's own send has its receipt by now, so it is open no more. */
  async function openOf({ agreementId, submissionHash }: SubmissionState): Promise<OutboxRow | null> {
    const outbox = await store.openOutbox({ agreementId, submissionHash }, "relay");
    return outbox?.status === "open" ? outbox : null;
  }

  async function sign(state: SubmissionState, judgeTx: Hex): Promise<Step> {
    const open = await store.openNonces(relayChain(services), judge.relayer);
    const nonce = lowestFreeNonce(await judge.nonce(), open);
    const { agreementId, submissionHash } = state;
    return {
      wait: "poll",
      change: {
        outbox: [
          {
            key: { agreementId, submissionHash },
            purpose: "relay",
            chain: relayChain(services),
            signer: judge.relayer,
            transaction: await judge.prepareFinalization(judgeTx, nonce),
          },
        ],
      },
    };
  }

  return {
    async waiting(
      state: SubmissionState,
      { agreement }: Pick<Subject, "agreement">,
      judgeTx: Hex,
    ): Promise<Step> {
      const idle: Step = {
        wait: "judgePoll",
        note: "waiting for somebody to finalize the judge transaction",
      };
      if (judge.network.kind !== "testnet" || services.haltReason() !== null) return idle;
      const outbox = await openOf(state);
      if (outbox !== null) {
        const attempt = outbox.attempts.at(-1);
        if (attempt === undefined) return idle;
        if ((await relayReceipt(services, outbox)) !== null)
          return { ...idle, change: { outboxStatus: [{ outboxId: outbox.id, status: "included" }] } };
        const step = await unstick(services, { outbox, attempt });
        // Its failure is no failure of the round: it is signed anew if the transaction still waits.
        return "events" in step ? { ...idle, ...(step.change && { change: step.change }) } : step;
      }
      const now = chainView(services).latest.timestamp;
      const since = waitingSince.get(judgeTx) ?? now;
      waitingSince.set(judgeTx, since);
      const rank = rankOf(state.agreementId, judge.relayer, agreement.adjudication.relayers);
      if (rank === null || now < since + rank * config.rankSeconds) return idle;
      return sign(state, judgeTx);
    },

    async over(state: SubmissionState): Promise<Pick<Commit, "outboxStatus">> {
      if (state.judgeTx !== null) waitingSince.delete(state.judgeTx);
      const outbox = judge.network.kind === "testnet" ? await openOf(state) : null;
      if (outbox === null) return {};
      const status = (await relayReceipt(services, outbox)) === null ? "closed" : "included";
      return { outboxStatus: [{ outboxId: outbox.id, status }] };
    },
  };
}
