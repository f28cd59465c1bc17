import { isSameAddress } from "../primitives/address.ts";
import type { Hex } from "../primitives/hex.ts";
import type { AgreementFact, Ending } from "./agreement-fact.ts";
import { ReputationError } from "./error.ts";
import type { LifecycleEvent } from "./lifecycle-event.ts";

/** An agreement's facts so far, and the certificate that was delivered for it in this transaction. */
interface Life {
  fact: AgreementFact;
  certified: (LifecycleEvent & { name: "Certified" }) | null;
}

/**
 * Derives every agreement's facts from the chain.
 *
 * @param events all lifecycle events since the escrow's deployment, in the chain's order (block, then log index).
 * @returns one fact for each agreement, in the order in which they were funded.
 * @throws ReputationError `agreement_unknown`, `agreement_duplicated` or `event_unexpected` when events are missing,
 * doubled or out of order.
 */
export function factsFromEvents(events: Iterable<LifecycleEvent>): AgreementFact[] {
  const lives = new Map<Hex, Life>();
  for (const event of events) {
    const life = lives.get(event.agreementId);
    if (event.name === "Funded") {
      if (life !== undefined) throw duplicated(event.agreementId);
      lives.set(event.agreementId, { fact: funded(event), certified: null });
    } else if (life === undefined) {
      throw new ReputationError(
        "agreement_unknown",
        `${event.name} of agreement ${event.agreementId} came without its Funded`,
        "Read the escrow's logs from the block of its deployment on, without a gap and in order.",
      );
    } else {
      step(life, event);
    }
  }
  return [...lives.values()].map(({ fact }) => fact);
}

function funded({ agreementId, timestamp, terms }: LifecycleEvent & { name: "Funded" }): AgreementFact {
  const { buyer, seller, reward, agreementHash, adjudicator, adjudicatorConfig, deliverBy } = terms;
  return {
    ...{ agreementId, buyer, seller, reward, agreementHash, adjudicator, adjudicatorConfig, deliverBy },
    ...{ fundedAt: timestamp, acceptedAt: null, submittedAt: null, end: null },
  };
}

function step(life: Life, event: Exclude<LifecycleEvent, { name: "Funded" }>): void {
  const { fact } = life;
  if (fact.end !== null) throw unexpected(event, `ended as ${fact.end.as}`);
  switch (event.name) {
    case "Accepted":
      if (fact.acceptedAt !== null) throw unexpected(event, "was accepted");
      life.fact = { ...fact, acceptedAt: event.timestamp };
      return;
    case "Submitted":
      if (fact.submittedAt !== null) throw unexpected(event, "was submitted");
      // Submitting is accepting.
      life.fact = { ...fact, acceptedAt: fact.acceptedAt ?? event.timestamp, submittedAt: event.timestamp };
      return;
    case "Certified":
      life.certified = event;
      return;
    default: {
      requirePossible(fact, event);
      const [as, sellerAmount] = endOf(life, event);
      life.fact = { ...fact, end: { at: event.timestamp, as, sellerAmount } };
    }
  }
}

type EndEvent = Exclude<LifecycleEvent, { name: "Funded" | "Accepted" | "Submitted" | "Certified" }>;

/** What the escrow would not have done was done after an event that is missing here. */
function requirePossible({ submittedAt, acceptedAt }: AgreementFact, event: EndEvent): void {
  const ruled = event.name === "Released" || event.name === "Refunded" || event.name === "Concluded";
  if (ruled && submittedAt === null) throw unexpected(event, "was not submitted");
  if (event.name === "Cancelled" && acceptedAt !== null) throw unexpected(event, "was accepted");
}

/** How an event ends an agreement, and the seller's share. */
function endOf({ fact, certified }: Life, event: EndEvent): [Ending, bigint] {
  switch (event.name) {
    case "Released":
      return ["passed", fact.reward];
    case "Refunded":
      // The escrow knows one refund; whether it was for a FAIL or a WITHHELD stands in the certificate.
      return [certified?.outcome === "WITHHELD" ? "withheld" : "failed", 0n];
    case "Concluded":
      return ["undetermined", event.sellerAmount];
    case "Cancelled":
      return ["cancelled", 0n];
    case "Conceded":
      if (isSameAddress(event.conceder, fact.buyer)) return ["concededByBuyer", fact.reward];
      return [fact.acceptedAt === null ? "declined" : "concededBySeller", 0n];
    case "Settled":
      return ["settled", event.sellerAmount];
    case "Expired":
      if (fact.submittedAt !== null) return ["unjudged", event.sellerAmount];
      return [fact.acceptedAt === null ? "lapsed" : "noShows", event.sellerAmount];
  }
}

function duplicated(agreementId: Hex): ReputationError {
  return new ReputationError(
    "agreement_duplicated",
    `Agreement ${agreementId} was funded twice`,
    "Give each log once.",
  );
}

function unexpected({ name, agreementId }: LifecycleEvent, state: string): ReputationError {
  return new ReputationError(
    "event_unexpected",
    `${name} of agreement ${agreementId}, which ${state} before`,
    "Give each log once, in the chain's order: by block, then by log index.",
  );
}
