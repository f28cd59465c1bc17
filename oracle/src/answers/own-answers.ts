import { hireDecision, reputationOf, type Address, type Hex, type Verdict } from "@assay/protocol";
import type { OperatorConfig } from "../config/index.ts";
import type { ChainView } from "../ingest/index.ts";
import type { Clock } from "../observe/index.ts";
import { OPERATIONS, PrepareError, type Plan, type Step } from "../prepare/index.ts";
import type { EvmChain } from "../rpc/index.ts";
import { keyOf, type Cursor, type Store } from "../store/index.ts";
import { agreementSummary, agreementView } from "./agreements.ts";
import type { Answers } from "./answers.ts";
import { createCategoryReader } from "./categories.ts";
import { createDesk } from "./desk.ts";
import { AnswerError } from "./errors.ts";
import { createGate } from "./gate.ts";
import { createPartyRecords } from "./party-records.ts";
import { previewOf } from "./preview.ts";
import { readRequest } from "./read-request.ts";
import { hireView, reputationView } from "./reputation.ts";
import type { Preparation } from "./schemas/prepare.ts";
import { previewIn } from "./schemas/preview.ts";
import type { AdjudicationChoice } from "./schemas/reputation.ts";
import { caip10Of, caip2Of, type Source } from "./schemas/values.ts";
import type { AttestationView, VerdictView } from "./schemas/verdicts.ts";
import { simulate } from "./simulate.ts";
import { fromSeconds } from "./time.ts";
import { timelineOf } from "./timeline.ts";

/** Simulations at once, and how many may wait: the endpoint is there for the bridge first. */
const SIMULATIONS = { atOnce: 4, waiting: 16 };

/** Answers from this operator's own store, and for preparations from the chain's latest block. */
export function createAnswers(options: {
  readonly config: OperatorConfig;
  readonly store: Store;
  readonly chain: EvmChain;
  readonly clock: Clock;
  /** Where others reach this operator, without a slash at the end. */
  publicUrl(): string;
  view(): ChainView | null;
}): Answers {
  const { config, store, chain, clock } = options;
  const { chainId, escrow } = config.evm;
  const categories = createCategoryReader(store);
  const records = createPartyRecords(store, () => clock.now());
  const gate = createGate(SIMULATIONS.atOnce, SIMULATIONS.waiting);
  const desk = createDesk({
    ...{ config, store, chain },
    publicUrl: () => options.publicUrl(),
    now: () => options.view()?.latest.timestamp ?? Math.floor(clock.now() / 1_000),
  });

  const sourceAt = (cursor: Cursor | null): Source => ({
    kind: "operator",
    operator: config.keys.attester.address,
    caip2: caip2Of(chainId),
    escrow,
    block: cursor === null ? null : { number: cursor.number, hash: cursor.hash },
    finalBlock:
      cursor === null
        ? null
        : { number: cursor.final.number, hash: cursor.final.hash, at: fromSeconds(cursor.final.timestamp) },
  });
  const source = async (): Promise<Source> => sourceAt(await store.cursor());

  async function reputationAt(party: Address, choice: AdjudicationChoice, byCategory = false) {
    const cursor = await store.cursor();
    if (cursor === null)
      throw new AnswerError(
        "not_ready",
        "The operator has read no block yet.",
        "Ask again once /readyz answers 200.",
      );
    const { number, hash, timestamp } = cursor.final;
    const { facts, refundsOfUnknownOutcome } = await records.at(party, cursor);
    const reputation = reputationOf({
      party,
      asOf: { blockNumber: number, blockHash: hash, timestamp },
      agreements: facts,
      ...(byCategory ? { categories: await categories.of(facts) } : {}),
      ...(choice === "all"
        ? {}
        : {
            adjudications: [{ adjudicator: config.evm.quorum, adjudicatorConfig: config.members.configHash }],
          }),
    });
    return { reputation, refundsOfUnknownOutcome, cursor };
  }

  async function preparationOf(name: string, plan: Plan): Promise<Preparation> {
    return {
      source: await source(),
      operation: name,
      agreementId: plan.agreementId,
      steps: await Promise.all(plan.steps.map(stepView)),
      notes: [...plan.notes],
    };
  }

  async function stepView(step: Step): Promise<Preparation["steps"][number]> {
    if (step.kind === "sign")
      return { ...step, signerCaip10: caip10Of(chainId, step.signer), typedData: { ...step.typedData } };
    const { dependsOnPrevious: _, ...shown } = step;
    return {
      ...shown,
      toCaip10: caip10Of(chainId, step.to),
      chainId,
      caip2: caip2Of(chainId),
      simulation: await simulate(chain, gate, step),
    };
  }

  return {
    source,

    async agreements({ party, venue, role, status, limit, cursor }) {
      const page = await store.agreements({
        ...{ venue, limit, cursor: cursor ?? null },
        ...(party === undefined ? {} : { party, ...(role === undefined ? {} : { role }) }),
      });
      const summaries = await Promise.all(
        page.items.map((agreement) => agreementSummary(store, agreement, chainId)),
      );
      return {
        source: await source(),
        agreements: summaries.filter(({ escrowStatus }) => status === undefined || escrowStatus === status),
        cursor: page.cursor,
      };
    },

    async agreement(agreementId) {
      const agreement = await store.agreement(agreementId);
      return agreement === null ? null : agreementView(store, agreement, await source(), chainId);
    },

    async timeline(agreementId) {
      const agreement = await store.agreement(agreementId);
      return agreement === null ? null : timelineOf(store, agreement, await source());
    },

    async parties({ limit, cursor }) {
      const page = await store.parties({ limit, cursor: cursor ?? null });
      return {
        source: await source(),
        parties: page.items.map((address) => ({
          address,
          caip10: caip10Of(chainId, address),
          reputation: `/v1/reputation/${address}`,
        })),
        cursor: page.cursor,
      };
    },

    verdict: (verdictHash) => verdictOf(store, verdictHash),
    attestation: (agreementId) => attestationOf(store, config, agreementId),

    async reputation(party, choice, byCategory) {
      const found = await reputationAt(party, choice, byCategory);
      return reputationView({ ...found, source: sourceAt(found.cursor), chainId });
    },

    async hire(seller, { adjudications, ...policy }) {
      const { reputation, cursor } = await reputationAt(seller, adjudications);
      return hireView(hireDecision(reputation, policy), reputation, sourceAt(cursor));
    },

    preview: (request) =>
      Promise.resolve(
        previewOf(readRequest(previewIn, request), {
          ...{ chainId, escrow },
          attester: config.keys.attester.address,
          relayer: config.keys.relayer.address,
        }),
      ),

    async prepare(name, request) {
      const operation = OPERATIONS.find((one) => one.name === name);
      if (operation === undefined)
        throw new AnswerError(
          "not_found",
          `There is no operation named "${name.slice(0, 60)}".`,
          `Use one of ${OPERATIONS.map((one) => one.name).join(", ")}.`,
        );
      const read = readRequest(operation.request, request);
      try {
        return await preparationOf(name, await operation.plan(desk, read));
      } catch (error) {
        if (!(error instanceof PrepareError)) throw error;
        throw new AnswerError(error.code, error.message, error.hint, error.issues, { cause: error });
      }
    },
  };
}

async function verdictOf(store: Store, verdictHash: Hex): Promise<VerdictView | null> {
  const stored = await store.verdict(verdictHash);
  if (stored === null) return null;
  const record = JSON.parse(stored.record) as Record<string, unknown>;
  return {
    verdictHash,
    ...stored.key,
    record,
    documents: { agreement: String(record["agreementHash"]), submission: stored.key.submissionHash },
  };
}

async function attestationOf(
  store: Store,
  { evm, jobs, members }: OperatorConfig,
  agreementId: Hex,
): Promise<AttestationView | null> {
  const job = (await store.agreement(agreementId))?.job ?? null;
  for (const { state } of (await store.submissionsOf(agreementId)).toReversed()) {
    const key = keyOf(state);
    const signed = await store.signed(job?.commerce ?? evm.escrow, key);
    if (signed === null) continue;
    return {
      ...key,
      operator: signed.operator,
      digest: signed.digest,
      signature: signed.signature,
      verdict: JSON.parse(signed.verdict) as Verdict,
      record: JSON.parse(signed.record) as Record<string, unknown>,
      quorum: {
        chainId: evm.chainId,
        address: job === null || jobs === null ? evm.quorum : jobs.evaluator,
        members: [...members.addresses] as Address[],
        threshold: members.threshold,
      },
    };
  }
  return null;
}
