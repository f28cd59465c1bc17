import type { Address, Hex } from "@assay/protocol";
import type {
  AgreementFilter,
  AgreementPage,
  AgreementView,
  PartyPage,
  Timeline,
} from "./schemas/agreements.ts";
import type { HireRequest, HireView } from "./schemas/hire.ts";
import type { Preparation } from "./schemas/prepare.ts";
import type { PreviewView } from "./schemas/preview.ts";
import type { AdjudicationChoice, ReputationView } from "./schemas/reputation.ts";
import type { Source } from "./schemas/values.ts";
import type { AttestationView, VerdictView } from "./schemas/verdicts.ts";

/**
 * Everything that an operator answers. Two doors lead here, HTTP and MCP, and both say the same. Nothing here changes
 * what leads to money.
 *
 * Every method may reject with an `AnswerError`.
 */
export interface Answers {
  source(): Promise<Source>;
  agreements(filter: AgreementFilter): Promise<AgreementPage>;
  /** Null when the operator has not seen it. */
  agreement(agreementId: Hex): Promise<AgreementView | null>;
  timeline(agreementId: Hex): Promise<Timeline | null>;
  parties(page: { readonly limit: number; readonly cursor?: string | undefined }): Promise<PartyPage>;
  verdict(verdictHash: Hex): Promise<VerdictView | null>;
  attestation(agreementId: Hex): Promise<AttestationView | null>;
  /** @param byCategory whether each category is counted by itself, too. */
  reputation(party: Address, adjudications: AdjudicationChoice, byCategory: boolean): Promise<ReputationView>;
  /** Whether a seller's history meets a buyer's demands, with reasons. */
  hire(seller: Address, request: HireRequest): Promise<HireView>;
  /** @param request as JSON; checked here. */
  preview(request: unknown): Promise<PreviewView>;
  /**
   * @param operation a name in `OPERATIONS`.
   * @param request as JSON; checked here.
   */
  prepare(operation: string, request: unknown): Promise<Preparation>;
}
