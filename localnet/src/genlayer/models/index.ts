import type { ModelProvider, ModelSpec } from "./model.ts";
import { openAiModel } from "./openai.ts";
import { rulesModel } from "./rules.ts";

/** @returns the provider that `spec` stands for */
export function modelProvider(spec: ModelSpec): ModelProvider {
  if (!("provider" in spec)) {
    return spec;
  }
  return spec.provider === "rules" ? rulesModel : openAiModel(spec);
}

export { ModelError } from "./model.ts";
export type { ModelErrorKind, ModelProvider, ModelRequest, ModelSpec, ResponseFormat } from "./model.ts";
export { openAiModel } from "./openai.ts";
export { rulesModel } from "./rules.ts";
export { scriptedModel } from "./scripted.ts";
