import { AbiCoder } from "ethers";
import {
  ProtocolError,
  adjudicatorConfigOf,
  canonicalize,
  isEcdsaSignedBy,
  isSameAddress,
  parseVerdictRecord,
  verdictDigest,
  verdictOf,
  type Address,
  type Certificate,
  type Hex,
  type Terms,
  type Verdict,
  type VerdictRecord,
} from "@assay/protocol";
import { UnavailableError } from "../error.ts";
import { selectorOf, type Chain } from "../evm/chain.ts";
import { RpcError } from "../rpc.ts";
import { OperatorError, createOperator, type Operator } from "./operator.ts";

/** What verdicts have to be about. */
export interface Subject {
  readonly chainId: number;
  readonly escrow: Address;
  readonly agreementId: Hex;
  readonly terms: Terms;
  /** First 31 bytes of the submission's hash, as the escrow says. */
  readonly submissionHashPrefix: Hex;
}

/** A verdict with everybody whose signature on it is valid. */
export interface Certified {
  readonly record: VerdictRecord;
  readonly certificate: Certificate;
  /** Who signed, in the order of the members. */
  readonly signers: readonly Address[];
}

interface Candidate {
  readonly record: VerdictRecord;
  readonly verdict: Verdict;
  readonly digest: Hex;
  readonly quorum: { readonly members: readonly Address[]; readonly threshold: number };
  readonly signatures: Map<Address, Hex>;
}

/**
 * Collects what operators published about a submission, believes none of it, and puts together the certificate that
 * enough of them validly signed.
 *
 * @param tell told what is wrong with what an operator published.
 * @throws UnavailableError while there is no such certificate.
 */
export async function collectCertificate(
  chain: Chain,
  operators: readonly string[],
  subject: Subject,
  tell: (line: string) => void,
): Promise<Certified> {
  const candidates = new Map<Hex, Candidate>();
  for (const url of operators) await askOperator(chain, createOperator(url), subject, candidates, tell);
  if (candidates.size > 1)
    tell(
      "Warning: operators signed different verdicts about one submission; only one can have enough signatures.",
    );
  const complete = [...candidates.values()].find(
    ({ signatures, quorum }) => signatures.size >= quorum.threshold,
  );
  if (complete !== undefined) return certifiedBy(complete, subject.terms);
  const best = Math.max(0, ...[...candidates.values()].map(({ signatures }) => signatures.size));
  const needed = [...candidates.values()][0]?.quorum.threshold;
  throw new UnavailableError(
    candidates.size === 0
      ? "no operator that was asked has published a verdict on this submission"
      : `only ${best} of the ${needed ?? 1} operators that are needed have published a valid signature`,
    "Wait until the verdict is final, or ask more operators.",
  );
}

async function askOperator(
  chain: Chain,
  operator: Operator,
  subject: Subject,
  candidates: Map<Hex, Candidate>,
  tell: (line: string) => void,
): Promise<void> {
  try {
    const published = await operator.attestation(subject.agreementId);
    if (published === null) {
      tell(`${operator.origin} has published nothing about it yet`);
      return;
    }
    const { quorum, record } = published;
    const fault = faultOf(published, subject);
    if (fault !== null) {
      tell(`${operator.origin}: what it published does not count: ${fault}`);
      return;
    }
    const parsed = parseVerdictRecord(canonicalize(record));
    const verdict = verdictOf(parsed, subject.terms.adjudicateBy);
    const digest = verdictDigest(verdict, subject.chainId, subject.terms.adjudicator);
    const candidate = candidates.get(digest) ?? {
      record: parsed,
      verdict,
      digest,
      quorum,
      signatures: new Map(),
    };
    const view = await operator.agreement(subject.agreementId).catch(() => null);
    const collected = view?.submissions.flatMap(({ attestations }) => attestations) ?? [];
    for (const { operator: signer, signature } of [published, ...collected]) {
      const member = quorum.members.find((address) => isSameAddress(address, signer));
      if (member === undefined || candidate.signatures.has(member)) continue;
      if (await isSignedBy(chain, member, digest, signature)) candidate.signatures.set(member, signature);
      else if (signer === published.operator)
        tell(`${operator.origin}: the signature it published is not valid`);
    }
    if (candidate.signatures.size > 0) candidates.set(digest, candidate);
  } catch (error) {
    if (error instanceof OperatorError) {
      tell(error.message);
      return;
    }
    if (error instanceof ProtocolError) {
      tell(`${operator.origin}: what it published does not count: ${error.message}`);
      return;
    }
    throw error;
  }
}

type Published = NonNullable<Awaited<ReturnType<Operator["attestation"]>>>;

function faultOf({ quorum, verdict, record }: Published, subject: Subject): string | null {
  if (adjudicatorConfigOf(quorum.members, quorum.threshold) !== subject.terms.adjudicatorConfig)
    return "its operators are not those of the agreement";
  const parsed = parseVerdictRecord(canonicalize(record));
  if (parsed.agreementId !== subject.agreementId) return "the record is about another agreement";
  if (!isSameAddress(parsed.escrow, subject.escrow) || parsed.chainId !== subject.chainId)
    return "the record is about another escrow";
  if (!parsed.submissionHash.startsWith(subject.submissionHashPrefix))
    return "the record is about another submission";
  if (parsed.agreementHash !== subject.terms.agreementHash) return "the record is about another document";
  return canonicalize(verdictOf(parsed, subject.terms.adjudicateBy)) === canonicalize(verdict)
    ? null
    : "the certificate is not what the record amounts to";
}

const IS_VALID_SIGNATURE = selectorOf("isValidSignature(bytes32,bytes)");

async function isSignedBy(chain: Chain, signer: Address, digest: Hex, signature: Hex): Promise<boolean> {
  if (isEcdsaSignedBy(signer, digest, signature)) return true;
  if (!(await chain.hasCode(signer))) return false;
  const data = (IS_VALID_SIGNATURE +
    AbiCoder.defaultAbiCoder().encode(["bytes32", "bytes"], [digest, signature]).slice(2)) as Hex;
  try {
    return (await chain.call(signer, data, "latest")).startsWith(IS_VALID_SIGNATURE);
  } catch (error) {
    if (error instanceof RpcError) return false;
    throw error;
  }
}

function certifiedBy({ record, verdict, quorum, signatures }: Candidate, terms: Terms): Certified {
  const { members, threshold } = quorum;
  return {
    record,
    signers: members.filter((member) => signatures.has(member)),
    certificate: {
      terms,
      verdict,
      members,
      threshold,
      signatures: members.map((member) => signatures.get(member) ?? "0x"),
    },
  };
}
