import {
  documentHash,
  isHash,
  verdictHash,
  verdictRecordSchema,
  type Address,
  type Hex,
  type Verdict,
  type VerdictRecord,
} from "@assay/protocol";
import { z } from "zod";
import type { Endpoint } from "../config/index.ts";
import { readBounded, wireAddress, wireHash } from "../rpc/index.ts";
import { LARGEST_DOCUMENT, type DocumentSource } from "../documents/documents.ts";
import type { Peer } from "./operators.ts";

const TIMEOUT_MILLISECONDS = 5_000;
/** Milliseconds that a peer is left alone which took too long: whoever asks for others would wait for it every time. */
const REST_MILLISECONDS = 15_000;
/** Bytes of a peer's answer that are read at most. */
const MAX_ANSWER = 1_048_576;

/** A signature as a peer serves it; nothing in it is verified yet. */
export interface PeerAttestation {
  readonly origin: string;
  /** The member that announced the place; null when the peer was named without one. */
  readonly member: Address | null;
  readonly operator: Address;
  readonly signature: Hex;
  readonly verdict: Verdict;
}

/** How a peer was when it was last asked. */
export interface PeerState {
  readonly origin: string;
  readonly member: Address | null;
  /** `foreign`: it answers, for another attester than the member that announced it. */
  readonly status: "unknown" | "answers" | "silent" | "foreign";
}

/** The other operators of the set. They are asked, never believed. */
export interface Peers {
  /** As of the last check. */
  states(): readonly PeerState[];
  /** Asks every peer who it is. */
  check(): Promise<readonly PeerState[]>;
  /** What the peers signed about an agreement; peers that are down or have nothing are left out. */
  attestations(agreementId: Hex): Promise<readonly PeerAttestation[]>;
  /** GenLayer transactions that the peers follow for an agreement. */
  judgeTransactions(agreementId: Hex): Promise<readonly Hex[]>;
  /** The record of a verdict hash, from a peer that has it; null when none does. */
  verdictRecord(hash: Hex): Promise<VerdictRecord | null>;
  readonly documents: readonly DocumentSource[];
}

const verdictSchema = z.object({ record: z.record(z.string(), z.unknown()) });

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

const operatorSchema = z.object({ attester: wireAddress });

export function createPeers(
  peers: readonly Peer[],
  timing: { readonly timeout: number; readonly rest: number } = {
    timeout: TIMEOUT_MILLISECONDS,
    rest: REST_MILLISECONDS,
  },
): Peers {
  const statuses = new Map<Peer, PeerState["status"]>();
  /** Until when each peer is left alone, by the process's own clock. */
  const rests = new Map<Peer, number>();

  async function get(peer: Peer, path: string, limit: number): Promise<Uint8Array | null> {
    if (performance.now() < (rests.get(peer) ?? 0)) return null;
    const signal = AbortSignal.timeout(timing.timeout);
    try {
      const response = await fetch(within(peer.endpoint, path), { signal, redirect: "error" });
      return response.ok ? await readBounded(response, limit) : null;
    } catch {
      if (signal.aborted) rests.set(peer, performance.now() + timing.rest);
      return null;
    }
  }

  /** Asks all peers at once. What is malformed is as good as nothing. */
  async function ask<T>(
    path: string,
    schema: z.ZodType<T>,
  ): Promise<readonly { readonly peer: Peer; readonly answer: T }[]> {
    const answers = await Promise.all(
      peers.map(async (peer) => {
        const bytes = await get(peer, path, MAX_ANSWER);
        const parsed = bytes === null ? null : schema.safeParse(parseJson(bytes));
        return parsed?.success === true ? [{ peer, answer: parsed.data }] : [];
      }),
    );
    return answers.flat();
  }

  const states = (): readonly PeerState[] =>
    peers.map((peer) => ({
      origin: peer.endpoint.origin,
      member: peer.member,
      status: statuses.get(peer) ?? "unknown",
    }));

  async function check(): Promise<readonly PeerState[]> {
    rests.clear();
    const answers = await ask("/v1/operator", operatorSchema);
    for (const peer of peers) {
      const attester = answers.find((entry) => entry.peer === peer)?.answer.attester ?? null;
      const isForeign = peer.member !== null && attester !== peer.member;
      statuses.set(peer, attester === null ? "silent" : isForeign ? "foreign" : "answers");
    }
    return states();
  }

  return {
    states,
    check,

    async attestations(agreementId) {
      const answers = await ask(`/v1/attestations/${agreementId}`, attestationSchema);
      return answers.map(({ peer, answer }) => ({
        origin: peer.endpoint.origin,
        member: peer.member,
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

    async verdictRecord(hash) {
      const answers = await ask(`/v1/verdicts/${hash}`, verdictSchema);
      for (const { answer } of answers) {
        const record = parsedRecord(answer.record);
        if (record !== null && verdictHash(record) === hash) return record;
      }
      return null;
    },

    documents: peers.map((peer) => ({
      name: peer.endpoint.origin,
      async fetch(name) {
        const bytes = await get(peer, `/v1/documents/${name}`, LARGEST_DOCUMENT);
        return bytes !== null && documentHash(bytes) === name ? bytes : null;
      },
    })),
  };
}

/** A path below a base URL, which may have a path of its own. */
function within(endpoint: Endpoint, path: string): URL {
  const base = new URL(endpoint.url.reveal());
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  return new URL(`.${path}`, base);
}

/** The hash decides what is believed; this only keeps out what is no record at all. */
function parsedRecord(value: unknown): VerdictRecord | null {
  const parsed = verdictRecordSchema.safeParse(value);
  return parsed.success ? parsed.data : null;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
