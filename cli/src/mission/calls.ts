import { matchesTemplate, printable, type Step } from "@assay/protocol";
import { readBounded } from "../deal/deal-file.ts";
import { UsageError } from "../errors.ts";

/** A recorder keeps bodies of 1 MiB, unless its owner says otherwise; none says more than this. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** What options say about the calls of a walk. */
export interface CallOptions {
  /** `name=value`: what stands for `{name}` in path templates. */
  readonly set?: readonly string[];
  /** `index=target`: path and query of one step, exactly. */
  readonly call?: readonly string[];
  /** `index=file`: the body of one step. */
  readonly body?: readonly string[];
  /** `Name: value`, for every step; `index=Name: value`, for one. */
  readonly header?: readonly string[];
}

/** One call as it goes over the wire. */
export interface PlannedCall {
  readonly step: Step;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * The calls that walk these steps, from `position` on: every one is known before the first is made.
 *
 * @throws UsageError naming everything that is missing or is no call of its step.
 */
export async function planCalls(
  steps: readonly Step[],
  position: number,
  options: CallOptions,
): Promise<PlannedCall[]> {
  const values = new Map((options.set ?? []).map((text) => pairOf("--set", text)));
  const targets = indexed("--call", options.call, steps.length);
  const files = indexed("--body", options.body, steps.length);
  const problems: string[] = [];
  const calls: PlannedCall[] = [];
  for (const step of steps.slice(position)) {
    const target = targets.get(step.index) ?? filled(step, values);
    if (target === null)
      problems.push(`step ${step.index}, ${step.method} ${step.pathTemplate}, leaves a segment open`);
    else if (!matchesTemplate(step.pathTemplate, target) || !/^[\x21-\x7e]+$/.test(target))
      problems.push(`${target} is no call of step ${step.index}, ${step.pathTemplate}`);
    const file = files.get(step.index);
    calls.push({
      step,
      target: target ?? "",
      headers: headersOf(step.index, options.header ?? []),
      body: file === undefined ? new Uint8Array() : await readBounded(file, MAX_BODY_BYTES),
    });
  }
  if (problems.length === 0) return calls;
  throw new UsageError(
    `the walk can't be made like this:\n${problems.map((problem) => `  ${printable(problem)}`).join("\n")}`,
    "Say what stands for {name} with --set name=value, or give a step's exact path and query with --call index=/path?query.",
  );
}

const NAME = /\{([^}]*)\}/g;

/** The template with every `{name}` replaced; null when one has no value. */
function filled({ pathTemplate }: Step, values: ReadonlyMap<string, string>): string | null {
  const names = [...pathTemplate.matchAll(NAME)].map(([, name = ""]) => name);
  if (!names.every((name) => values.has(name))) return null;
  return pathTemplate.replaceAll(NAME, (_, name: string) => encodeURIComponent(values.get(name) ?? ""));
}

function pairOf(option: string, text: string): [name: string, value: string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new UsageError(`${option} ${JSON.stringify(text)} can't be read`, `Write ${option} name=value.`);
}

function indexed(
  option: string,
  texts: readonly string[] | undefined,
  count: number,
): ReadonlyMap<number, string> {
  return new Map(
    (texts ?? []).map((text): [number, string] => {
      const [name, value] = pairOf(option, text);
      const index = /^\d{1,3}$/.test(name) ? Number(name) : count;
      if (index < count) return [index, value];
      throw new UsageError(
        `${option} ${JSON.stringify(text)} names no step`,
        `Steps are numbered from 0 to ${count - 1}.`,
      );
    }),
  );
}

const OWN_HEADERS = /^(?:x-a2a-.*|x-api-key|host|content-length|transfer-encoding|connection)$/i;

function headersOf(index: number, texts: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const text of texts) {
    const [, at, name = "", value = ""] =
      /^(?:(\d{1,3})=)?([A-Za-z0-9!#$%&'*+.^_`|~-]+): *([\x20-\x7e]*)$/.exec(text) ?? [];
    if (name === "" || OWN_HEADERS.test(name))
      throw new UsageError(
        `--header ${JSON.stringify(text)} can't be sent`,
        'Write "Name: value", or "index=Name: value" for one step; mission, key and length are written here.',
      );
    if (at === undefined || Number(at) === index) headers[name.toLowerCase()] = value;
  }
  return headers;
}
