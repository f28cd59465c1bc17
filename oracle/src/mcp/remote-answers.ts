import { z } from "@hono/zod-openapi";
import {
  ANSWER_ERRORS,
  AnswerError,
  agreementOut,
  agreementPageOut,
  attestationOut,
  hireOut,
  partyPageOut,
  preparationOut,
  previewOut,
  reputationOut,
  timelineOut,
  verdictOut,
  type Answers,
} from "../answers/index.ts";
import { readBounded } from "../rpc/index.ts";

const TIMEOUT_MILLISECONDS = 15_000;
/** Longest answer that is read. */
const MAX_BYTES = 8_388_608;

const problemIn = z.object({
  code: z.string(),
  detail: z.string(),
  hint: z.string(),
  issues: z
    .array(z.object({ path: z.string(), message: z.string(), hint: z.string().optional() }))
    .optional(),
});

type Query = Readonly<Record<string, string | number | undefined>>;

/**
 * Answers of operators elsewhere, over their HTTP API. The first one that can be reached answers; what it says is
 * checked in shape, and believed as far as one believes that operator.
 *
 * @param urls base URLs, in the order in which they are asked.
 */
export function createRemoteAnswers(urls: readonly string[]): Answers {
  async function ask<T>(schema: z.ZodType<T>, path: string, init: RequestInit = {}): Promise<T> {
    let last: unknown = null;
    for (const url of urls)
      try {
        return await askOne(url, schema, path, init);
      } catch (error) {
        if (!(error instanceof AnswerError) || error.code !== "operator_unreachable") throw error;
        last = error;
      }
    throw last;
  }

  const orNull = async <T>(answer: Promise<T>): Promise<T | null> => {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof AnswerError && error.code === "not_found") return null;
      throw error;
    }
  };

  const post = <T>(schema: z.ZodType<T>, path: string, body: unknown): Promise<T> =>
    ask(schema, path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  return {
    source: async () => (await ask(agreementPageOut, "/v1/agreements?limit=1")).source,
    agreements: (filter) => ask(agreementPageOut, `/v1/agreements${queryOf(filter)}`),
    agreement: (id) => orNull(ask(agreementOut, `/v1/agreements/${id}`)),
    timeline: (id) => orNull(ask(timelineOut, `/v1/agreements/${id}/timeline`)),
    parties: (page) => ask(partyPageOut, `/v1/parties${queryOf(page)}`),
    verdict: (hash) => orNull(ask(verdictOut, `/v1/verdicts/${hash}`)),
    attestation: (id) => orNull(ask(attestationOut, `/v1/attestations/${id}`)),
    reputation: (party, adjudications, byCategory) =>
      ask(
        reputationOut,
        `/v1/reputation/${party}${queryOf({ adjudications, byCategory: byCategory ? "true" : undefined })}`,
      ),
    hire: (seller, request) => ask(hireOut, `/v1/hire/${seller}${queryOf(request)}`),
    preview: (request) => post(previewOut, "/v1/preview", request),
    prepare: (operation, request) =>
      post(preparationOut, `/v1/prepare/${encodeURIComponent(operation)}`, request),
  };
}

function queryOf(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
}

async function askOne<T>(url: string, schema: z.ZodType<T>, path: string, init: RequestInit): Promise<T> {
  const { origin } = new URL(url);
  const { status, body } = await fetchJson(origin, `${url.replace(/\/+$/, "")}${path}`, init);
  if (status >= 200 && status < 300) {
    const parsed = schema.safeParse(body);
    if (parsed.success) return parsed.data;
    throw unreachable(origin, "answers in a shape that this version does not know");
  }
  const problem = problemIn.safeParse(body);
  if (!problem.success || status >= 500 || status === 429) throw unreachable(origin, `answered ${status}`);
  const { code, detail, hint, issues } = problem.data;
  throw new AnswerError(
    ANSWER_ERRORS.find((known) => known === code) ?? "operator_refused",
    detail,
    hint,
    (issues ?? []).map(({ path: place, message, hint: way }) => ({
      ...{ path: place, message },
      ...(way === undefined ? {} : { hint: way }),
    })),
  );
}

async function fetchJson(
  origin: string,
  url: string,
  init: RequestInit,
): Promise<{ readonly status: number; readonly body: unknown }> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
    const bytes = await readBounded(response, MAX_BYTES);
    return {
      status: response.status,
      body: bytes === null ? null : (JSON.parse(new TextDecoder().decode(bytes)) as unknown),
    };
  } catch (cause) {
    throw unreachable(origin, "does not answer", cause);
  }
}

function unreachable(origin: string, what: string, cause?: unknown): AnswerError {
  return new AnswerError(
    "operator_unreachable",
    `The operator at ${origin} ${what}.`,
    "Try again, or start the server with another --operator.",
    [],
    { cause },
  );
}
