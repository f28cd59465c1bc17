import { fromJsonSchema, type McpServer, type ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "@hono/zod-openapi";
import { readRequest } from "../answers/index.ts";
import { failed, structured } from "./result.ts";

/** One tool: a name, what it takes and gives, and how it answers. */
export interface ToolDefinition<Input = unknown> {
  /** Lower case, words joined by underscores. */
  readonly name: string;
  readonly title: string;
  /** For a model: what it answers, when to use it, what it does not do. */
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType;
  /** Whether the answer depends on more than the operator's own store. */
  readonly asksTheWorld: boolean;
  /**
   * @param input parsed.
   * @param raw the same as JSON.
   */
  answer(input: Input, raw: unknown): Promise<Readonly<Record<string, unknown>>>;
}

/** Ties a tool's input type to its schema. */
export function tool<Input>(definition: ToolDefinition<Input>): ToolDefinition {
  return definition;
}

/** No tool changes anything: those that prepare hand out what the caller then signs and sends. */
function annotationsOf({ title, asksTheWorld }: ToolDefinition): ToolAnnotations {
  return {
    title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: asksTheWorld,
  };
}

/** JSON Schema (2020-12) of what a tool takes or gives. */
export function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): Record<string, unknown> {
  return z.toJSONSchema(schema, { io, target: "draft-2020-12", unrepresentable: "any" });
}

/** Makes a tool ready. Compiling its schemas takes a while, and over HTTP every request has a server of its own. */
export function compileTool(definition: ToolDefinition) {
  const { title, description, input, output } = definition;
  return {
    definition,
    config: {
      title,
      description,
      inputSchema: fromJsonSchema(jsonSchemaOf(input, "input")),
      outputSchema: fromJsonSchema(jsonSchemaOf(output, "output")),
      annotations: annotationsOf(definition),
    },
  };
}

type CompiledTool = ReturnType<typeof compileTool>;

/**
 * Adds a tool to a server. Its input is checked twice: by the schema that clients see, and by the one that also knows
 * checksums and ranges; whatever goes wrong in between becomes a result that says so.
 */
export function registerTool(
  server: McpServer,
  { definition, config }: CompiledTool,
  onCall: (tool: string) => void,
): void {
  const { name, input } = definition;
  server.registerTool(name, config, async (raw: unknown) => {
    onCall(name);
    try {
      return structured(await definition.answer(readRequest(input, raw), raw));
    } catch (error) {
      return failed(error);
    }
  });
}
