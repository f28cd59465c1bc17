import { z } from "zod";
import { printable, toAddress, toHash, type Hex } from "@assay/protocol";
import { UnavailableError } from "../error.ts";
import { TIMEOUT_MILLISECONDS, originOf, readBounded, reasonOf } from "../http.ts";

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

const address = z.string().transform((text) => toAddress(text));
const hash = z.string().transform((text) => toHash(text));

const signature = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})+$/)
  .transform((text) => text.toLowerCase() as Hex);

const selfSchema = z.object({
  attester: address,
  evm: z.object({ chainId: z.int(), escrow: address, quorum: address }),
  quorum: z.object({ members: z.array(address), threshold: z.int() }),
  halted: z.string().nullable().default(null),
});
const problemSchema = z.object({ code: z.string(), detail: z.string(), hint: z.string() });
const stageSchema = z.object({ stage: z.string(), at: z.string().nullable() });
const agreementSchema = z.object({
  agreementId: hash,
  ignoredReason: z.string().nullable().default(null),
  submissions: z.array(
    z.object({
      submissionHash: hash,
      state: z.string(),
      reason: z.string().nullable().default(null),
      lastError: z.string().nullable().default(null),
      stages: z.array(stageSchema),
      judge: z.object({ transactions: z.array(z.string()) }).optional(),
      requirements: z
        .array(z.object({ id: z.string(), result: z.string(), decidedBy: z.string() }))
        .default([]),
      verdict: z.object({ outcome: z.string(), verdictHash: hash, record: z.unknown() }).nullable(),
      /** Signatures that the operator collected, its own among them. */
      attestations: z.array(z.object({ operator: address, signature })).default([]),
    }),
  ),
});
const attestationSchema = z.object({
  agreementId: hash,
  submissionHash: hash,
  operator: address,
  signature,
  verdict: z.object({
    escrow: address,
    agreementId: hash,
    submissionHash: hash,
    outcome: z.int(),
    verdictHash: hash,
    judge: address,
    judgeTx: hash,
    notAfter: z.int(),
  }),
  record: z.unknown(),
  quorum: z.object({ members: z.array(address), threshold: z.int() }),
});

/** What an operator says about itself. */
export type OperatorSelf = z.infer<typeof selfSchema>;
/** What an operator says about an agreement. */
export type OperatorView = z.infer<typeof agreementSchema>;
/** What an operator signed about a submission; nothing of it is believed before it is verified. */
export type PublishedAttestation = z.infer<typeof attestationSchema>;

/** An operator refused a request, or its answer is none. */
export class OperatorError extends UnavailableError {
  /** The problem's code, or `unreachable`, `malformed`. */
  readonly code: string;

  constructor(code: string, message: string, hint: string, options?: ErrorOptions) {
    super(message, hint, options);
    this.code = code;
  }
}

/** An operator's HTTP API. Every method rejects with OperatorError. */
export interface Operator {
  readonly origin: string;
  self(): Promise<OperatorSelf>;
  /** Whether it takes part in judging now: its own word. */
  ready(): Promise<{ readonly ready: boolean; readonly failing: readonly string[] }>;
  /** Null when it does not have the document. The caller hashes what comes back. */
  document(documentHash: Hex): Promise<Uint8Array | null>;
  putDocument(documentHash: Hex, bytes: Uint8Array): Promise<void>;
  /** Null while it has not seen the agreement. */
  agreement(agreementId: Hex): Promise<OperatorView | null>;
  /** Null while it has signed nothing about the agreement. */
  attestation(agreementId: Hex): Promise<PublishedAttestation | null>;
}

/** Talks to the operator at `url`. */
export function createOperator(url: string): Operator {
  const base = url.replace(/\/+$/, "");
  const origin = originOf(url);

  async function request(
    path: string,
    init: RequestInit = {},
  ): Promise<{ status: number; bytes: Uint8Array }> {
    try {
      const response = await fetch(`${base}${path}`, {
        ...init,
        signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
      });
      const bytes = await readBounded(response, MAX_ANSWER_BYTES);
      if (bytes === null) throw malformed(path);
      return { status: response.status, bytes };
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      throw new OperatorError(
        "unreachable",
        `operator ${origin} gives no answer: ${reasonOf(error)}`,
        "Check its URL, or leave it out.",
        { cause: error },
      );
    }
  }

  function read<T>(schema: z.ZodType<T>, path: string, bytes: Uint8Array): T {
    try {
      return schema.parse(JSON.parse(new TextDecoder().decode(bytes)));
    } catch (error) {
      throw malformed(path, error);
    }
  }

  function malformed(path: string, cause?: unknown): OperatorError {
    return new OperatorError(
      "malformed",
      `operator ${origin} answered ${path} in an unknown shape`,
      "Is it an operator of Assay, of a version that goes with this one?",
      { cause },
    );
  }

  function refused(path: string, status: number, bytes: Uint8Array): OperatorError {
    const problem = problemSchema.safeParse(attempt(() => JSON.parse(new TextDecoder().decode(bytes))));
    if (!problem.success)
      return new OperatorError(
        "refused",
        `operator ${origin} answered ${path} with ${status}`,
        "Try again later.",
      );
    const { code, detail, hint } = problem.data;
    return new OperatorError(code, `operator ${origin}: ${printable(detail)}`, printable(hint));
  }

  async function get<T>(schema: z.ZodType<T>, path: string): Promise<T | null> {
    const { status, bytes } = await request(path);
    if (status === 404) return null;
    if (status !== 200) throw refused(path, status, bytes);
    return read(schema, path, bytes);
  }

  return {
    origin,
    async self() {
      const found = await get(selfSchema, "/v1/operator");
      if (found === null) throw malformed("/v1/operator");
      return found;
    },
    async ready() {
      const { bytes } = await request("/readyz");
      const { ready, components } = read(readySchema, "/readyz", bytes);
      return { ready, failing: failingOf(components) };
    },
    async document(documentHash) {
      const path = `/v1/documents/${documentHash}`;
      const { status, bytes } = await request(path);
      if (status === 404) return null;
      if (status !== 200) throw refused(path, status, bytes);
      return bytes;
    },
    async putDocument(documentHash, bytes) {
      const path = `/v1/documents/${documentHash}`;
      const answer = await request(path, { method: "PUT", body: bytes.slice() });
      if (answer.status !== 200 && answer.status !== 201) throw refused(path, answer.status, answer.bytes);
    },
    agreement: (agreementId) => get(agreementSchema, `/v1/agreements/${agreementId}`),
    attestation: (agreementId) => get(attestationSchema, `/v1/attestations/${agreementId}`),
  };
}

const readySchema = z.object({ ready: z.boolean(), components: z.unknown() });

/** What is the matter with the components that are not healthy. */
function failingOf(components: unknown): string[] {
  const parsed = z
    .record(z.string(), z.object({ status: z.string(), detail: z.string().default("") }))
    .safeParse(components);
  if (!parsed.success) return [];
  return Object.entries(parsed.data).flatMap(([name, { status, detail }]) =>
    status === "healthy" ? [] : [printable(`${name} is ${status}: ${detail}`)],
  );
}

function attempt(action: () => unknown): unknown {
  try {
    return action();
  } catch {
    return undefined;
  }
}
