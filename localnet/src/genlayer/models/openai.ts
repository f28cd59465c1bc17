import { ModelError, type ModelProvider, type ModelRequest, type ModelSpec } from "./model.ts";

/** Configuration of {@link openAiModel}. */
export type OpenAiSpec = Extract<ModelSpec, { provider: "openai" }>;

const DEFAULT_TIMEOUT_MILLISECONDS = 60_000;
/** An answer beyond this is no verdict. */
const MAX_ANSWER_BYTES = 256 * 1024;

/** A model behind any OpenAI-compatible `chat/completions` endpoint, asked at temperature 0. */
export function openAiModel(spec: OpenAiSpec): ModelProvider {
  const url = `${spec.baseUrl.replace(/\/+$/, "")}/chat/completions`;
  return {
    description: `${spec.model} at ${new URL(url).host}`,
    answer: async (request) => contentOf(await post(url, spec, request)),
  };
}

async function post(url: string, spec: OpenAiSpec, request: ModelRequest): Promise<string> {
  const timeout = AbortSignal.timeout(spec.timeoutMilliseconds ?? DEFAULT_TIMEOUT_MILLISECONDS);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(spec.apiKey === undefined ? {} : { authorization: `Bearer ${spec.apiKey}` }),
      },
      body: JSON.stringify({
        model: spec.model,
        temperature: 0,
        messages: [{ role: "user", content: request.prompt }],
        ...(request.responseFormat === "json" ? { response_format: { type: "json_object" } } : {}),
      }),
      signal: AbortSignal.any([request.signal, timeout]),
    });
    text = await readBounded(response);
  } catch (error) {
    if (error instanceof ModelError) {
      throw error;
    }
    throw new ModelError("transient", `no answer from ${new URL(url).host}: ${reason(error)}`);
  }
  if (!response.ok) {
    const transient = response.status >= 500 || response.status === 429 || response.status === 408;
    throw new ModelError(
      transient ? "transient" : "model",
      `${new URL(url).host} answered ${response.status}`,
    );
  }
  return text;
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    const bytes = chunk as Uint8Array;
    size += bytes.length;
    if (size > MAX_ANSWER_BYTES) {
      throw new ModelError("model", `an answer of more than ${MAX_ANSWER_BYTES} bytes`);
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function contentOf(body: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw new ModelError("model", "the endpoint answered no JSON");
  }
  const content = (parsed as { choices?: { message?: { content?: unknown } }[] } | null)?.choices?.[0]
    ?.message?.content;
  if (typeof content !== "string") {
    throw new ModelError("model", "the endpoint's answer holds no message");
  }
  return content;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
