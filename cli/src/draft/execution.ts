import { randomBytes } from "node:crypto";
import type { Execution } from "@assay/protocol";
import { UsageError } from "../errors.ts";
import { stepsOf, type JobView } from "../mission/mission-view.ts";
import { createRecorderClient, type RecorderClient } from "../mission/recorder.ts";
import type { Draft } from "./draft.ts";

/** Where the steps of an agreement come from. */
export interface ExecutionFlags {
  readonly recorder?: string;
  readonly job?: string;
  readonly mission?: string;
}

/**
 * Has a draft commit to a walk: to a job of a recorder's board, to a mission that was begun there and whose nonce both
 * sides mixed, or to the template's own steps under that recorder. Title, task and requirement are the job's where the
 * draft says nothing.
 *
 * @throws UsageError when there are no steps; whatever the recorder's client throws.
 */
export async function withExecution(draft: Draft, flags: ExecutionFlags): Promise<Draft> {
  const written = draft.execution as Partial<Execution> | undefined;
  if (flags.recorder === undefined) {
    if (flags.job === undefined && flags.mission === undefined)
      return written === undefined ? draft : { ...draft, execution: { nonce: newNonce(), ...written } };
    throw new UsageError("a job or a mission is a recorder's", "Name its URL with --recorder.");
  }
  const client = createRecorderClient(flags.recorder);
  const [recorder, source] = await Promise.all([client.account(), stepsFrom(client, flags)]);
  const steps = source?.steps ?? written?.steps;
  if (steps === undefined)
    throw new UsageError(
      "nothing says which steps are to be walked",
      "Name a job of the board with --job, a mission with --mission, or a template with execution.steps.",
    );
  const nonce = source?.nonce ?? written?.nonce ?? newNonce();
  const isBare = !Array.isArray(draft.requirements) || draft.requirements.length === 0;
  return {
    ...draft,
    ...(draft.title === undefined && source !== null && { title: source.title }),
    ...(draft.task === undefined && source !== null && { task: source.task }),
    ...(isBare && {
      requirements: [
        {
          id: "WALK",
          text: `The ${steps.length} committed steps were walked in their order, as the recorder attests.`,
          check: { type: "execution_proof" },
        },
      ],
    }),
    execution: { nonce, recorder, steps },
  };
}

interface StepsSource extends Partial<Pick<Execution, "nonce">> {
  readonly title: string;
  readonly task: string;
  readonly steps: Execution["steps"];
}

async function stepsFrom(
  client: RecorderClient,
  { job, mission }: ExecutionFlags,
): Promise<StepsSource | null> {
  if (mission !== undefined) {
    const view = await client.mission(mission);
    const steps = stepsOf(view);
    return { nonce: view.nonce, steps, title: `Walk ${steps.length} steps`, task: listOf(steps) };
  }
  if (job === undefined) return null;
  const jobs = await client.board();
  const found = jobs.find(({ job_id: id }) => id === job);
  if (found !== undefined) return fromJob(found);
  throw new UsageError(
    `the recorder's board has no job ${job}`,
    jobs.length === 0 ? "It has none at all." : `It has ${jobs.map(({ job_id: id }) => id).join(", ")}.`,
  );
}

function fromJob(job: JobView): StepsSource {
  const steps = stepsOf(job);
  return { steps, title: job.title, task: `${job.description}\n${listOf(steps)}` };
}

function listOf(steps: Execution["steps"]): string {
  return steps.map(({ index, method, pathTemplate }) => `${index}. ${method} ${pathTemplate}`).join("\n");
}

function newNonce(): Execution["nonce"] {
  return `0x${randomBytes(32).toString("hex")}`;
}
