export { admitJob } from "./admit.ts";
export { evaluatorInterface, verifyEvaluator } from "./evaluator.ts";
export { readJob, type Job } from "./job.ts";
export { MOST_GAS_OF_A_JOB } from "./jobs.ts";
export { agreementOf, knownAgreement, venueFor, venueOf } from "./of.ts";
export type { SignedVerdict, Venue } from "./venue.ts";
