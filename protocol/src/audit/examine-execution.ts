import type { CheckSubject } from "../checks/run-check.ts";
import type { Execution } from "../documents/agreement.ts";
import { committedRoot, sequenceHash } from "../execution/chain.ts";
import { hasConflictedRecorder } from "../execution/conflicted-recorder.ts";
import { executionGateConfigOf } from "../execution/gate-config.ts";
import { executionTerminalTypedData } from "../execution/terminal.ts";
import { type ExecutionFault, type PublishedRecord, verifyExecution } from "../execution/verify-execution.ts";
import type { Hex } from "../primitives/hex.ts";
import { ValueError } from "../primitives/value-error.ts";
import { agreementIdOf } from "../terms/agreement-id.ts";
import type { Terms } from "../terms/terms.ts";
import { ecdsaSignerOf } from "../typed-data/ecdsa.ts";
import { typedDataDigest } from "../typed-data/typed-data.ts";
import { type ExaminedCall, replay } from "./examined-call.ts";
import { compare, fail, notChecked, pass } from "./finding.ts";
import type { AuditReport, AuditStep, Finding } from "./report.ts";

/** Every step of {@link examineExecution} by its name. */
export const EXECUTION_STEPS = {
  agreementId: "The terms hash to the agreement's id",
  agreementHash: "The agreement document is the one in the terms",
  executionRecorder: "The recorder is neither buyer nor seller",
  executionRoot: "Nonce and steps give the root that was published before the walk",
  executionConfig: "The terms commit to these steps, this nonce and this recorder",
  executionRecords: "There is one well-formed record for each committed step, in order",
  executionTerminal: "The records, replayed from the committed root, end in the terminal",
  executionSubmission: "What was submitted on chain is the end of the walk",
  executionSignature: "The recorder signed this end of the walk for this agreement",
} as const;

/** Name of a step of {@link examineExecution}. */
export type ExecutionStepId = keyof typeof EXECUTION_STEPS;

/** What is known of a walk. Whatever is left out is not checked; nothing is believed because it is here. */
export interface ExecutionFacts {
  /** What was committed to: the agreement's `execution`, or what a recorder says of a mission. */
  readonly execution: Execution;
  /** What the walk is said to have been; attestation and chain values that come with it decide nothing. */
  readonly records: readonly PublishedRecord[];
  /** The chain after the last step; null while the walk goes on. */
  readonly terminal: Hex | null;
  /** The recorder's; null when there is none yet. */
  readonly signature: string | null;
  /** The root that was published before the first step. */
  readonly committedRoot?: Hex;
  /** The agreement that the walk was made for; left out for a mission of none. */
  readonly subject?: CheckSubject;
  /** The agreement's terms, as its escrow holds them. */
  readonly terms?: Terms;
  /** SHA-256 of the agreement document that `execution` was read from. */
  readonly agreementHash?: Hex;
  /** Given when an execution proof gate adjudicates: what was submitted on chain, null when nothing was. */
  readonly gate?: { readonly submitted: Hex | null };
  /** Given when the recorder is a contract: what it answers about the signature (ERC-1271). */
  readonly recorderAnswer?: boolean;
}

/** What {@link examineExecution} found. */
export interface ExecutionReport extends Pick<AuditReport, "result" | "passed" | "failed" | "notChecked"> {
  /** What nonce and steps commit to; null when the steps are none. */
  readonly committedRoot: Hex | null;
  /** What the records end in; null when they do not end. */
  readonly terminal: Hex | null;
  readonly calls: readonly ExaminedCall[];
  readonly steps: readonly AuditStep[];
}

/**
 * Verifies a walk from first principles, and says for each step what had to be there and what was. Pure: pages, command
 * line and audit show the same.
 *
 * PASS says that the recorder attests these calls, in this order, for this agreement. It says nothing of whether an
 * answer was right.
 */
export function examineExecution(facts: ExecutionFacts): ExecutionReport {
  const root = rootOf(facts.execution);
  const calls = replay(facts.execution, facts.records, root, facts.terminal);
  const last = calls.at(-1)?.chain ?? null;
  const end = facts.records.length === calls.length ? last : null;
  const steps = [
    ...termsSteps(facts),
    ...commitmentSteps(facts, root),
    ...walkSteps(facts, end),
    signatureStep(facts, root, end),
  ];
  const count = (result: Finding["result"]): number => steps.filter((step) => step.result === result).length;
  const [passed, failed, missing] = [count("PASS"), count("FAIL"), count("NOT_CHECKED")];
  return {
    result: failed > 0 ? "FAIL" : missing > 0 ? "INCOMPLETE" : "PASS",
    passed,
    failed,
    notChecked: missing,
    committedRoot: root,
    terminal: end,
    calls,
    steps,
  };
}

function step(id: ExecutionStepId, finding: Finding): AuditStep {
  return { id, title: EXECUTION_STEPS[id], basis: "computed", ...finding };
}

/** The agreement is the one that the escrow holds. */
function termsSteps({ terms, subject, agreementHash, execution }: ExecutionFacts): AuditStep[] {
  if (subject === undefined) return [];
  const unknown = notChecked("the terms are not known");
  return [
    step(
      "agreementId",
      terms === undefined
        ? unknown
        : compare(
            subject.agreementId,
            agreementIdOf(terms, subject.chainId, subject.escrow),
            "EIP-712 digest of the terms in the escrow's domain",
          ),
    ),
    step(
      "agreementHash",
      terms === undefined
        ? unknown
        : agreementHash === undefined
          ? notChecked("the document is not at hand")
          : compare(terms.agreementHash, agreementHash, "SHA-256 of the document's bytes"),
    ),
    step(
      "executionRecorder",
      terms === undefined
        ? unknown
        : (hasConflictedRecorder({ execution }, terms) ? fail : pass)("the account whose word counts", {
            expected: `neither ${terms.buyer} nor ${terms.seller}`,
            actual: execution.recorder,
          }),
    ),
  ];
}

/** Nonce, steps and recorder are those that were committed to. */
function commitmentSteps(
  { execution, terms, gate, committedRoot: published }: ExecutionFacts,
  root: Hex | null,
): AuditStep[] {
  const steps: AuditStep[] = [];
  const unreadable = fail("the steps are none that can be committed to");
  if (published !== undefined)
    steps.push(
      step(
        "executionRoot",
        root === null
          ? unreadable
          : compare(root, published, "keccak256 of the nonce and the sequence's hash"),
      ),
    );
  if (gate !== undefined)
    steps.push(
      step(
        "executionConfig",
        root === null
          ? unreadable
          : terms === undefined
            ? notChecked("the terms are not known")
            : compare(
                executionGateConfigOf(root, execution.recorder),
                terms.adjudicatorConfig,
                "adjudicatorConfig: keccak256 of the committed root and the recorder",
              ),
      ),
    );
  return steps;
}

/** The records are of these steps, and end where it is said. */
function walkSteps({ execution, records, terminal, gate }: ExecutionFacts, end: Hex | null): AuditStep[] {
  const verdict = verifyExecution({ ...execution, records, terminal: terminal ?? execution.nonce });
  const fault = verdict.valid || !isOfForm(verdict.fault) ? undefined : verdict.fault;
  const isUnderWay = terminal === null && fault?.code === "count" && records.length < execution.steps.length;
  const steps = [
    step(
      "executionRecords",
      fault === undefined
        ? pass("index, request hash and response hash of each", {
            expected: `${execution.steps.length} records`,
            actual: `${records.length} records`,
          })
        : isUnderWay
          ? notChecked(`the walk goes on: ${records.length} of ${execution.steps.length} steps are recorded`)
          : fail(fault.step === null ? faultNote(fault) : `step ${fault.step}: ${faultNote(fault)}`, {
              expected: fault.expected,
              actual: fault.found,
            }),
    ),
    step(
      "executionTerminal",
      terminal === null
        ? notChecked("no terminal is stated")
        : end === null
          ? notChecked("the chain cannot be replayed to its end")
          : compare(end, terminal, "the chain after the last step"),
    ),
  ];
  if (gate !== undefined)
    steps.push(
      step(
        "executionSubmission",
        gate.submitted === null
          ? notChecked("nothing was submitted")
          : end === null
            ? fail("the chain cannot be replayed to its end", { actual: gate.submitted })
            : compare(end, gate.submitted, "where a gate decides, the terminal is the submission"),
      ),
    );
  return steps;
}

/** The recorder signed that the walk for this agreement ended like this. */
function signatureStep(
  { execution: { recorder }, signature, subject, recorderAnswer }: ExecutionFacts,
  root: Hex | null,
  terminal: Hex | null,
): AuditStep {
  const found = (): Finding => {
    if (subject === undefined) return notChecked("the mission is of no agreement yet, so nothing is signed");
    if (root === null || terminal === null) return notChecked("the chain cannot be replayed to its end");
    if (signature === null) return notChecked("the recorder has not signed");
    if (recorderAnswer !== undefined)
      return (recorderAnswer ? pass : fail)("what the recorder, a contract, answers (ERC-1271)", {
        expected: "a valid signature",
        actual: recorderAnswer ? "a valid signature" : "none of its",
      });
    const digest = typedDataDigest(executionTerminalTypedData({ ...subject, committedRoot: root, terminal }));
    return compare(
      recorder,
      ecdsaSignerOf(digest, signature) ?? "nobody: no well-formed signature",
      "the account that the signature of ExecutionTerminal recovers to",
    );
  };
  return step("executionSignature", found());
}

/** What nonce and steps commit to; null when they are malformed. */
function rootOf({ nonce, steps }: Execution): Hex | null {
  try {
    return steps.length === 0 ? null : committedRoot(nonce, sequenceHash(steps));
  } catch (error) {
    if (error instanceof ValueError) return null;
    throw error;
  }
}

const FORM_FAULTS: Partial<Record<ExecutionFault["code"], string>> = {
  no_steps: "a sequence without steps proves nothing",
  too_many_steps: "there are too many steps",
  step_malformed: "the committed step is none",
  hash_malformed: "a hash is not in its one spelling",
  count: "there are more or fewer records than steps",
  index: "the record is of another step",
};

function isOfForm({ code }: ExecutionFault): boolean {
  return FORM_FAULTS[code] !== undefined;
}

function faultNote({ code }: ExecutionFault): string {
  return FORM_FAULTS[code] ?? code;
}
