import {
  parseVerdictRecord,
  verdictDigest,
  verdictOf,
  verdictTypedData,
  type Hex,
  type Verdict,
} from "@assay/protocol";
import type { SubmissionState } from "../core/index.ts";
import { holdsSubmission } from "../judge/conditions.ts";
import { termsOf } from "../judge/subject.ts";
import { recentOf } from "../run/recent.ts";
import { chainView, type Services } from "../run/services.ts";
import { NotYetError, type Handler } from "../run/step.ts";
import { recoverSigner } from "../signer/index.ts";
import type { AttestationRow } from "../store/index.ts";

/** A certificate with what is signed, and the record that it is about. */
interface Certificate {
  readonly verdict: Verdict;
  readonly digest: Hex;
  /** Canonical JSON. */
  readonly record: string;
}

/** Certificates kept at hand: each follows from the terms and the record, which the names of both commit to. */
const certificates = recentOf<Certificate>(1_024);

/** The certificate that this operator holds to be true, rebuilt from the stored record. */
export async function certificateOf(services: Services, state: SubmissionState): Promise<Certificate> {
  const { store, config } = services;
  const name = `${state.agreementId} ${String(state.verdict?.verdictHash)}`;
  const known = certificates(services).get(name);
  if (known !== null) return known;
  const stored = state.verdict === null ? null : await store.verdict(state.verdict.verdictHash);
  if (stored === null) throw new NotYetError("the verdict record is missing");
  const terms = await termsOf(services, state);
  const verdict = verdictOf(parseVerdictRecord(stored.record), terms.adjudicateBy);
  const digest = verdictDigest(verdict, config.evm.chainId, config.evm.quorum);
  const certificate = { verdict, digest, record: stored.record };
  certificates(services).keep(name, certificate);
  return certificate;
}

/** Signs the certificate, once, if the escrow still waits for it. */
export function createAttestHandler(services: Services): Handler {
  const { store, chain, attester, config } = services;
  return async ({ state }) => {
    const halt = services.haltReason();
    if (halt !== null) throw new NotYetError(`signing is halted: ${halt}`);
    const { final } = chainView(services);
    const escrow = await chain.escrowState(state.agreementId, final.number);
    if (!holdsSubmission(escrow, state.submissionHash))
      return { wait: "poll", note: `the escrow is ${escrow.status}` };

    const key = { agreementId: state.agreementId, submissionHash: state.submissionHash };
    const { verdict, digest, record } = await certificateOf(services, state);
    const earlier = await store.signed(config.evm.escrow, key);
    if (earlier !== null && earlier.digest !== digest)
      return {
        events: [
          {
            type: "Disagreement",
            reason: `this operator already signed ${earlier.digest}, now it reads ${digest}`,
          },
        ],
      };
    const signature =
      earlier?.signature ??
      (await attester.signTypedData(verdictTypedData(verdict, config.evm.chainId, config.evm.quorum)));
    const attestation: AttestationRow = { digest, operator: attester.address, key, signature };
    return {
      events: [{ type: "Attested", digest }],
      change: {
        signed: [
          {
            escrow: config.evm.escrow,
            key,
            digest,
            operator: attester.address,
            verdict: JSON.stringify(verdict),
            record,
            signature,
          },
        ],
        attestations: [attestation],
      },
    };
  };
}

/** Collects the members' signatures over our digest until there are enough. A member's other digest is a conflict. */
export function createCollectHandler(services: Services): Handler {
  const { store, peers, config, attester, logger } = services;
  const { addresses, threshold } = config.members;
  return async ({ state }) => {
    const key = { agreementId: state.agreementId, submissionHash: state.submissionHash };
    const { digest } = await certificateOf(services, state);
    const held = (await store.attestations(key)).filter((row) => row.digest === digest);
    const members = new Set(held.map((row) => row.operator));
    const fresh: AttestationRow[] = [];
    if (members.size < threshold)
      for (const offered of await peers.attestations(state.agreementId)) {
        const { verdict, operator, signature } = offered;
        if (!addresses.includes(operator) || operator === attester.address) continue;
        if (verdict.escrow !== config.evm.escrow) continue;
        if (verdict.agreementId !== key.agreementId || verdict.submissionHash !== key.submissionHash)
          continue;
        const offeredDigest = verdictDigest(verdict, config.evm.chainId, config.evm.quorum);
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
