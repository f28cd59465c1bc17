import {
  DocumentError,
  adjudicatorConfigOf,
  agreementIdOf,
  committedRoot,
  conflictedReporters,
  documentHash,
  encodeDocument,
  executionGateConfigOf,
  hasConflictedRecorder,
  parseAgreement,
  sequenceHash,
  validateTerms,
  type Address,
  type Agreement,
  type Hex,
  type Terms,
} from "@assay/protocol";
import type { Deal } from "../deal/deal-file.ts";
import { UsageError } from "../errors.ts";
import type { Session } from "../session.ts";
import type { Gate } from "./gate.ts";
import type { Adjudicator } from "./quorum.ts";

/** What makes terms out of a document. */
export interface TermsDraft {
  readonly buyer: Address;
  readonly seller: Address;
  /** Base units. */
  readonly reward: bigint;
  readonly deliverBy: number;
  readonly adjudicateBy: number;
  readonly noVerdictSellerBps: number;
  readonly salt: bigint;
}

/**
 * Makes a deal of a document and terms, if the escrow, the judge and a careful reader would take it.
 *
 * @param now the chain's time.
 * @throws UsageError with everything that is wrong, one thing a line.
 */
export function drawUp(
  { network, token }: Pick<Session, "network" | "token">,
  agreement: Agreement,
  draft: TermsDraft,
  adjudicator: Adjudicator | Gate,
  now: number,
): Deal {
  const document = encode(agreement);
  const quorum = "members" in adjudicator ? adjudicator : null;
  const terms: Terms = {
    ...draft,
    agreementHash: documentHash(document),
    adjudicator: adjudicator.address,
    adjudicatorConfig:
      quorum === null ? gateConfigOf(agreement) : adjudicatorConfigOf(quorum.members, quorum.threshold),
  };
  const problems = validateTerms(terms, now, { escrow: network.escrow, token: token.address }).map(
    ({ message, hint }) => `${message}. ${hint}`,
  );
  for (const { id } of conflictedReporters(agreement, terms))
    problems.push(`reporter ${id} is the buyer or the seller. Name somebody whom both sides believe.`);
  if (hasConflictedRecorder(agreement, terms))
    problems.push("the recorder is the buyer or the seller. Name one whom both sides believe.");
  if (problems.length > 0) refuse(problems);
  return {
    agreementId: agreementIdOf(terms, network.chainId, network.escrow),
    chainId: network.chainId,
    escrow: network.escrow,
    terms,
    quorum: quorum === null ? null : { members: quorum.members, threshold: quorum.threshold },
    agreement: parseAgreement(document),
    document,
  };
}

/** What a gate's terms commit to. */
function gateConfigOf({ execution }: Agreement): Hex {
  if (execution === undefined)
    return refuse([
      "a gate pays for a walk, and the agreement commits to no steps. Add --recorder and --job.",
    ]);
  const { nonce, steps, recorder } = execution;
  return executionGateConfigOf(committedRoot(nonce, sequenceHash(steps)), recorder);
}

/** A document's canonical bytes. @throws UsageError with everything that is wrong. */
export function encode(agreement: Agreement): Uint8Array {
  try {
    return encodeDocument(agreement);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return refuse(
      error.issues.map(({ path, message, hint }) => `${path === "" ? "" : `${path} `}${message}. ${hint}`),
    );
  }
}

/** @throws UsageError with everything that is wrong, one thing a line. */
export function refuse(problems: readonly string[]): never {
  throw new UsageError(
    `this is no valid agreement:\n${problems.map((problem) => `  ${problem}`).join("\n")}`,
    "Correct it and try again; nothing was written.",
  );
}
