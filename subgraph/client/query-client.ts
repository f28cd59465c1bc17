import { ReputationError, toAddress, toHash, type AgreementFact, type Reputation } from "@assay/protocol";
import {
  SOURCES,
  type AgreementRecord,
  type AgreementSummary,
  type HashOwner,
  type PairHistory,
  type PassedOver,
  type Sourced,
  type SourceReason,
  type Totals,
} from "./answers.ts";
import { createChainReader, type JsonRpc } from "./chain-reader.ts";
import { chainSource, type Deployment } from "./chain-source.ts";
import { graphSource } from "./graph-source.ts";
import { NoSourceError } from "./no-source-error.ts";
import { operatorSource } from "./operator-source.ts";
import { type Freshness, type Reading, type ReputationOptions, type Source, SourceError } from "./source.ts";

/** Where answers can come from; each may be left out, but not all. */
export interface QueryClientParameters extends Freshness {
  readonly deployment: Deployment;
  /** The subgraph's query URL. */
  readonly graphUrl?: string;
  /** The base URL of an operator's HTTP API. */
  readonly operatorUrl?: string;
  /** A node of the escrow's chain. It also finds out a source that is behind, or on a block that the chain has not. */
  readonly rpc?: JsonRpc;
}

/**
 * Asks the index; where it is absent, behind, off the chain or failing, an operator; where that does not help, the
 * chain. Every answer says who gave it and why it was not the index, and for which block it speaks.
 *
 * Every method rejects with a {@link NoSourceError} when nobody answers, and a ValueError for what is no address or id.
 */
export interface QueryClient {
  /** Null when there is no such agreement. */
  agreement(agreementId: string): Promise<Sourced<AgreementRecord | null>>;
  /** As buyer and as seller, however many there are, in the order of their ids. */
  agreementsOf(party: string): Promise<Sourced<readonly AgreementSummary[]>>;
  /** The agreements that were funded last, newest first. */
  latest(limit: number): Promise<Sourced<readonly AgreementSummary[]>>;
  /** What reputations are computed from, in the order of the agreements' ids. */
  facts(party: string): Promise<Sourced<readonly AgreementFact[]>>;
  /**
   * The agreements that a hash belongs to: of the agreement document, of the submission or of the verdict, in the order
   * of their ids. Several when a document was used several times.
   */
  ownersOf(hash: string): Promise<Sourced<readonly HashOwner[]>>;
  reputation(party: string, options?: ReputationOptions): Promise<Sourced<Reputation>>;
  pairHistory(buyer: string, seller: string): Promise<Sourced<PairHistory>>;
  totals(): Promise<Sourced<Totals>>;
}

/**
 * @example
 * ```ts
 * const client = createQueryClient({ deployment, graphUrl, rpc: (method, params) => provider.send(method, params) });
 * const { value, source, sourceReason, block } = await client.reputation(seller);
 * ```
 */
export function createQueryClient(parameters: QueryClientParameters): QueryClient {
  const { deployment, graphUrl, operatorUrl, rpc } = parameters;
  const chain = rpc === undefined ? undefined : createChainReader(rpc);
  const sources: Partial<Record<(typeof SOURCES)[number], Source>> = {
    ...(graphUrl === undefined ? {} : { graph: graphSource(graphUrl, chain, parameters) }),
    ...(operatorUrl === undefined
      ? {}
      : { operator: operatorSource(operatorUrl, deployment, chain, parameters) }),
    ...(chain === undefined ? {} : { chain: chainSource(chain, deployment) }),
  };

  const ask = async <Value>(
    question: (source: Source) => Promise<Reading<Value>>,
  ): Promise<Sourced<Value>> => {
    const passedOver: PassedOver[] = [];
    for (const name of SOURCES) {
      const source = sources[name];
      if (source === undefined) {
        passedOver.push({ source: name, refusal: "not_configured", message: "none was given" });
        continue;
      }
      try {
        const { value, block } = await question(source);
        const [graph] = passedOver;
        const sourceReason: SourceReason = graph === undefined ? "graph" : `graph_${graph.refusal}`;
        return { value, source: name, sourceReason, block, passedOver };
      } catch (error) {
        // Facts that can't all be true are no answer either.
        if (!(error instanceof SourceError || error instanceof ReputationError)) throw error;
        const refusal = error instanceof SourceError ? error.refusal : "failed";
        passedOver.push({ source: name, refusal, message: error.message });
      }
    }
    throw new NoSourceError(passedOver);
  };

  return {
    async agreement(agreementId) {
      const id = toHash(agreementId.toLowerCase());
      return await ask((source) => source.agreement(id));
    },
    async agreementsOf(party) {
      const address = toAddress(party);
      return await ask((source) => source.agreementsOf(address));
    },
    latest: (limit) => ask((source) => source.latest(limit)),
    async facts(party) {
      const address = toAddress(party);
      return await ask((source) => source.facts(address));
    },
    async ownersOf(hash) {
      const value = toHash(hash.toLowerCase());
      return await ask((source) => source.ownersOf(value));
    },
    async reputation(party, options = {}) {
      const address = toAddress(party);
      return await ask((source) => source.reputation(address, options));
    },
    async pairHistory(buyer, seller) {
      const [one, other] = [toAddress(buyer), toAddress(seller)];
      return await ask((source) => source.pairHistory(one, other));
    },
    totals: () => ask((source) => source.totals()),
  };
}
