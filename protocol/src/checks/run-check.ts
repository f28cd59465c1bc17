import type { Agreement } from "../documents/agreement.ts";
import type { Files } from "../documents/files.ts";
import type { Submission } from "../documents/submission.ts";
import { executionTerminalTypedData } from "../execution/terminal.ts";
import { type ExecutionFault, verifyExecution } from "../execution/verify-execution.ts";
import type { Address } from "../primitives/address.ts";
import type { Hex } from "../primitives/hex.ts";
import { sha256 } from "../primitives/sha256.ts";
import { utf8Encode } from "../primitives/utf8.ts";
import { filesHash, reportTypedData } from "../reports/report.ts";
import { isEcdsaSignedBy } from "../typed-data/ecdsa.ts";
import { typedDataDigest } from "../typed-data/typed-data.ts";
import type { Check } from "./check.ts";
import { compilePattern } from "./pattern/pattern.ts";
import { definesFunction } from "./source/defines-function.ts";
import { type Language, languageOf } from "./source/language.ts";

/** What the Intelligent Contract decides about a check, and the detail that it records. */
export interface CheckResult {
  readonly passed: boolean;
  readonly detail: string;
}

/** Where an agreement lives: reporters and recorders sign for it. */
export interface CheckSubject {
  /** EVM chain of the escrow. */
  readonly chainId: number;
  readonly escrow: Address;
  readonly agreementId: Hex;
}

/** One requirement's check with its result; none when only the validators can decide it. */
export interface CheckedRequirement {
  readonly id: string;
  readonly check: Check;
  readonly result?: CheckResult;
}

/**
 * What the checks of an agreement will decide about a submission, before anyone pays for it: the same code as the
 * Intelligent Contract's, in another language. Requirements for the models are left out.
 */
export function previewChecks(
  agreement: Pick<Agreement, "requirements" | "reporters" | "execution">,
  submission: Pick<Submission, "files" | "reports" | "execution">,
  subject: CheckSubject,
): CheckedRequirement[] {
  return agreement.requirements.flatMap(({ id, check }) => {
    if (check === undefined) return [];
    const result = runCheck(check, agreement, submission, subject);
    return [result === undefined ? { id, check } : { id, check, result }];
  });
}

/** What a check decides; undefined for `http_status`, which every validator finds out for itself. */
export function runCheck(
  check: Check,
  agreement: Pick<Agreement, "reporters" | "execution">,
  submission: Pick<Submission, "files" | "reports" | "execution">,
  subject: CheckSubject,
): CheckResult | undefined {
  switch (check.type) {
    case "http_status":
      return undefined;
    case "reported":
      return runReported(check, agreement, submission, subject);
    case "execution_proof":
      return runExecutionProof(agreement, submission, subject);
    case "file_exists":
      return inFile(submission.files, check.path, () => result(true, "the file is there"));
    case "file_hash":
      return inFile(submission.files, check.path, (text) =>
        sha256(utf8Encode(text)) === check.sha256
          ? result(true, "the hash is the file's")
          : result(false, "the file has another hash"),
      );
    case "string_present":
      return inFiles(submission.files, check.path, (files) =>
        tally(files.map(([, text]) => text.includes(check.needle))),
      );
    case "regex":
      return inFiles(submission.files, check.path, (files) => runRegex(check.pattern, files));
    case "function_exists":
      return inFiles(submission.files, check.path, (files) =>
        tally(
          files.flatMap(([path, text]) => {
            const language = languageToTry(path, check.language, check.path !== undefined);
            return language === undefined ? [] : [definesFunction(text, check.name, language)];
          }),
        ),
      );
  }
}

type Entries = readonly (readonly [path: string, text: string])[];

function result(passed: boolean, detail: string): CheckResult {
  return { passed, detail };
}

function inFile(files: Files, path: string, decide: (text: string) => CheckResult): CheckResult {
  const text = Object.hasOwn(files, path) ? files[path] : undefined;
  return text === undefined ? result(false, "no such file") : decide(text);
}

function inFiles(
  files: Files,
  path: string | undefined,
  decide: (files: Entries) => CheckResult,
): CheckResult {
  return path === undefined
    ? decide(Object.entries(files))
    : inFile(files, path, (text) => decide([[path, text]]));
}

function tally(matches: readonly boolean[]): CheckResult {
  const found = matches.filter((isMatch) => isMatch).length;
  return found > 0
    ? result(true, `found in ${found} of ${matches.length} files`)
    : result(false, `not found in ${matches.length} files`);
}

function runRegex(pattern: string, files: Entries): CheckResult {
  const matcher = compilePattern(pattern);
  const matches = files.map(([, text]) => matcher.isFoundIn(text));
  return matches.includes(undefined) && !matches.includes(true)
    ? result(false, "the pattern takes too many steps on a file")
    : tally(matches.map((isMatch) => isMatch === true));
}

/** A file that the check names is read in the language that it names; others in their own. */
function languageToTry(path: string, wanted: Language | undefined, isNamed: boolean): Language | undefined {
  const own = languageOf(path);
  return wanted === undefined || own === wanted ? own : isNamed ? wanted : undefined;
}

function runReported(
  { reporter, claim }: Extract<Check, { type: "reported" }>,
  agreement: Pick<Agreement, "reporters">,
  submission: Pick<Submission, "files" | "reports">,
  subject: CheckSubject,
): CheckResult {
  const address = agreement.reporters?.find((item) => item.id === reporter)?.address;
  const report = submission.reports?.find((item) => item.reporter === reporter && item.claim === claim);
  if (report === undefined) return result(false, "no report of it");
  const digest = typedDataDigest(
    reportTypedData({
      ...subject,
      filesHash: filesHash(submission.files),
      claim,
      passed: report.passed,
      detailHash: report.detailHash,
    }),
  );
  if (address === undefined || !isEcdsaSignedBy(address, digest, report.signature)) {
    return result(false, "the signature is not the reporter's");
  }
  return result(report.passed, report.passed ? "reported as passed" : "reported as failed");
}

function runExecutionProof(
  { execution }: Pick<Agreement, "execution">,
  { execution: proof }: Pick<Submission, "execution">,
  subject: CheckSubject,
): CheckResult {
  if (execution === undefined || proof === undefined) return result(false, "no proof of execution");
  const { nonce, recorder, steps } = execution;
  const { attestations, terminal, signature } = proof;
  const verdict = verifyExecution({ nonce, steps, records: attestations, terminal });
  if (!verdict.valid) return result(false, brokenProof(verdict.fault));
  const { committedRoot } = verdict;
  const digest = typedDataDigest(executionTerminalTypedData({ ...subject, committedRoot, terminal }));
  return isEcdsaSignedBy(recorder, digest, signature)
    ? result(true, `${steps.length} steps replay to the terminal`)
    : result(false, "the signature is not the recorder's");
}

function brokenProof({ code, step, expected, found }: ExecutionFault): string {
  if (code === "count") return `${found} for ${expected.replace("records", "steps")}`;
  if (code === "index") return `record ${step} is of step ${found}`;
  return "the records do not end in the terminal";
}
