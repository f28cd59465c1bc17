import type { SubmissionState } from "../core/index.ts";
import { recentOf } from "../run/recent.ts";
import type { Services } from "../run/services.ts";
import { NotYetError } from "../run/step.ts";
import type { AgreementRow } from "../store/index.ts";
import { escrowVenue } from "./escrow.ts";
import { jobVenue } from "./jobs.ts";
import type { Venue } from "./venue.ts";

/** Agreements kept at hand. What is stored of one never changes. */
const agreementsAtHand = recentOf<AgreementRow>(1_024);

/** The agreement under which a submission was made; null for a job that has not been looked at yet. */
export async function knownAgreement(
  services: Services,
  { agreementId }: Pick<SubmissionState, "agreementId">,
): Promise<AgreementRow | null> {
  const recent = agreementsAtHand(services);
  const known = recent.get(agreementId);
  if (known !== null) return known;
  const agreement = await services.store.agreement(agreementId);
  if (agreement !== null) recent.keep(agreementId, agreement);
  return agreement;
}

/** The same. @throws NotYetError when it is not known. */
export async function agreementOf(
  services: Services,
  state: Pick<SubmissionState, "agreementId">,
): Promise<AgreementRow> {
  const agreement = await knownAgreement(services, state);
  if (agreement === null) throw new NotYetError("the terms of the agreement are not known");
  return agreement;
}

/** Where an agreement's money is. */
export function venueFor(services: Pick<Services, "chain" | "config">, agreement: AgreementRow): Venue {
  const { job } = agreement;
  return job === null ? escrowVenue(services, agreement) : jobVenue(services, { ...agreement, job });
}

/** Where the money is that a submission is about. @throws NotYetError when its agreement is not known. */
export async function venueOf(
  services: Services,
  state: Pick<SubmissionState, "agreementId">,
): Promise<Venue> {
  return venueFor(services, await agreementOf(services, state));
}
