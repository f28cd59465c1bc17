import { ModelError, type ModelProvider, type ModelRequest } from "./model.ts";

/** One scripted answer: text, an error to throw, or a function of the request. */
export type ScriptedAnswer = string | ModelError | ((request: ModelRequest) => string | Promise<string>);

/** A model for tests. It keeps the prompts that it was asked. */
export interface ScriptedModel extends ModelProvider {
  readonly prompts: readonly string[];
}

/**
 * @param script answers in the order of asking, or one function that answers everything
 * @returns a model that throws a `model` error when its answers are used up
 */
export function scriptedModel(
  script: readonly ScriptedAnswer[] | Exclude<ScriptedAnswer, string>,
): ScriptedModel {
  const prompts: string[] = [];
  return {
    description: "scripted answers, no language model",
    prompts,
    async answer(request) {
      const next = isList(script) ? script[prompts.length] : script;
      prompts.push(request.prompt);
      if (next === undefined) {
        throw new ModelError("model", "no scripted answer is left");
      }
      if (next instanceof ModelError) {
        throw next;
      }
      return typeof next === "string" ? next : await next(request);
    },
  };
}

// Array.isArray does not narrow readonly arrays.
function isList(
  script: readonly ScriptedAnswer[] | Exclude<ScriptedAnswer, string>,
): script is readonly ScriptedAnswer[] {
  return Array.isArray(script);
}
