import { createOperator, OperatorError, type OperatorView } from "@assay/evidence";
import type { Hex, StatusName, Terms } from "@assay/protocol";
import { UnavailableError } from "../errors.ts";
import { readState } from "../escrow/contracts.ts";
import { readHistory, type EscrowEvent } from "../escrow/events.ts";
import type { Session } from "../session.ts";

/** An event, and whether its block is final. */
export interface DatedEvent extends EscrowEvent {
  readonly final: boolean;
}

/** How far one operator says that it is with the submission; its own word. */
export interface OperatorProgress {
  readonly origin: string;
  /** Null when it has not seen the agreement, or nothing was submitted, or it can't be asked. */
  readonly state: string | null;
  readonly stages: readonly { readonly stage: string; readonly at: string | null }[];
  readonly outcome: string | null;
  readonly requirements: readonly {
    readonly id: string;
    readonly result: string;
    readonly decidedBy: string;
  }[];
  /** Why it leaves the agreement alone, is stuck, or can't be asked. */
  readonly problem: string | null;
}

/** Everything about an agreement at one moment. */
export interface Snapshot {
  readonly agreementId: Hex;
  readonly status: StatusName;
  readonly terms: Terms;
  readonly submissionHash: Hex | null;
  readonly events: readonly DatedEvent[];
  readonly operators: readonly OperatorProgress[];
  /** Whether the agreement has ended in a final block. */
  readonly over: boolean;
  /** The chain's time. */
  readonly now: number;
}

const ENDED: readonly StatusName[] = ["Released", "Refunded", "Split"];

/**
 * Reads chain and operators.
 *
 * @throws UnavailableError when the chain can't be asked or knows no such agreement.
 */
export async function takeSnapshot({ network, node }: Session, agreementId: Hex): Promise<Snapshot> {
  const [history, { status }, finalHeight, head, operators] = await Promise.all([
    readHistory(network, network.chainId, agreementId),
    readState(node, network.escrow, agreementId),
    node.finalHeight(),
    node.head(),
    Promise.all(network.operators.map((url) => progressAt(url, agreementId))),
  ]);
  if (history === null)
    throw new UnavailableError(
      `the escrow at ${network.escrow} knows no agreement ${agreementId}`,
      "It has to be funded first; check the id, the network and --from-block.",
    );
  const events = history.events.map((event) => ({
    ...event,
    final: finalHeight !== null && event.blockNumber <= finalHeight,
  }));
  const submitted = events.find(({ name }) => name === "Submitted");
  return {
    agreementId,
    status,
    terms: history.terms,
    submissionHash: (submitted?.data["submissionHash"] as Hex | undefined) ?? null,
    events,
    operators,
    over: ENDED.includes(status) && events.every(({ final }) => final || finalHeight === null),
    now: head.timestamp,
  };
}

async function progressAt(url: string, agreementId: Hex): Promise<OperatorProgress> {
  const operator = createOperator(url);
  try {
    return progressOf(operator.origin, await operator.agreement(agreementId));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { ...progressOf(operator.origin, null), problem: error.message };
  }
}

function progressOf(origin: string, view: OperatorView | null): OperatorProgress {
  const submission = view?.submissions.at(-1);
  return {
    origin,
    state: submission?.state ?? null,
    stages: submission?.stages ?? [],
    outcome: submission?.verdict?.outcome ?? null,
    requirements: submission?.requirements ?? [],
    problem: view?.ignoredReason ?? submission?.reason ?? submission?.lastError ?? null,
  };
}
