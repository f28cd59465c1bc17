import type { ResponsibilityVerdict } from "@assay/protocol";
import { fencedLines } from "./fences.ts";

const FIRST_LINE = "You decide who was at fault in a piece of work that two agents did together.";

/** The texts of a responsibility prompt by name, such as `output of agent A`. */
export type WorkflowTexts = ReadonlyMap<string, string>;

/** @returns the texts of `prompt`; undefined when it is not one of the responsibility contract's */
export function readWorkflowPrompt(prompt: string): WorkflowTexts | undefined {
  if (!prompt.startsWith(FIRST_LINE)) {
    return undefined;
  }
  const parts = fencedLines(prompt.split("\n")).map(
    (line) => JSON.parse(line) as { name: string; text: string },
  );
  return new Map(parts.map(({ name, text }) => [name, text]));
}

/**
 * The rule, for each agent: it is at fault when a fragment in `backticks` of its obligation does not occur in its
 * output, white space left out of the comparison. An obligation without fragments decides nothing, and the verdict is
 * INCONCLUSIVE.
 */
export function attributeByRules(texts: WorkflowTexts): ResponsibilityVerdict {
  const [a, b] = [isAtFault(texts, "A"), isAtFault(texts, "B")];
  if (a === undefined || b === undefined) {
    return "INCONCLUSIVE";
  }
  if (a) {
    return b ? "SHARED_FAULT" : "AGENT_A_FAULT";
  }
  return b ? "AGENT_B_FAULT" : "NEITHER_AGENT_FAULT";
}

function isAtFault(texts: WorkflowTexts, agent: "A" | "B"): boolean | undefined {
  const obligation = texts.get(`obligation of agent ${agent}`) ?? "";
  const output = compact(texts.get(`output of agent ${agent}`) ?? "");
  const fragments = [...obligation.matchAll(/`([^`]+)`/g)].map((match) => compact(match[1] ?? ""));
  return fragments.length === 0 ? undefined : fragments.some((fragment) => !output.includes(fragment));
}

const compact = (text: string): string => text.replace(/\s+/g, "");
