import {
  OUTCOME_CODES,
  RESPONSIBILITY_VERDICTS,
  adjudicatorConfigOf,
  otherRole,
  outcomeForRole,
  type Address,
  type Hex,
} from "@assay/protocol";
import { jobOf } from "../support/job-world.ts";
import { ROLES, createWorkflow, deliveryOf, jointDealOf } from "../support/joint-deal.ts";
import type { SimEvm } from "../support/sim-evm.ts";
import type { SimGenLayer } from "../support/sim-genlayer.ts";
import { hash } from "../support/states.ts";
import { dealOf, submissionOf } from "../support/world.ts";
import type { JointDeal, SoleDeal } from "./deals.ts";
import type { SimulatedDeal } from "./outcomes.ts";

/** Where buyers and sellers meet. */
export interface Market {
  readonly evm: SimEvm;
  readonly genLayer: SimGenLayer;
  readonly members: readonly Address[];
  readonly threshold: number;
  readonly relayers: readonly Address[];
  /** Offers documents to operators until they have taken them. */
  readonly hand: (operators: readonly number[], documents: readonly Uint8Array[]) => void;
  /** Milliseconds from now; at once when they are over. */
  readonly later: (milliseconds: number, act: () => void) => void;
}

/** A buyer funds, and a seller submits. */
export function strike(market: Market, deal: SoleDeal, nth: number): SimulatedDeal {
  const { evm } = market;
  const agreed = dealOf(market, {
    terms: { adjudicatorConfig: adjudicatorConfigOf(market.members, market.threshold), salt: BigInt(nth) },
    adjudication: { relayers: [...market.relayers] },
  });
  const isJob = deal.kind === "job";
  const agreementId = isJob
    ? evm.createJob(jobOf(market, agreed, { jobId: BigInt(nth + 1) }))
    : evm.fund(agreed.terms);
  const submission = submissionOf(agreementId);
  const submissionHash = deal.withheld ? hash(0x70 + nth) : submission.hash;
  if (isJob) evm.submitJob(agreementId, submissionHash);
  else evm.submit(agreementId, submissionHash);
  market.hand(deal.given, [agreed.agreementBytes, ...(deal.withheld ? [] : [submission.bytes])]);
  if (deal.conceded !== null) concede(market, agreementId, deal.conceded);
  return {
    kind: deal.kind,
    agreementId,
    submissionHash,
    subject: agreementId,
    decidedBy: deal.withheld ? "its absence" : "judge",
    judged: deal.judged,
    codes: { PASS: OUTCOME_CODES.PASS, FAIL: OUTCOME_CODES.FAIL },
    partnerId: null,
    concededId: deal.conceded === null ? null : agreementId,
  };
}

/** Two buyers fund both agreements of a joint document, and each agent submits, or breaks its word. */
export async function strikeJointly(
  market: Market,
  deal: JointDeal,
  nth: number,
): Promise<readonly SimulatedDeal[]> {
  const { evm, genLayer } = market;
  const { breach, given, apart } = deal;
  const joint = jointDealOf(market, {
    salt: 100 + nth,
    adjudication: { relayers: [...market.relayers] },
    joint: { adjudicatorConfig: adjudicatorConfigOf(market.members, market.threshold) },
  });
  const { sides, place } = joint.plan;
  genLayer.workflows.verdicts = [
    deal.verdict,
    RESPONSIBILITY_VERDICTS.find((verdict) => verdict !== deal.verdict) ?? deal.verdict,
  ];
  const workflow = createWorkflow(market, joint);
  for (const role of ROLES) evm.fund(sides[role].terms);
  market.hand(given, [joint.bytes]);

  return Promise.all(
    ROLES.map(async (role) => {
      const { agreementId } = sides[role];
      const delivery = await deliveryOf(joint, role);
      const breaks = breach?.role === role ? breach.by : null;
      const submissionHash = breaks === "no document" ? hash(0x78) : delivery.hash;
      if (breaks === "another output") workflow.outputs[role] = "Something else.";
      if (breaks !== "no submission")
        market.later(role === "A" ? -apart : apart, () => {
          evm.submit(agreementId, submissionHash);
          if (breaks !== "no document") market.hand(given, [delivery.bytes]);
          if (breaks === "conceding") concede(market, agreementId, breach?.after ?? 0);
        });
      return {
        kind: "agreement",
        agreementId,
        submissionHash: breaks === "no submission" ? null : submissionHash,
        subject: place.workflowKey,
        decidedBy: decidedBy(breach, breaks),
        judged: deal.judged,
        codes: { PASS: OUTCOME_CODES[outcomeForRole(deal.verdict, role)] },
        partnerId: sides[otherRole(role)].agreementId,
        concededId: breach?.by === "conceding" ? sides[breach.role].agreementId : null,
      } as const;
    }),
  );
}

/** Whoever submits what can't be judged is refunded by that; the other side is left to the clocks. */
function decidedBy(
  breach: JointDeal["breach"],
  own: NonNullable<JointDeal["breach"]>["by"] | null,
): SimulatedDeal["decidedBy"] {
  if (breach === null || breach.by === "conceding") return "judge";
  return own === "no document" || own === "another output" ? "its absence" : "the clocks";
}

function concede({ evm, later }: Market, agreementId: Hex, after: number): void {
  later(after, () => {
    if (evm.statusOf(agreementId) < 4) evm.close(agreementId, "Conceded");
  });
}
