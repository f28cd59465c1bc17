import { CODES, ROUNDS, leavesDoubt, plannedOutcomes } from "./plan.ts";
import type { Ending, SimulatedDeal } from "./simulation.ts";

/** What a seed's world came to, held against the chain's own truth. */
export interface Judgement {
  readonly seed: number;
  readonly agreements: number;
  readonly settled: number;
  /** Times that operators were started beyond once each. */
  readonly restarts: number;
  /** Could and should have been settled, or was left open for ever. */
  readonly lost: readonly string[];
  /** Settled, signed or sent more than once. */
  readonly duplicated: readonly string[];
  /** Settled otherwise than the judge decided. */
  readonly wrong: readonly string[];
}

/** Compares what happened with what should have. */
export function judge(ending: Ending): Judgement {
  const { plan, evm, deals } = ending;
  const lost: string[] = [];
  const duplicated: string[] = [];
  const wrong: string[] = [];
  let settled = 0;
  for (const deal of deals) {
    const settlements = evm.settlements.filter(({ agreementId }) => agreementId === deal.agreementId);
    const right = rightOutcomes(ending, deal);
    const name = `agreement ${deal.agreementId.slice(0, 10)}`;
    if (settlements.length > 1) duplicated.push(`${name} was settled ${settlements.length} times`);
    for (const { verdict } of settlements) {
      settled++;
      if (!right.includes(verdict.outcome) || verdict.submissionHash !== deal.submissionHash)
        wrong.push(
          `${name} was settled with outcome ${verdict.outcome}, right is ${right.join(" or ") || "none"}`,
        );
    }
    if (settlements.length === 0 && mustSettle(ending, deal))
      lost.push(`${name} was not settled, right is ${plannedOutcomes(deal).join(" or ")}`);
  }
  for (const [name, digests] of ending.signatures)
    if (digests.size > 1) duplicated.push(`${name} signed ${digests.size} certificates`);
  for (const name of ending.signedWhileHalted) wrong.push(`${name} was signed while signing was halted`);
  duplicated.push(...needlessSends(ending));
  for (const [name, state] of ending.states)
    if (!["SETTLED", "EXPIRED", "ORPHANED", "QUARANTINED", "CONFLICT"].includes(state) && !isHalted(ending))
      lost.push(`${name} is still ${state}`);
  return {
    seed: plan.seed,
    agreements: deals.length,
    settled,
    restarts: ending.starts - (plan.liar === null ? plan.operators : plan.operators - 1),
    lost,
    duplicated,
    wrong,
  };
}

/** Codes of the outcomes that the judge's own state allows. */
function rightOutcomes({ genLayer, plan }: Ending, deal: SimulatedDeal): readonly number[] {
  if (deal.withheld) return [CODES.WITHHELD];
  // Whatever was decided before a reset is gone with it; the plan tells what it can have been.
  if (plan.genLayer.resetAt !== null) return plannedOutcomes(deal);
  const own = genLayer.transactions.filter(({ agreementId }) => agreementId === deal.agreementId);
  const ends = own.map((transaction) => ({ ...genLayer.endOf(transaction), plan: transaction.plan }));
  const rounds = ends.filter(({ isFinal, plan: end }) => isFinal && end !== "CANCELED");
  const first = rounds.find(({ hasRecord }) => hasRecord);
  const record = first?.plan === "PASS" ? [CODES.PASS] : first?.plan === "FAIL" ? [CODES.FAIL] : [];
  const isUsedUp =
    rounds.slice(0, ROUNDS).length === ROUNDS && rounds.slice(0, ROUNDS).every((end) => !end.hasRecord);
  return [...record, ...(isUsedUp ? [CODES.UNDETERMINED] : [])];
}

/** Whether nothing in the plan makes it right to leave the decision to the clocks. */
function mustSettle(ending: Ending, deal: SimulatedDeal): boolean {
  const { plan, evm } = ending;
  if (deal.conceded !== null && evm.settlements.every(({ agreementId }) => agreementId !== deal.agreementId))
    return false;
  if (plannedOutcomes(deal).length === 0) return false;
  return !leavesDoubt(plan);
}

function isHalted({ plan }: Ending): boolean {
  return plan.deepReorgAt !== null;
}

/** Adjudications that a relayer sent while its earlier one for the same agreement was under way or had a record. */
function needlessSends({ genLayer, deals, relayers }: Ending): readonly string[] {
  const faults: string[] = [];
  for (const { agreementId } of deals)
    for (const relayer of relayers) {
      const sent = genLayer.transactions.filter(
        (entry) => entry.agreementId === agreementId && entry.sender === relayer,
      );
      for (const [nth, later] of sent.entries())
        for (const earlier of sent.slice(0, nth)) {
          const finalAt =
            earlier.createdAt + (genLayer.looksToFinal - 1) * (genLayer.millisecondsPerLook ?? 0);
          if (later.createdAt < finalAt || genLayer.endOf(earlier).hasRecord)
            faults.push(`${relayer} sent agreement ${agreementId.slice(0, 10)} to the judge again`);
        }
    }
  return faults;
}
