import { ZERO_HASH, agreementHashIn, isSameAddress, toAddress, type Address } from "@assay/protocol";
import type { SubmissionState } from "../core/index.ts";
import { partyAmongMembers } from "../ingest/agreement.ts";
import { NotYetError } from "../run/step.ts";
import type { Services } from "../run/services.ts";
import type { AgreementRow, LogRow } from "../store/index.ts";
import { readJob, type Job } from "./job.ts";

/**
 * Reads the job behind a submission at a final block and puts it into an agreement's words: once, when its submission
 * is taken up. From then on nothing in it may change.
 *
 * @returns the agreement, with the reason when this operator leaves it alone.
 * @throws the errors of `EvmChain` when the endpoint can't be asked.
 */
export async function admitJob(
  { store, chain, config }: Pick<Services, "store" | "chain" | "config">,
  { agreementId, adjudicateBy }: SubmissionState,
  finalBlock: number,
): Promise<AgreementRow> {
  const logs = await store.logsOf(agreementId);
  const created = logs.find(({ name }) => name === "JobCreated");
  const submitted = logs.find(({ name }) => name === "JobSubmitted");
  if (created === undefined || submitted === undefined)
    throw new NotYetError("the terms of the agreement are not known");
  const job = {
    commerce: addressIn(created, "commerce"),
    jobId: BigInt(created.data["jobId"] ?? ""),
  };
  const found = await readJob(chain, job, finalBlock);
  const buyer = addressIn(created, "client");
  const seller = addressIn(submitted, "provider");
  return {
    agreementId,
    job,
    terms: {
      buyer,
      seller,
      reward: found?.budget ?? 0n,
      agreementHash: (found && agreementHashIn(found.description)) ?? ZERO_HASH,
      adjudicator: addressIn(created, "evaluator"),
      adjudicatorConfig: config.members.configHash,
      // A job has one clock: until it expires, work is taken and may be judged.
      deliverBy: adjudicateBy,
      adjudicateBy,
      noVerdictSellerBps: 0,
      salt: job.jobId,
    },
    ignoredReason:
      found === null
        ? "its contract tells of it in a way that this operator does not know"
        : (contradiction(found, { created, submitted }) ??
          reasonToIgnore(found) ??
          partyAmongMembers({ buyer, seller }, config.members.addresses)),
  };
}

/** What the contract says now against what it announced. */
function contradiction(
  job: Job,
  { created, submitted }: { readonly created: LogRow; readonly submitted: LogRow },
): string | null {
  const member = (
    [
      ["id", job.id.toString(), created.data["jobId"]],
      ["client", job.client, created.data["client"]],
      ["evaluator", job.evaluator, created.data["evaluator"]],
      ["expiry", job.expiredAt.toString(), created.data["expiredAt"]],
      ["provider", job.provider, submitted.data["provider"]],
    ] as const
  ).find(([, found, announced]) => found !== announced);
  return member === undefined
    ? null
    : `its ${member[0]} reads ${member[1]}, its contract announced ${String(member[2])}`;
}

function reasonToIgnore(job: Job): string | null {
  if (agreementHashIn(job.description) === null)
    return "its description does not commit to one agreement, in a line like assay/agreement/1 sha256:0x…";
  // A judgement costs the operators gas; what nobody paid for is not judged.
  if (job.budget === 0n) return "it has no budget";
  if (isSameAddress(job.client, job.provider)) return "its client is its provider";
  return null;
}

function addressIn(log: LogRow, name: string): Address {
  return toAddress(log.data[name] ?? "");
}
