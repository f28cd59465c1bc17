import {
  DocumentError,
  adjudicatorConfigOf,
  agreementIdOf,
  conflictedReporters,
  documentHash,
  encodeDocument,
  hasConflictedRecorder,
  isEcdsaSignedBy,
  acceptanceTypedData,
  toAddress,
  typedDataDigest,
  validateTerms,
  ProtocolError,
  type Address,
  type Agreement,
  type Hex,
  type Terms,
} from "@assay/protocol";
import { readAmount } from "../acts/amount.ts";
import type { Venue } from "../acts/venue.ts";
import { checkFrom } from "./check-draft.ts";
import type { Draft } from "./draft.ts";
import { readLocalTime } from "./local-time.ts";

/** One thing that keeps a draft from being an agreement. */
export interface Problem {
  /** The form's field, as `Draft` and the document's paths name it; empty for the whole. */
  readonly field: string;
  readonly message: string;
  readonly hint: string;
}

/** A draft that nothing is wrong with: everything that is hashed, signed and sent. */
export interface Composed {
  readonly agreement: Agreement;
  readonly document: Uint8Array;
  readonly terms: Terms;
  readonly agreementId: Hex;
  /** The seller's consent, when it was given beforehand. */
  readonly sellerSignature: Hex | null;
}

/** What a draft amounts to. */
export interface Composition {
  readonly composed: Composed | null;
  readonly problems: readonly Problem[];
}

/** Seconds that funding may take from now without the delivery's window becoming too short on the way. */
const FUNDING_MARGIN = 120;

/**
 * Examines a draft against every bound that the document's format and the escrow have.
 *
 * @param buyer the connected account; null while there is none, which is a problem of its own only at the end.
 * @param now the chain's time.
 */
export function compose(draft: Draft, venue: Venue, buyer: Address | null, now: number): Composition {
  const problems: Problem[] = [];
  const agreement = agreementFrom(draft, venue);
  const document = encoded(agreement, problems);
  const seller = readAddress(draft.seller, "seller", "the seller", problems);
  const reward = readReward(draft, venue, problems);
  const deliverBy = readTime(draft.deliverBy, "deliverBy", problems);
  const adjudicateBy = readTime(draft.adjudicateBy, "adjudicateBy", problems);
  const noVerdictSellerBps = readShare(draft.sellerShare, problems);
  if (
    seller === null ||
    reward === null ||
    deliverBy === null ||
    adjudicateBy === null ||
    noVerdictSellerBps === null
  )
    return { composed: null, problems };

  const { members, threshold, address: adjudicator } = venue.quorum;
  const terms: Terms = {
    buyer: buyer ?? NOBODY,
    seller,
    reward,
    // Of no document yet: another problem says so.
    agreementHash: document === null ? NO_DOCUMENT : documentHash(document),
    adjudicator,
    adjudicatorConfig: adjudicatorConfigOf(members, threshold),
    deliverBy,
    adjudicateBy,
    noVerdictSellerBps,
    salt: BigInt(draft.salt),
  };
  problems.push(...termsProblems(terms, venue, now));
  if (document !== null) problems.push(...conflicts(agreement, terms));
  if (buyer === null) return { composed: null, problems };
  const agreementId = agreementIdOf(terms, venue.chainId, venue.escrow);
  const sellerSignature = readConsent(draft.sellerSignature, terms, agreementId, venue, problems);
  return document === null || problems.length > 0
    ? { composed: null, problems }
    : { composed: { agreement, document, terms, agreementId, sellerSignature }, problems };
}

/** Stands for the buyer while no wallet is connected; no account has it. */
const NOBODY: Address = "0x00000000000000000000000000000000000000b1";
const NO_DOCUMENT: Hex = `0x${"1".repeat(64)}`;

/** The document that the form amounts to, valid or not. */
function agreementFrom(draft: Draft, { adjudication }: Venue): Agreement {
  const number = (text: string, otherwise: number): number =>
    text.trim() === "" ? otherwise : /^\d{1,9}$/.test(text.trim()) ? Number(text) : -1;
  const document = {
    schema: "assay/agreement/1",
    title: draft.title,
    task: draft.task,
    ...(draft.category === "" ? {} : { category: draft.category }),
    requirements: draft.requirements.map(({ id, text, check }) =>
      check === null ? { id, text } : { id, text, check: checkFrom(check) },
    ),
    evidenceRequired: [...draft.evidenceRequired],
    adjudication: {
      ...adjudication,
      rounds: number(draft.rounds, adjudication.rounds),
      minValidators: number(draft.minValidators, adjudication.minValidators),
    },
    ...(draft.reporters.length === 0
      ? {}
      : { reporters: draft.reporters.map(({ id, address }) => ({ id, address: spelled(address) })) }),
    ...(draft.execution === null ? {} : { execution: draft.execution }),
  };
  return document as Agreement;
}

/** An address in the spelling that documents need; what is none stays, for the schema to refuse. */
function spelled(text: string): string {
  try {
    return toAddress(text.trim());
  } catch {
    return text;
  }
}

function encoded(agreement: Agreement, problems: Problem[]): Uint8Array | null {
  try {
    return encodeDocument(agreement);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    problems.push(
      ...error.issues.map(({ path, message, hint }) => ({
        field: path.replace(/^adjudication\.(rounds|minValidators)$/, "$1"),
        message: sentence(message),
        hint,
      })),
    );
    return null;
  }
}

function readAddress(text: string, field: string, who: string, problems: Problem[]): Address | null {
  try {
    if (text.trim() !== "") return toAddress(text.trim());
    problems.push({
      field,
      message: `Nobody is named as ${who}.`,
      hint: "Write an address, 0x and 40 digits.",
    });
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    problems.push({ field, message: sentence(error.message), hint: error.hint });
  }
  return null;
}

function readReward({ reward }: Draft, { token }: Venue, problems: Problem[]): bigint | null {
  const read = readAmount(reward, token);
  if ("value" in read) return read.value;
  problems.push({ field: "reward", ...read });
  return null;
}

function readTime(text: string, field: string, problems: Problem[]): number | null {
  const time = readLocalTime(text);
  if (time === null)
    problems.push({
      field,
      message: "No date is set.",
      hint: "Choose a day and a time, or one of the buttons.",
    });
  return time;
}

function readShare(text: string, problems: Problem[]): number | null {
  const trimmed = text.trim();
  if (/^\d{1,3}(\.\d{1,2})?$/.test(trimmed) && Number(trimmed) <= 100)
    return Math.round(Number(trimmed) * 100);
  problems.push({
    field: "sellerShare",
    message: "This is no share.",
    hint: "Write 0 to 100 per cent, with two decimals at most.",
  });
  return null;
}

function termsProblems(terms: Terms, { escrow, token }: Venue, now: number): Problem[] {
  return validateTerms(terms, now + FUNDING_MARGIN, { escrow, token: token.address }).map(
    ({ member, code, message, hint }) => ({
      field: member === "noVerdictSellerBps" ? "sellerShare" : member,
      ...(WINDOW_WORDS[`${member} ${code}`] ?? { message: sentence(message), hint }),
    }),
  );
}

/** The escrow's windows in the units of the form. */
const WINDOW_WORDS: Readonly<Record<string, { message: string; hint: string }>> = {
  "deliverBy too_early": {
    message: "This leaves the seller too little time.",
    hint: "The escrow asks for at least 10 minutes from the funding on.",
  },
  "deliverBy too_late": {
    message: "This is too far away.",
    hint: "The escrow takes at most 365 days from the funding on.",
  },
  "adjudicateBy too_early": {
    message: "This leaves too little time for a verdict.",
    hint: "The escrow asks for at least 1 hour after the delivery’s deadline; a day is comfortable.",
  },
  "adjudicateBy too_late": {
    message: "This is too far away.",
    hint: "The escrow takes at most 90 days after the delivery’s deadline.",
  },
};

function conflicts(agreement: Agreement, terms: Terms): Problem[] {
  const hint = "Name somebody whom both sides believe.";
  const reporters = conflictedReporters(agreement, terms).map(({ id }): Problem => ({
    field: `reporters[${agreement.reporters?.findIndex((one) => one.id === id) ?? 0}].address`,
    message: "The buyer or the seller can’t be a reporter.",
    hint,
  }));
  return hasConflictedRecorder(agreement, terms)
    ? [...reporters, { field: "execution", message: "The buyer or the seller can’t be the recorder.", hint }]
    : reporters;
}

function readConsent(
  text: string,
  { seller }: Terms,
  agreementId: Hex,
  { chainId, escrow }: Venue,
  problems: Problem[],
): Hex | null {
  const signature = text.trim();
  if (signature === "") return null;
  const digest = typedDataDigest(acceptanceTypedData(agreementId, chainId, escrow));
  const isHex = /^0x([0-9a-fA-F]{2})+$/.test(signature);
  // A contract's signature (ERC-1271) is longer or shorter; only the chain can tell, and the simulation asks it.
  if (isHex && (signature.length !== 132 || isEcdsaSignedBy(seller, digest, signature)))
    return signature.toLowerCase() as Hex;
  problems.push({
    field: "sellerSignature",
    message: "This is not the seller’s signature on exactly these terms.",
    hint: "Any change of the terms needs a new one. Leave it empty to let the seller accept later.",
  });
  return null;
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
