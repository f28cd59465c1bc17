import {
  canonicalize,
  verdictDigest,
  verdictOf,
  verdictTypedData,
  type Hex,
  type Verdict,
  type VerdictRecord,
} from "@assay/protocol";
import { transition, type SubmissionState } from "../core/index.ts";
import { holdsSubmission } from "../judge/conditions.ts";
import { recentOf } from "../run/recent.ts";
import { chainView, type Services } from "../run/services.ts";
import { NotYetError, type Handler } from "../run/step.ts";
import { recoverSigner } from "../signer/index.ts";
import {
  keyOf,
  type AttestationRow,
  type SignedVerdict,
  type SubmissionChange,
  type SubmissionKey,
} from "../store/index.ts";
import { agreementOf, venueFor, venueOf, type Venue } from "../venue/index.ts";
import { verdictRecord } from "./verdict.ts";
import { jointDifference, jointSide } from "./joint.ts";

/** A certificate with what is signed, and the record that it is about. */
interface Certificate {
  readonly verdict: Verdict;
  readonly digest: Hex;
  readonly record: VerdictRecord;
}

/** Certificates kept at hand: each follows from the terms and the record, which the names of both commit to. */
const certificates = recentOf<Certificate>(1_024);

/** The certificate that this operator holds to be true, rebuilt from the stored record. */
export async function certificateOf(services: Services, state: SubmissionState): Promise<Certificate> {
  const { config } = services;
  const name = `${state.agreementId} ${String(state.verdict?.verdictHash)}`;
  const known = certificates(services).get(name);
  if (known !== null) return known;
  const record = state.verdict === null ? null : await verdictRecord(services, state.verdict.verdictHash);
  if (record === null) throw new NotYetError("the verdict record is missing");
  const agreement = await agreementOf(services, state);
  const { verifier } = venueFor(services, agreement);
  const verdict = verdictOf(record, agreement.terms.adjudicateBy);
  const digest = verdictDigest(verdict, config.evm.chainId, verifier);
  const certificate = { verdict, digest, record };
  certificates(services).keep(name, certificate);
  return certificate;
}

/** What is written when a submission's certificate is signed. */
export interface SignedCertificate {
  readonly signed: SignedVerdict;
  readonly attestation: AttestationRow;
}

/** This operator's signature over a certificate; the one that it made before, if it did. */
async function signCertificate(
  { attester, config }: Services,
  { contract: escrow, verifier }: Venue,
  key: SubmissionKey,
  { verdict, digest, record }: Certificate,
  earlier: SignedVerdict | null,
): Promise<SignedCertificate> {
  const operator = attester.address;
  const signature =
    earlier?.signature ??
    (await attester.signTypedData(verdictTypedData(verdict, config.evm.chainId, verifier)));
  return {
    signed: {
      escrow,
      key,
      digest,
      operator,
      verdict: JSON.stringify(verdict),
      record: canonicalize(record),
      signature,
    },
    attestation: { digest, operator, key, signature },
  };
}

/** Signs the certificate, once, if the escrow still waits for it; both certificates of a joint agreement, or neither. */
export function createAttestHandler(services: Services): Handler {
  const { store } = services;
  return async ({ state }) => {
    const halt = services.haltReason();
    if (halt !== null) throw new NotYetError(`signing is halted: ${halt}`);
    const { final } = chainView(services);
    const venue = await venueOf(services, state);
    const escrow = await venue.state(state, final.number);
    if (!holdsSubmission(escrow, state.submissionHash))
      return { wait: "poll", note: `the escrow is ${escrow.status}` };

    const key = keyOf(state);
    const certificate = await certificateOf(services, state);
    const earlier = await store.signed(venue.contract, key);
    if (earlier !== null && earlier.digest !== certificate.digest)
      return {
        events: [
          {
            type: "Disagreement",
            reason: `this operator already signed ${earlier.digest}, now it reads ${certificate.digest}`,
          },
        ],
      };
    // What is signed is signed: a restored database never weighs it again.
    const partner = earlier === null ? await partnerToSign(services, state) : null;
    if (typeof partner === "string") return { wait: "poll", note: partner };
    const own = await signCertificate(services, venue, key, certificate, earlier);
    const all = partner === null ? [own] : [own, partner.certificate];
    return {
      events: [{ type: "Attested", digest: certificate.digest }],
      change: {
        signed: all.map(({ signed }) => signed),
        attestations: all.map(({ attestation }) => attestation),
      },
      ...(partner === null ? {} : { others: [partner.change] }),
    };
  };
}

/** The other side's certificate with the change that goes with its signature. */
interface PartnerToSign {
  readonly certificate: SignedCertificate;
  readonly change: SubmissionChange;
}

/**
 * The other side of a joint agreement, when both sides can be signed now. Null when there is none to look at: an
 * agreement of one seller, or a submission that was withheld, which no workflow decided.
 *
 * @returns why not, in words, as long as the other side can't be signed.
 */
async function partnerToSign(
  services: Services,
  state: SubmissionState,
): Promise<PartnerToSign | string | null> {
  if (state.verdict?.outcome === "WITHHELD") return null;
  const side = await jointSide(services, state);
  if (side === null) return null;
  const { store, config, clock, chain } = services;
  // A workflow's sides are both of the escrow: see `documents/collect.ts`.
  const venue = await venueOf(services, state);
  const escrow = await chain.escrowState(side.partnerId, chainView(services).final.number);
  const rows = await store.submissionsOf(side.partnerId);
  const row = rows.find((found) => holdsSubmission(escrow, found.state.submissionHash));
  if (row === undefined)
    return `the other side's escrow agreement is ${escrow.status}: without both, neither is signed`;
  if (row.state.name !== "VERDICT_FINAL") return `the other side is ${row.state.name}`;
  const own = await certificateOf(services, state);
  const other = await certificateOf(services, row.state);
  const difference = jointDifference(own.record, other.record);
  if (difference !== null) throw new NotYetError(`the verdicts of the two sides differ in ${difference}`);
  const key = keyOf(row.state);
  const earlier = await store.signed(config.evm.escrow, key);
  if (earlier !== null && earlier.digest !== other.digest)
    return `this operator already signed ${earlier.digest} for the other side`;
  const event = { type: "Attested", digest: other.digest } as const;
  const after = transition(row.state, event).state;
  return {
    certificate: await signCertificate(services, venue, key, other, earlier),
    change: { before: row, after, events: [event.type], nextAt: clock.now() },
  };
}

/** Collects the members' signatures over our digest until there are enough. A member's other digest is a conflict. */
export function createCollectHandler(services: Services): Handler {
  const { store, peers, config, attester, logger } = services;
  const { addresses, threshold } = config.members;
  return async ({ state }) => {
    const key = keyOf(state);
    const venue = await venueOf(services, state);
    const { digest } = await certificateOf(services, state);
    const held = (await store.attestations(key)).filter((row) => row.digest === digest);
    const members = new Set(held.map((row) => row.operator));
    const fresh: AttestationRow[] = [];
    if (members.size < threshold)
      for (const offered of await peers.attestations(state.agreementId)) {
        const { verdict, operator, signature } = offered;
        if (!addresses.includes(operator) || operator === attester.address) continue;
        if (verdict.escrow !== venue.contract) continue;
        if (verdict.agreementId !== key.agreementId || verdict.submissionHash !== key.submissionHash)
          continue;
        const offeredDigest = verdictDigest(verdict, config.evm.chainId, venue.verifier);
        if (recoverSigner(offeredDigest, signature) !== operator) continue;
        if (offeredDigest !== digest)
          return {
            events: [
              {
                type: "Disagreement",
                reason: `operator ${operator} at ${offered.origin} signed ${offeredDigest}, we hold ${digest}`,
              },
            ],
            change: { attestations: [{ digest: offeredDigest, operator, key, signature }] },
          };
        // A signature proves itself wherever it lies; a place that serves another's is not what was announced.
        if (offered.member !== null && offered.member !== operator) {
          logger.warn(
            { origin: offered.origin, announced: offered.member, operator },
            "Served another's signature",
          );
          continue;
        }
        if (members.has(operator)) continue;
        members.add(operator);
        fresh.push({ digest, operator, key, signature });
      }
    if (members.size >= threshold)
      return {
        events: [{ type: "QuorumReached", at: chainView(services).latest.timestamp }],
        change: { attestations: fresh },
      };
    return {
      wait: "poll",
      note: `${members.size} of ${threshold} signatures`,
      ...(fresh.length > 0 ? { change: { attestations: fresh } } : {}),
    };
  };
}
