import {
  CanonicalJsonError,
  DocumentError,
  MAX_DOCUMENT_BYTES,
  SCHEMA,
  ZERO_HASH,
  canonicalize,
  conflictedReporters,
  documentCid,
  documentHash,
  isSameAddress,
  parseAgreement,
  parseSubmission,
  previewChecks,
  utf8Encode,
  utf8Length,
  type Address,
  type Agreement,
  type CheckedRequirement,
  type Submission,
} from "@assay/protocol";
import type { PreviewRequest, PreviewView } from "./schemas/preview.ts";

/** Characters that all untrusted texts share in the judge's prompt, counted as JSON in ASCII. */
const UNTRUSTED_BUDGET = 48 * 1024;

/** What a preview has to know about this operator. */
export interface PreviewSurroundings {
  readonly chainId: number;
  readonly escrow: Address;
  readonly attester: Address;
  readonly relayer: Address;
}

type Shown = PreviewView["model"]["shows"][number];

/**
 * What is certain about a draft before anyone pays: sizes, checks, and what the validators' models would be shown.
 * Pure; nothing is stored and no model is asked.
 */
export function previewOf(request: PreviewRequest, surroundings: PreviewSurroundings): PreviewView {
  const agreement = read(request.agreement, SCHEMA.agreement, parseAgreement);
  const submission =
    request.submission === undefined ? null : read(request.submission, SCHEMA.submission, parseSubmission);
  const checks = checksOf(agreement.document, submission?.document ?? null, request, surroundings);
  return {
    agreement: agreement.view,
    submission: submission?.view ?? null,
    checks,
    model: modelOf(agreement.document, submission?.document ?? null, checks),
    outlook: outlookOf(agreement.document, submission, checks),
    judge: judgeOf(agreement.document, surroundings),
    warnings: agreement.document === null ? [] : warningsOf(agreement.document, request, surroundings),
  };
}

interface ReadDraft<T> {
  readonly document: T | null;
  readonly view: PreviewView["agreement"];
}

function read<T>(
  draft: Readonly<Record<string, unknown>>,
  tag: "assay/agreement/1" | "assay/submission/1",
  parse: (text: string) => T,
): ReadDraft<T> {
  const limit = MAX_DOCUMENT_BYTES[tag];
  try {
    const text = canonicalize(draft);
    const bytes = utf8Length(text);
    try {
      const document = parse(text);
      const hash = documentHash(utf8Encode(text));
      return { document, view: { valid: true, hash, cid: documentCid(hash), bytes, limit, issues: [] } };
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      const issues = error.issues.map(({ path, message, hint }) => ({ path, message, hint }));
      return { document: null, view: { valid: false, hash: null, cid: null, bytes, limit, issues } };
    }
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    const issues = [{ path: "", message: error.message, hint: error.hint }];
    return { document: null, view: { valid: false, hash: null, cid: null, bytes: 0, limit, issues } };
  }
}

function checksOf(
  agreement: Agreement | null,
  submission: Submission | null,
  request: PreviewRequest,
  { chainId, escrow }: PreviewSurroundings,
): PreviewView["checks"] {
  if (agreement === null || submission === null) return [];
  const agreementId = request.agreementId ?? submission.agreementId;
  return previewChecks(agreement, submission, { chainId, escrow, agreementId }).map(checkView);
}

function checkView({ id, check, result }: CheckedRequirement): PreviewView["checks"][number] {
  return result === undefined
    ? {
        id,
        check: check.type,
        decidedBy: "validators",
        passed: null,
        detail: "every validator asks the web for itself when the delivery is judged",
      }
    : { id, check: check.type, decidedBy: "code", ...result };
}

function modelOf(
  agreement: Agreement | null,
  submission: Submission | null,
  checks: PreviewView["checks"],
): PreviewView["model"] {
  const requirements = (agreement?.requirements ?? [])
    .filter(({ check }) => check === undefined)
    .map(({ id, text }) => ({ id, text }));
  const decided = checks.flatMap(({ id, passed }) =>
    passed === null ? [] : [[id, passed ? "PASS" : "FAIL"] as const],
  );
  return {
    requirements,
    called: isModelCalled(requirements.length, submission, checks),
    shows: submission === null ? [] : shownTexts(submission),
    budget: UNTRUSTED_BUDGET,
    trusted:
      agreement === null
        ? null
        : {
            agreement: {
              title: agreement.title,
              task: agreement.task,
              evidenceRequired: [...agreement.evidenceRequired],
            },
            decidedByCode: Object.fromEntries(decided),
          },
  };
}

function isModelCalled(
  toJudge: number,
  submission: Submission | null,
  checks: PreviewView["checks"],
): boolean | null {
  if (submission === null) return null;
  if (toJudge === 0 || checks.some(({ passed }) => passed === false)) return false;
  return checks.some(({ passed }) => passed === null) ? null : true;
}

/** The untrusted texts in the prompt's order, and how much of each fits beside the others. */
function shownTexts(submission: Submission): Shown[] {
  const { files, evidence, links, summary } = submission;
  const texts: (Pick<Shown, "kind" | "name"> & { readonly text: string | null; readonly bytes: number })[] = [
    ...Object.entries(files).map(([name, text]) => ({ kind: "file" as const, name, ...sized(text) })),
    ...evidence.map(({ source, claim, content }) => ({
      kind: "evidence" as const,
      name: source,
      ...sized(`Claim: ${claim}\nContent: ${content}`),
    })),
    ...links.map(({ url, bytes }) => ({ kind: "link" as const, name: url, text: null, bytes })),
    ...(summary === "" ? [] : [{ kind: "summary" as const, name: "", ...sized(summary) }]),
  ];
  const hasLinks = links.length > 0;
  const sizes = texts.map(({ text }) => (text === null ? 0 : framedLength(text)));
  const shares = sharesOf(sizes, UNTRUSTED_BUDGET);
  return texts.map(({ kind, name, bytes, text }, index) => {
    const framed = sizes[index] ?? 0;
    const shown = shares[index] ?? 0;
    // What a link holds also takes room, and nobody knows yet how much.
    const isCertain = text !== null && (!hasLinks || framed <= UNTRUSTED_BUDGET / texts.length);
    return {
      kind,
      name,
      bytes,
      framedCharacters: text === null ? null : framed,
      shownCharacters: isCertain ? shown : null,
      cut: isCertain ? shown < framed : null,
    };
  });
}

function sized(text: string): { readonly text: string; readonly bytes: number } {
  return { text, bytes: utf8Length(text) };
}

/** Length of a text as JSON in ASCII, the form in which the prompt shows it. */
export function framedLength(text: string): number {
  let length = 2;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const isShort = code === 0x22 || code === 0x5c || (code >= 0x08 && code <= 0x0d && code !== 0x0b);
    length += isShort ? 2 : code >= 0x20 && code <= 0x7e ? 1 : 6;
  }
  return length;
}

/** Room for each text, as the judge shares it out: the small ones whole, the rest equal shares of what they leave. */
export function sharesOf(sizes: readonly number[], budget: number): number[] {
  const shares = [...sizes];
  const order = sizes.map((_, index) => index).sort((one, other) => (sizes[one] ?? 0) - (sizes[other] ?? 0));
  let left = budget;
  for (const [taken, index] of order.entries()) {
    const fair = Math.floor(left / (order.length - taken));
    const share = Math.min(sizes[index] ?? 0, fair);
    shares[index] = share;
    left -= share;
  }
  return shares;
}

function outlookOf(
  agreement: Agreement | null,
  submission: ReadDraft<Submission> | null,
  checks: PreviewView["checks"],
): PreviewView["outlook"] {
  if (agreement === null || submission?.view.valid === false) return "invalid";
  if (submission === null) return "no_submission";
  if (checks.some(({ passed }) => passed === false)) return "fails";
  const isDecided = agreement.requirements.every(({ check }) => check !== undefined);
  return isDecided && checks.every(({ passed }) => passed === true) ? "passes" : "needs_judgement";
}

function judgeOf(
  agreement: Agreement | null,
  { attester, relayer }: PreviewSurroundings,
): PreviewView["judge"] {
  if (agreement === null) return null;
  const { network, contract, relayers } = agreement.adjudication;
  return {
    network,
    contract,
    relayersKnown: relayers.some((one) => isSameAddress(one, relayer)),
    operator: attester,
  };
}

function warningsOf(
  agreement: Agreement,
  { parties, agreementId, submission }: PreviewRequest,
  { relayer }: PreviewSurroundings,
): string[] {
  const warnings: string[] = [];
  if (!agreement.adjudication.relayers.some((one) => isSameAddress(one, relayer)))
    warnings.push(
      `This operator's relayer ${relayer} is not named: it can attest, but not send the case to the judge.`,
    );
  const usesReports = agreement.requirements.some(({ check }) => check?.type === "reported");
  if (usesReports && submission !== undefined && (agreementId ?? ZERO_HASH) === ZERO_HASH)
    warnings.push(
      "Reports are checked for the agreement id in the submission; give agreementId when it is another.",
    );
  if (parties === undefined) return warnings;
  const { buyer, seller } = parties;
  for (const { id, address } of conflictedReporters(agreement, parties))
    warnings.push(`Reporter "${id}" (${address}) is a party: its reports should not be relied on.`);
  for (const one of agreement.adjudication.relayers)
    if (isSameAddress(one, buyer) || isSameAddress(one, seller))
      warnings.push(`Relayer ${one} is a party: it could choose which of its judgements counts first.`);
  return warnings;
}
