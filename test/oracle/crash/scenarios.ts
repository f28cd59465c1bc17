import { adjudicatorConfigOf, OUTCOME_CODES, outcomeForRole, type Hex } from "@assay/protocol";
import { around, deathsOf, ENDINGS, READING, type Death, type Ending } from "../support/deaths.ts";
import { jobOf } from "../support/job-world.ts";
import { ROLES, createWorkflow, deliveryOf, jointDealOf } from "../support/joint-deal.ts";
import { CHAIN_ID } from "../support/sim-evm.ts";
import { COMMERCE, EVALUATOR, SimJobs } from "../support/sim-jobs.ts";
import { hash } from "../support/states.ts";
import { ADDRESSES, dealOf, submissionOf, type World } from "../support/world.ts";

/** A world in which something was agreed and paid for. */
export interface Stage {
  /** What the operator is given. */
  readonly documents: readonly Uint8Array[];
  readonly submit: () => void;
  /** Code of the certificate that ends each agreement or job; nobody else is signed for. */
  readonly ends: readonly (readonly [Hex, number])[];
  /** Transactions that the judge is to see. */
  readonly judged: number;
}

/** One way through the operator's work, with the places to die on it. */
export interface Scenario {
  readonly name: string;
  readonly deaths: readonly Death[];
  /** Settings of the operator, beside a world's own. */
  readonly env: Readonly<Record<string, string>>;
  set(world: World): Promise<Stage>;
}

/** An agreement of one seller. */
function sole(ending: Ending): Scenario {
  const { outcome, code, plans } = ending;
  return {
    name: outcome,
    deaths: deathsOf(ending),
    env: {},
    set(world) {
      world.genLayer.plans = [...plans];
      const deal = dealOf(world);
      const agreementId = world.evm.fund(deal.terms);
      const submission = submissionOf(agreementId);
      const isWithheld = outcome === "WITHHELD";
      return Promise.resolve({
        documents: [deal.agreementBytes, ...(isWithheld ? [] : [submission.bytes])],
        submit: () => {
          world.evm.submit(agreementId, isWithheld ? hash(0x77) : submission.hash);
        },
        ends: [[agreementId, code]],
        judged: plans.length,
      });
    },
  };
}

/** A job of an ERC-8183 contract. */
function job(ending: Ending): Scenario {
  const { outcome, code, plans } = ending;
  return {
    name: `a job's ${outcome}`,
    deaths: deathsOf(ending),
    env: { ASSAY_ERC8183_CONTRACTS: COMMERCE, ASSAY_ERC8183_EVALUATOR: EVALUATOR },
    set(world) {
      world.evm.jobs = new SimJobs(CHAIN_ID, adjudicatorConfigOf([ADDRESSES.attester], 1));
      world.genLayer.plans = [...plans];
      const deal = dealOf(world);
      const key = world.evm.createJob(jobOf(world, deal));
      const submission = submissionOf(key);
      return Promise.resolve({
        documents: [deal.agreementBytes, submission.bytes],
        submit: () => {
          world.evm.submitJob(key, submission.hash);
        },
        ends: [[key, code]],
        judged: plans.length,
      });
    },
  };
}

const VERDICT = "AGENT_A_FAULT";

/** Both sides of a joint agreement. */
function joint(
  name: string,
  what: {
    readonly deaths: readonly Death[];
    /** Whether no assessment comes to a record. */
    readonly undetermined?: boolean;
    /** Whether the agent of side B gives its workflow something else than it submits. */
    readonly betrayed?: boolean;
  },
): Scenario {
  const { undetermined = false, betrayed = false } = what;
  return {
    name,
    deaths: what.deaths,
    env: {},
    async set(world) {
      const { evm, genLayer } = world;
      genLayer.workflows.verdicts = [VERDICT];
      genLayer.planOf = (_workflow, nth, method) =>
        method !== "assess" || !undetermined ? "PASS" : nth === 0 ? "UNDETERMINED" : "LEADER_TIMEOUT";
      const deal = jointDealOf(world);
      const { sides } = deal.plan;
      const workflow = createWorkflow(world, deal);
      if (betrayed) workflow.outputs.B = "Something else.";
      for (const role of ROLES) evm.fund(sides[role].terms);
      const deliveries = { A: await deliveryOf(deal, "A"), B: await deliveryOf(deal, "B") };
      const code = (role: "A" | "B") =>
        undetermined ? OUTCOME_CODES.UNDETERMINED : OUTCOME_CODES[outcomeForRole(VERDICT, role)];
      return {
        documents: [deal.bytes, deliveries.A.bytes, deliveries.B.bytes],
        submit: () => {
          for (const role of ROLES) evm.submit(sides[role].agreementId, deliveries[role].hash);
        },
        ends: betrayed
          ? [[sides.B.agreementId, OUTCOME_CODES.WITHHELD]]
          : ROLES.map((role) => [sides[role].agreementId, code(role)] as const),
        // Each output is carried once; then side A's work asks, as often as there are rounds.
        judged: betrayed ? 0 : ROLES.length + (undetermined ? 2 : 1),
      };
    },
  };
}

export const SOLE: readonly Scenario[] = ENDINGS.map(sole);

export const JOBS: readonly Scenario[] = ENDINGS.filter(({ outcome }) => outcome === "PASS").map(job);

export const JOINT: readonly Scenario[] = [
  joint("a joint agreement", {
    deaths: [
      ...READING,
      ...around("anchor", 1, 2),
      ...around("collectDocuments", 1, 2),
      // Each side's work journals the send of its output, sends it and ends it; then side A's does so with the request.
      ...around("relay", 1, 2, 3, 4, 5, 6, 7, 8, 9),
      ...around("findJudgeTransaction"),
      ...around("readJudge", 1, 2),
      // Both certificates at once.
      ...around("attest"),
      ...around("collectAttestations", 1, 2),
      ...around("prepareSettlement", 1, 2),
      ...around("broadcastSettlement", 1, 2),
      ...around("confirmSettlement", 1, 2),
    ],
  }),
  joint("a joint agreement's UNDETERMINED", {
    undetermined: true,
    deaths: [...around("countRounds", 1, 2, 3), ...around("relay", 7, 8), ...around("attest")],
  }),
  joint("a joint agreement's one side WITHHELD", {
    betrayed: true,
    deaths: [...around("relay"), ...around("attest"), ...around("prepareSettlement")],
  }),
];
