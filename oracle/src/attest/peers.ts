import { documentHash, isHash, type Address, type Hex, type Verdict } from "@assay/protocol";
import { z } from "zod";
import type { Endpoint } from "../config/index.ts";
import { readBounded, wireAddress, wireHash } from "../rpc/index.ts";
import { LARGEST_DOCUMENT, type DocumentSource } from "../documents/index.ts";

const TIMEOUT_MILLISECONDS = 5_000;
/** Bytes of a peer's answer that are read at most. */
const MAX_ANSWER = 1_048_576;

/** A signature as a peer serves it; nothing in it is verified yet. */
export interface PeerAttestation {
  readonly origin: string;
  readonly operator: Address;
  readonly signature: Hex;
  readonly verdict: Verdict;
}

/** The other operators of the set. They are asked, never believed. */
export interface Peers {
  readonly origins: readonly string[];
  /** What the peers signed about an agreement; peers that are down or have nothing are left out. */
  attestations(agreementId: Hex): Promise<readonly PeerAttestation[]>;
  /** GenLayer transactions that the peers follow for an agreement. */
  judgeTransactions(agreementId: Hex): Promise<readonly Hex[]>;
  readonly documents: readonly DocumentSource[];
}

const attestationSchema = z.object({
  operator: wireAddress,
  signature: z.string().regex(/^0x([0-9a-fA-F]{2}){1,1024}$/),
  verdict: z.object({
    escrow: wireAddress,
    agreementId: wireHash,
    submissionHash: wireHash,
    outcome: z.int().min(1).max(4),
    verdictHash: wireHash,
    judge: wireAddress,
    judgeTx: wireHash,
    notAfter: z.int().nonnegative(),
  }),
});
const agreementSchema = z.object({
  submissions: z.array(z.object({ judge: z.object({ transactions: z.array(z.string()) }) })),
});

export function createPeers(endpoints: readonly Endpoint[]): Peers {
  async function get(endpoint: Endpoint, path: string, limit: number): Promise<Uint8Array | null> {
    try {
      const response = await fetch(new URL(path, endpoint.url.reveal()), {
        signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
        redirect: "error",
      });
      return response.ok ? await readBounded(response, limit) : null;
    } catch {
      return null;
    }
  }

  /** Asks all peers at once. What is malformed is as good as nothing. */
  async function ask<T>(
    path: string,
    schema: z.ZodType<T>,
  ): Promise<readonly { readonly origin: string; readonly answer: T }[]> {
    const answers = await Promise.all(
      endpoints.map(async (endpoint) => {
        const bytes = await get(endpoint, path, MAX_ANSWER);
        const parsed = bytes === null ? null : schema.safeParse(parseJson(bytes));
        return parsed?.success === true ? [{ origin: endpoint.origin, answer: parsed.data }] : [];
      }),
    );
    return answers.flat();
  }

  return {
    origins: endpoints.map((endpoint) => endpoint.origin),

    async attestations(agreementId) {
      const answers = await ask(`/v1/attestations/${agreementId}`, attestationSchema);
      return answers.map(({ origin, answer }) => ({
        origin,
        operator: answer.operator,
        signature: answer.signature as Hex,
        verdict: answer.verdict,
      }));
    },

    async judgeTransactions(agreementId) {
      const answers = await ask(`/v1/agreements/${agreementId}`, agreementSchema);
      const ids = answers.flatMap(({ answer }) =>
        answer.submissions.flatMap(({ judge }) => judge.transactions),
      );
      return [...new Set(ids.filter(isHash))];
    },

    documents: endpoints.map((endpoint) => ({
      name: endpoint.origin,
      async fetch(name) {
        const bytes = await get(endpoint, `/v1/documents/${name}`, LARGEST_DOCUMENT);
        return bytes !== null && documentHash(bytes) === name ? bytes : null;
      },
    })),
  };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
