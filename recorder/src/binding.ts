import {
  type Agreement,
  type Execution,
  type Hex,
  ProtocolError,
  type Terms,
  agreementIdOf,
  documentHash,
  hasConflictedRecorder,
  isEcdsaSignedBy,
  isHash,
  isSameAddress,
  parseAgreement,
  toAddress,
  toChainId,
  toHash,
  toUint,
  typedDataDigest,
  utf8Encode,
  walkAuthorizationTypedData,
} from "@assay/protocol";
import type { Address } from "@assay/protocol";
import type { Binding } from "./mission.ts";
import { ProblemError } from "./problem.ts";

/** An agreement that a mission is walked for, by an agent whom its seller named. */
export interface BoundAgreement {
  readonly binding: Binding;
  readonly terms: Terms;
  readonly execution: Execution;
}

/**
 * Reads `{agreement, terms, chain_id, escrow, seller_signature}`: the agreement's exact document, the terms that both
 * sides sign, and the seller's `WalkAuthorization` for this agent. All of it is checked without asking a chain: the
 * agreement's id is a digest of the terms, and they hold the document's hash.
 *
 * @throws ProblemError
 */
export function readBinding(body: unknown, agentId: string, recorder: Address): BoundAgreement {
  const input = objectOf(body);
  try {
    const chainId = toChainId(numberOf(input["chain_id"], "chain_id"));
    const escrow = toAddress(textOf(input["escrow"], "escrow"));
    const terms = termsOf(input["terms"]);
    const text = textOf(input["agreement"], "agreement");
    const { execution } = agreementOf(text, terms, recorder);
    const agreementId = agreementIdOf(terms, chainId, escrow);
    const authorization = typedDataDigest(
      walkAuthorizationTypedData({ agreementId, agentId, chainId, escrow }),
    );
    if (!isEcdsaSignedBy(terms.seller, authorization, signatureOf(input["seller_signature"]))) {
      throw new ProblemError(
        "forbidden",
        `seller_signature is not ${terms.seller}'s WalkAuthorization of agreement ${agreementId} for agent ${agentId}`,
        "Let the seller sign who walks: docs/protocol/execution.md.",
      );
    }
    const { reward, adjudicator } = terms;
    return { binding: { chainId, escrow, agreementId, reward: `${reward}`, adjudicator }, terms, execution };
  } catch (error) {
    if (error instanceof ProtocolError) throw invalid(error.message, error.hint);
    throw error;
  }
}

function agreementOf(text: string, terms: Terms, recorder: Address): Agreement & { execution: Execution } {
  const agreement = parseAgreement(text);
  if (documentHash(utf8Encode(text)) !== terms.agreementHash) {
    throw invalid("agreement is not the document that terms.agreementHash names", "Send its exact bytes.");
  }
  const { execution } = agreement;
  if (execution === undefined) {
    throw invalid("the agreement commits to no steps", "Make one with execution: nonce, recorder and steps.");
  }
  if (!isSameAddress(execution.recorder, recorder)) {
    throw invalid(
      `the agreement's recorder is ${execution.recorder}; this one is ${recorder}`,
      "Walk under the recorder that the agreement names.",
    );
  }
  if (hasConflictedRecorder(agreement, terms)) {
    throw invalid("this recorder is a party to the agreement", "Agree on a recorder who is neither.");
  }
  return { ...agreement, execution };
}

function termsOf(value: unknown): Terms {
  const terms = objectOf(value, "terms");
  const address = (name: string): Address => toAddress(textOf(terms[name], `terms.${name}`));
  const hash = (name: string): Hex => toHash(textOf(terms[name], `terms.${name}`));
  const uint = (name: string, bits: number): bigint => {
    const given = terms[name];
    const text = typeof given === "number" ? `${given}` : given;
    if (typeof text !== "string" || !/^[0-9]{1,78}$/.test(text)) {
      throw invalid(`terms.${name} is no integer`, "Write it in decimal.");
    }
    return toUint(BigInt(text), bits, `terms.${name}`);
  };
  return {
    buyer: address("buyer"),
    seller: address("seller"),
    reward: uint("reward", 256),
    agreementHash: hash("agreementHash"),
    adjudicator: address("adjudicator"),
    adjudicatorConfig: hash("adjudicatorConfig"),
    deliverBy: Number(uint("deliverBy", 48)),
    adjudicateBy: Number(uint("adjudicateBy", 48)),
    noVerdictSellerBps: Number(uint("noVerdictSellerBps", 16)),
    salt: uint("salt", 256),
  };
}

/**
 * Which agreement a query asks about: `chain_id`, `escrow` and `agreement_id`.
 *
 * @throws ProblemError
 */
export function readPlace(
  query: (name: string) => string | undefined,
): Pick<Binding, "chainId" | "escrow" | "agreementId"> {
  try {
    return {
      chainId: toChainId(Number(textOf(query("chain_id"), "chain_id"))),
      escrow: toAddress(textOf(query("escrow"), "escrow")),
      agreementId: toHash(textOf(query("agreement_id"), "agreement_id")),
    };
  } catch (error) {
    if (error instanceof ProtocolError) throw invalid(error.message, error.hint);
    throw error;
  }
}

/** The members of a JSON object. */
export function objectOf(value: unknown, name = "the body"): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid(`${name} is no object`, "Send a JSON object.");
  }
  return value as Record<string, unknown>;
}

/** A hash, or undefined when there is none. */
export function optionalHash(value: unknown, name: string): Hex | undefined {
  if (value === undefined) return undefined;
  if (!isHash(value)) {
    throw invalid(`${name} is not 32 bytes`, "Write 0x followed by 64 lower-case hexadecimal digits.");
  }
  return value;
}

function textOf(value: unknown, name: string): string {
  if (typeof value !== "string") throw invalid(`${name} is missing or no text`, `Send ${name} as text.`);
  return value;
}

function numberOf(value: unknown, name: string): number {
  if (typeof value !== "number")
    throw invalid(`${name} is missing or no number`, `Send ${name} as a number.`);
  return value;
}

function signatureOf(value: unknown): string {
  const text = textOf(value, "seller_signature");
  if (!/^0x[0-9a-fA-F]{130}$/.test(text)) {
    throw invalid("seller_signature is no signature of 65 bytes", "Send r, s and v in hexadecimal.");
  }
  return text;
}

function invalid(detail: string, hint: string): ProblemError {
  return new ProblemError("invalid", detail, hint);
}
