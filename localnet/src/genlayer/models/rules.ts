import { ModelError, type ModelProvider } from "./model.ts";
import { judgeByRules, readPrompt } from "./rules-judge.ts";

/**
 * The built-in judge: a fixed rule in place of a language model, so that the system runs without one. Every note that
 * it writes says so. {@link judgeByRules} states the rule.
 */
export const rulesModel: ModelProvider = {
  description: "rules judge, no language model",
  answer: ({ prompt }) => {
    const read = readPrompt(prompt);
    return read === undefined
      ? Promise.reject(new ModelError("model", "the rules judge reads the agreement verifier's prompts only"))
      : Promise.resolve(JSON.stringify(judgeByRules(read)));
  },
};
