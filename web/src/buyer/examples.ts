import passwordReset from "../../../examples/password-reset/agreement.json" with { type: "json" };
import researchBrief from "../../../examples/research-brief/agreement.json" with { type: "json" };

/** Documents to begin with: those that the examples of this repository are judged by. */
export const EXAMPLES: readonly { readonly name: string; readonly document: unknown }[] = [
  { name: "Example: code", document: passwordReset },
  { name: "Example: a text", document: researchBrief },
];
