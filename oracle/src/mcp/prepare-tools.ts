import { preparationOut, type Answers } from "../answers/index.ts";
import { OPERATIONS } from "../prepare/index.ts";
import { tool, type ToolDefinition } from "./tool.ts";

/** Tools that hand out typed data to sign or a transaction to send. None of them holds a key or sends anything. */
export function prepareTools(answers: Answers): ToolDefinition[] {
  return OPERATIONS.map(({ name, title, summary, request }) =>
    tool({
      name: `prepare_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
      title: `Prepare: ${title}`,
      description: `${summary} Returns unsigned typed data or an unsigned transaction with what sending it now would lead to. Nothing is signed or sent: show the steps to whoever holds the key.`,
      input: request,
      output: preparationOut,
      asksTheWorld: true,
      answer: (_request, raw) => answers.prepare(name, raw),
    }),
  );
}
