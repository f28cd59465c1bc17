import { executionVerdictHash } from "../../execution/execution-verdict.ts";
import type { CaseFile } from "../case-file.ts";
import { EXECUTION_STEPS, type ExecutionStepId } from "../examine-execution.ts";
import { compare, compareAll, fail, notChecked } from "../finding.ts";
import type { Finding } from "../report.ts";
import { type WalkCase, isDelivery } from "../walk-case.ts";
import type { StepDefinition } from "./step.ts";

/** An execution proof gate released what it was agreed to release, and nothing else. */
export const WALK_STEPS: readonly StepDefinition[] = [
  ...(
    [
      "executionRecorder",
      "executionConfig",
      "executionRecords",
      "executionTerminal",
      "executionSubmission",
      "executionSignature",
    ] as const
  ).map(examined),
  {
    id: "executionVerdict",
    title: "The verdict hash on chain is that of the proof",
    basis: "computed",
    examine: (file) =>
      withWalk(file, ({ recorder, report }) => {
        const { committedRoot, terminal } = report;
        if (committedRoot === null || terminal === null)
          return fail("the chain cannot be replayed to its end");
        const { agreementId } = file.evidence;
        return compare(
          executionVerdictHash({ agreementId, committedRoot, terminal, recorder }),
          file.history.ending?.verdictHash,
          "EIP-712 struct hash of ExecutionVerdict",
        );
      }),
  },
  {
    id: "gateEvent",
    title: "The gate's event repeats the proof",
    basis: "reported",
    examine: (file) =>
      withWalk(file, ({ recorder, report, proven }) => {
        if (proven === null) return fail("the adjudicator logged no proof of this agreement");
        return compareAll(
          [
            ["recorder", recorder, proven.recorder],
            ["committedRoot", report.committedRoot, proven.committedRoot],
            ["terminal", report.terminal, proven.terminal],
            ["steps", report.calls.length, proven.steps],
            ["verdictHash", file.history.ending?.verdictHash, proven.verdictHash],
          ],
          "what the gate says it took",
        );
      }),
  },
];

/** A step of `examineExecution`, taken over as it is. */
function examined(id: ExecutionStepId): StepDefinition {
  return {
    id,
    title: EXECUTION_STEPS[id],
    basis: "computed",
    examine: (file) =>
      withWalk(
        file,
        ({ report }) =>
          report.steps.find((step) => step.id === id) ?? notChecked("nothing is known about it"),
      ),
  };
}

function withWalk(
  { walk }: CaseFile,
  examine: (walk: WalkCase & { readonly report: NonNullable<WalkCase["report"]> }) => Finding,
): Finding {
  if (walk === null) return notChecked("no gate decides this agreement");
  const { delivery, report } = walk;
  if (report !== null) return only(examine({ ...walk, report }));
  const reason = isDelivery(delivery) ? "the proof can't be read" : delivery.reason;
  return !isDelivery(delivery) && delivery.isFault ? fail(reason) : notChecked(reason);
}

/** Without the name that a finding of another list may carry. */
function only({ result, note, expected, actual }: Finding): Finding {
  return {
    result,
    note,
    ...(expected !== undefined && { expected }),
    ...(actual !== undefined && { actual }),
  };
}
