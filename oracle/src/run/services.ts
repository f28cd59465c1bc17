import type { Peers } from "../attest/peers.ts";
import type { OperatorConfig } from "../config/index.ts";
import type { Documents } from "../documents/documents.ts";
import type { ChainView } from "../ingest/ingest.ts";
import type { Judge } from "../judge/judge.ts";
import type { Clock } from "../observe/clock.ts";
import type { Logger } from "../observe/logger.ts";
import type { EvmChain } from "../rpc/index.ts";
import type { Attester, Submitter } from "../signer/index.ts";
import type { Store } from "../store/index.ts";
import { NotYetError } from "./step.ts";

/** Everything that handlers work with; made once, passed explicitly. */
export interface Services {
  readonly config: OperatorConfig;
  readonly store: Store;
  readonly chain: EvmChain;
  readonly judge: Judge;
  readonly documents: Documents;
  readonly attester: Attester;
  readonly submitter: Submitter;
  readonly peers: Peers;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The chain as ingested; null before the first step. */
  view(): ChainView | null;
  /** Why nothing may be signed; null when all is well. */
  haltReason(): string | null;
}

/** The chain as ingested. @throws NotYetError before the first step. */
export function chainView(services: Services): ChainView {
  const view = services.view();
  if (view === null) throw new NotYetError("the chain has not been read yet");
  return view;
}
