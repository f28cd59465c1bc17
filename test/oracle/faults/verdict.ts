import { OUTCOME_CODES, type Hex } from "@assay/protocol";
import { ROUNDS, isSettled, moves, plannedOutcomes, type SimulatedDeal } from "./outcomes.ts";
import { leavesDoubt } from "./plan.ts";
import { OVER, type Ending } from "./simulation.ts";

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
  /** Settled or signed otherwise than the judge decided; one side of a joint agreement signed without the other. */
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
    const name = `${deal.kind} ${nameOf(deal.agreementId)}`;
    if (settlements.length > 1) duplicated.push(`${name} was settled ${settlements.length} times`);
    for (const { verdict } of settlements) {
      settled++;
      if (!right.includes(verdict.outcome) || verdict.submissionHash !== deal.submissionHash)
        wrong.push(
          `${name} was settled with outcome ${verdict.outcome}, right is ${right.join(" or ") || "none"}`,
        );
    }
    for (const { operator, agreementId, submissionHash, outcome, whileHalted } of ending.signatures) {
      if (agreementId !== deal.agreementId) continue;
      if (!right.includes(outcome) || submissionHash !== deal.submissionHash)
        wrong.push(`op${operator} signed outcome ${outcome} for ${name}`);
      if (whileHalted) wrong.push(`op${operator} signed for ${name} while signing was halted`);
    }
    if (settlements.length === 0 && mustSettle(ending, deal))
      lost.push(`${name} was not settled, right is ${plannedOutcomes(deal).join(" or ")}`);
    wrong.push(...signedAlone(ending, deal));
  }
  duplicated.push(...signedTwice(ending), ...needlessSends(ending));
  for (const [name, state] of ending.states)
    if (!OVER.includes(state) && !isHalted(ending)) lost.push(`${name} is still ${state}`);
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
  // Whatever was decided before a reset is gone with it; the plan tells what it can have been.
  if (deal.decidedBy !== "judge" || plan.genLayer.resetAt !== null) return plannedOutcomes(deal);
  const own = genLayer.transactions.filter(
    ({ agreementId, method }) => agreementId === deal.subject && method !== "submit_output_signed",
  );
  const ends = own.map((transaction) => ({ ...genLayer.endOf(transaction), plan: transaction.plan }));
  // An assessment that all validators refuse alike is no round.
  const noRounds = deal.partnerId === null ? ["CANCELED"] : ["CANCELED", "ERROR"];
  const rounds = ends.filter(({ isFinal, plan: end }) => isFinal && !noRounds.includes(end));
  const first = rounds.find(({ hasRecord }) => hasRecord);
  const record = first === undefined ? undefined : deal.codes[first.plan];
  const isUsedUp =
    rounds.slice(0, ROUNDS).length === ROUNDS && rounds.slice(0, ROUNDS).every((end) => !end.hasRecord);
  return [...(record === undefined ? [] : [record]), ...(isUsedUp ? [OUTCOME_CODES.UNDETERMINED] : [])];
}

/** Whether nothing in the plan makes it right to leave the decision to the clocks. */
function mustSettle({ plan, evm }: Ending, deal: SimulatedDeal): boolean {
  if (deal.concededId !== null && !isSettled(evm, deal.concededId)) return false;
  if (plannedOutcomes(deal).every((code) => !moves(deal, code))) return false;
  return !leavesDoubt(plan);
}

function isHalted({ plan }: Ending): boolean {
  return plan.deepReorgAt !== null;
}

function nameOf(agreementId: Hex): string {
  return agreementId.slice(0, 10);
}

function signedTwice({ signatures, deals }: Ending): readonly string[] {
  return deals.flatMap(({ agreementId }) => {
    const own = signatures.filter((signature) => signature.agreementId === agreementId);
    return [...new Set(own.map(({ operator }) => operator))].flatMap((operator) => {
      const digests = new Set(own.filter((one) => one.operator === operator).map(({ digest }) => digest));
      return digests.size > 1
        ? [`op${operator} signed ${digests.size} certificates for ${nameOf(agreementId)}`]
        : [];
    });
  });
}

/** What the workflow decided, an operator signs for both sides or for none. */
function signedAlone({ signatures }: Ending, { agreementId, partnerId }: SimulatedDeal): readonly string[] {
  if (partnerId === null) return [];
  const signersOf = (side: Hex) =>
    new Set(
      signatures
        .filter(({ agreementId: id, outcome }) => id === side && outcome !== OUTCOME_CODES.WITHHELD)
        .map(({ operator }) => operator),
    );
  const others = signersOf(partnerId);
  return [...signersOf(agreementId)]
    .filter((operator) => !others.has(operator))
    .map((operator) => `op${operator} signed ${nameOf(agreementId)} without its other side`);
}

/** What a relayer asked the judge while its earlier request of the same was under way or had been carried out. */
function needlessSends({ genLayer, relayers }: Ending): readonly string[] {
  const faults: string[] = [];
  for (const relayer of relayers) {
    const sent = genLayer.transactions.filter(({ sender }) => sender === relayer);
    for (const [nth, later] of sent.entries())
      for (const earlier of sent.slice(0, nth)) {
        if (Buffer.compare(earlier.calldata, later.calldata) !== 0) continue;
        const finalAt = earlier.createdAt + (genLayer.looksToFinal - 1) * (genLayer.millisecondsPerLook ?? 0);
        if (later.createdAt < finalAt || genLayer.endOf(earlier).hasRecord)
          faults.push(
            `${relayer} sent ${later.method} about ${nameOf(later.agreementId)} to the judge again`,
          );
      }
  }
  return faults;
}
