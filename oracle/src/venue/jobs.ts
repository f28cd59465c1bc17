import { agreementHashIn, jobDeliveryCalldata, type Hex } from "@assay/protocol";
import { decodeJobLog, deliverableOf } from "../ingest/job-log.ts";
import type { EscrowState } from "../rpc/index.ts";
import type { Services } from "../run/services.ts";
import type { AgreementRow, JobRef } from "../store/index.ts";
import { readJob, type Job } from "./job.ts";
import type { Venue } from "./venue.ts";

/**
 * Most gas that a delivery to a job may take. A hook that the client chose runs within it, and whoever delivers pays for
 * that: without a bound, a hostile client would empty the operators' accounts.
 */
export const MOST_GAS_OF_A_JOB = 1_500_000n;

/** An ERC-8183 contract, whose jobs our evaluator completes or rejects. */
export function jobVenue(
  services: Pick<Services, "chain" | "config">,
  agreement: AgreementRow & { readonly job: JobRef },
): Venue {
  const { chain, config } = services;
  const { job, terms, agreementId } = agreement;

  /** First 31 bytes of the one deliverable that the block of the submission announces; zero when there is none. */
  async function deliverableIn(blockHash: Hex): Promise<Hex> {
    const submitted = (await chain.logs({ blockHash })).flatMap((raw) => {
      if (raw.address !== job.commerce) return [];
      const log = decodeJobLog(raw, config.evm);
      return log?.name === "JobSubmitted" && log.agreementId === agreementId ? [deliverableOf(log)] : [];
    });
    const [deliverable] = submitted;
    return submitted.length === 1 && deliverable !== undefined ? prefixOf(deliverable) : NOTHING;
  }

  return {
    contract: job.commerce,
    verifier: terms.adjudicator,
    mostGas: MOST_GAS_OF_A_JOB,

    async state({ block }, at): Promise<EscrowState> {
      const found = await readJob(chain, job, at);
      if (found === null || !isAsAgreed(found, agreement))
        return { status: "None", submissionHashPrefix: NOTHING };
      return {
        status: found.status,
        submissionHashPrefix: found.status === "Submitted" ? await deliverableIn(block.hash) : NOTHING,
      };
    },

    delivery: (certificate) => jobDeliveryCalldata({ jobId: job.jobId, ...certificate }),
  };
}

const NOTHING: Hex = `0x${"00".repeat(31)}`;

function prefixOf(hash: Hex): Hex {
  return hash.slice(0, 64) as Hex;
}

/** The standard lets nothing of a job change once it is funded; a contract in which something did is not paid from. */
function isAsAgreed(found: Job, { job, terms }: AgreementRow & { readonly job: JobRef }): boolean {
  return (
    found.id === job.jobId &&
    found.client === terms.buyer &&
    found.provider === terms.seller &&
    found.evaluator === terms.adjudicator &&
    found.budget === terms.reward &&
    found.expiredAt === BigInt(terms.adjudicateBy) + 1n &&
    agreementHashIn(found.description) === terms.agreementHash
  );
}
