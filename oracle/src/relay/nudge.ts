import type { Hex } from "@assay/protocol";
import type { Nudge, Subject } from "../judge/index.ts";
import { chainView, rankOf, relayLane, type Services, type Step, type Work } from "../run/index.ts";
import type { Commit, OutboxRow } from "../store/index.ts";
import { relayReceipt } from "./outbox.ts";
import { unstick } from "./receipt.ts";

/**
 * Asks a testnet to finalize a judge transaction whose window has ended, when nobody else does: by rank, signed and
 * journalled before it is sent like any other send of the relayer's key. A second one changes nothing.
 */
export function createNudge(services: Services): Nudge {
  const { judge, config } = services;
  /** Chain time at which each transaction was first seen waiting. Forgotten by a restart, which only costs time. */
  const waitingSince = new Map<Hex, number>();

  /** The nudge under way. The adjudication's own send has its receipt by now, so it is open no more. */
  async function openOf({ journal }: Work): Promise<OutboxRow | null> {
    const outbox = await journal.open("relay");
    return outbox?.status === "open" ? outbox : null;
  }

  return {
    async waiting(work: Work, { agreement }: Pick<Subject, "agreement">, judgeTx: Hex): Promise<Step> {
      const idle: Step = {
        wait: "judgePoll",
        note: "waiting for somebody to finalize the judge transaction",
      };
      if (judge.network.kind !== "testnet" || services.haltReason() !== null) return idle;
      const outbox = await openOf(work);
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
      const rank = rankOf(work.state.agreementId, judge.relayer, agreement.adjudication.relayers);
      if (rank === null || now < since + rank * config.rankSeconds) return idle;
      return {
        lane: relayLane(services),
        sign: (nonce) => judge.prepareFinalization(judgeTx, nonce),
        signed: () => ({ wait: "poll" }),
      };
    },

    async over(work: Work): Promise<Pick<Commit, "outboxStatus">> {
      const { judgeTx } = work.state;
      if (judgeTx !== null) waitingSince.delete(judgeTx);
      const outbox = judge.network.kind === "testnet" ? await openOf(work) : null;
      if (outbox === null) return {};
      const status = (await relayReceipt(services, outbox)) === null ? "closed" : "included";
      return { outboxStatus: [{ outboxId: outbox.id, status }] };
    },
  };
}
