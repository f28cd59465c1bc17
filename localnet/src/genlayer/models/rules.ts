import { ModelError, type ModelProvider } from "./model.ts";
import { attributeByRules, readWorkflowPrompt } from "./responsibility-rules.ts";
import { judgeByRules, readPrompt } from "./rules-judge.ts";

/**
 * The built-in judge: fixed rules in place of a language model, so that the system runs without one. Its description,
 * and every note that it writes, say so. {@link judgeByRules} and {@link attributeByRules} state the rules.
 */
export const rulesModel: ModelProvider = {
  description: "rules judge, no language model",
  answer: ({ prompt }) => {
    const answer = answerByRules(prompt);
    return answer === undefined
      ? Promise.reject(
          new ModelError("model", "the rules judge reads the prompts of this project's contracts only"),
        )
      : Promise.resolve(JSON.stringify(answer));
  },
};

function answerByRules(prompt: string): object | undefined {
  const workflow = readWorkflowPrompt(prompt);
  if (workflow !== undefined) {
    return { verdict: attributeByRules(workflow) };
  }
  const agreement = readPrompt(prompt);
  return agreement === undefined ? undefined : judgeByRules(agreement);
}
