import { adjudicatorConfigOf, jobCommitment, type Hex } from "@assay/protocol";
import type { Operator } from "../../../oracle/src/index.ts";
import { CHAIN_ID } from "./sim-evm.ts";
import { COMMERCE, EVALUATOR, SimJobs, type SimJob } from "./sim-jobs.ts";
import { ADDRESSES, createWorld, dealOf, put, submissionOf, type Deal, type World } from "./world.ts";

/** A world with an ERC-8183 contract, whose jobs its operator evaluates. */
export async function createJobWorld(
  changes: Record<string, string> = {},
): Promise<World & { readonly jobs: SimJobs }> {
  const world = await createWorld({
    ASSAY_ERC8183_CONTRACTS: COMMERCE,
    ASSAY_ERC8183_EVALUATOR: EVALUATOR,
    ...changes,
  });
  const jobs = new SimJobs(CHAIN_ID, adjudicatorConfigOf([ADDRESSES.attester], 1));
  world.evm.jobs = jobs;
  return { ...world, jobs };
}

/** Seconds from now until a job of `jobOf` expires. */
export const JOB_SECONDS = 7_200;
let jobId = 0n;

/** A funded job that commits to a deal's agreement. */
export function jobOf(world: Pick<World, "evm">, deal: Deal, changes: Partial<SimJob> = {}): SimJob {
  return {
    jobId: ++jobId,
    client: "0x1111111111111111111111111111111111111111",
    provider: "0x2222222222222222222222222222222222222222",
    evaluator: EVALUATOR,
    description: `A small delivery.\n${jobCommitment(deal.terms.agreementHash)}`,
    budget: 25_000_000n,
    expiredAt: world.evm.latest.timestamp + JOB_SECONDS,
    ...changes,
  };
}

/** Makes a job, submits to it, and hands both documents to the operator. */
export async function deliverJob(
  world: World,
  operator: Operator,
  changes: Partial<SimJob> = {},
): Promise<{ readonly key: Hex; readonly submissionHash: Hex; readonly job: SimJob }> {
  const deal = dealOf(world);
  const job = jobOf(world, deal, changes);
  const key = world.evm.createJob(job);
  const submission = submissionOf(key);
  await put(operator, deal.agreementBytes);
  await put(operator, submission.bytes);
  world.evm.submitJob(key, submission.hash);
  return { key, submissionHash: submission.hash, job };
}
