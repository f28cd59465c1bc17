import { ModelError, type ModelProvider, type ResponseFormat } from "../models/model.ts";
import { WebError, type WebFetcher } from "./web.ts";

/** What contracts may reach during a run. */
export interface HostServices {
  readonly model: ModelProvider;
  readonly web: WebFetcher;
}

/**
 * Answers one call out of the interpreter.
 *
 * @returns JSON `{ok}` or `{error: {causes, fatal}}`, as GenVM's host answers; never rejects
 */
export async function answerHostCall(
  kind: string,
  payload: string,
  services: HostServices,
  signal: AbortSignal,
): Promise<string> {
  try {
    const request = JSON.parse(payload) as Record<string, unknown>;
    switch (kind) {
      case "prompt":
        return ok(
          await services.model.answer({
            prompt: String(request["prompt"]),
            responseFormat: request["responseFormat"] as ResponseFormat,
            signal,
          }),
        );
      case "web": {
        const response = await services.web.get({
          url: String(request["url"]),
          headers: request["headers"] as Record<string, string>,
          signal,
        });
        return ok({
          status: response.status,
          headers: response.headers,
          body: Buffer.from(response.body).toString("base64"),
        });
      }
      default:
        return failure("UNKNOWN_CALL", `no host call ${kind}`);
    }
  } catch (error) {
    return failure(causeOf(error), error instanceof Error ? error.message : String(error));
  }
}

function causeOf(error: unknown): string {
  if (error instanceof ModelError) {
    return error.kind === "transient" ? "TRANSIENT_MODEL_FAILURE" : "MODEL_FAILURE";
  }
  return error instanceof WebError ? error.code : "HOST_FAILURE";
}

function ok(value: unknown): string {
  return JSON.stringify({ ok: value });
}

function failure(cause: string, message: string): string {
  return JSON.stringify({ error: { causes: [cause, message.slice(0, 500)], fatal: false } });
}
