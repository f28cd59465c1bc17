/** How a model is asked to answer, as in `gl.nondet.exec_prompt`. */
export type ResponseFormat = "text" | "json";

/** One prompt of a contract. */
export interface ModelRequest {
  readonly prompt: string;
  readonly responseFormat: ResponseFormat;
  /** Aborted when the run that asks is stopped. */
  readonly signal: AbortSignal;
}

/** Why a model gave no answer: `transient` may pass (5xx, timeout, rate limit), `model` will not by waiting. */
export type ModelErrorKind = "transient" | "model";

/** A model that gave no answer. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly kind: ModelErrorKind;

  constructor(kind: ModelErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Something that answers prompts. */
export interface ModelProvider {
  /** What the answers come from, for logs and pages, such as `rules judge, no language model`. */
  readonly description: string;
  /**
   * @returns the answer's text, exactly as the model wrote it
   * @throws {@link ModelError} when there is no answer
   */
  answer(request: ModelRequest): Promise<string>;
}

/**
 * The model of one validator: plain data for the built-in ones (so that it can stand in a configuration file), or a
 * provider object.
 */
export type ModelSpec =
  | { readonly provider: "rules" }
  | {
      readonly provider: "openai";
      /** Base URL of an OpenAI-compatible API, such as `http://127.0.0.1:8080/v1`. */
      readonly baseUrl: string;
      readonly model: string;
      readonly apiKey?: string;
      /** Milliseconds per answer (default 60 000). */
      readonly timeoutMilliseconds?: number;
    }
  | ModelProvider;
