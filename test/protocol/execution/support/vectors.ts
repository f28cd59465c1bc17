import { readFileSync } from "node:fs";
import type { ExecutionClaim, ExecutionFaultCode, Hex, PublishedRecord, Step } from "@assay/protocol";

/** A mission that was walked to its end. */
export interface MissionVector extends Required<ExecutionClaim> {
  readonly name: string;
  readonly agreementId: Hex;
  readonly steps: readonly Step[];
  readonly records: readonly Required<PublishedRecord>[];
  readonly digest: Hex;
  readonly signature: Hex;
}

/** What somebody says about a mission, with the first thing wrong about it. */
export interface ClaimVector {
  readonly name: string;
  readonly claim: ExecutionClaim;
  /** Null for a claim that holds. */
  readonly code: ExecutionFaultCode | null;
  readonly step: number | null;
}

/** What `test/vectors/execution-chain.json` holds. */
export interface ExecutionVectors {
  readonly domain: { readonly chainId: number; readonly verifyingContract: Hex };
  readonly recorder: { readonly privateKey: Hex; readonly address: Hex };
  readonly worked: {
    readonly nonce: Hex;
    readonly sequenceHash: Hex;
    readonly requestHash: Hex;
    readonly responseHash: Hex;
    readonly step: Step;
    readonly committedRoot: Hex;
    readonly stepNonce: Hex;
    readonly attestation: Hex;
    readonly chain: Hex;
    readonly gateConfig: Hex;
    readonly packed: {
      readonly committedRoot: Hex;
      readonly stepNonce: Hex;
      readonly attestation: Hex;
      readonly chain: Hex;
    };
  };
  readonly content: {
    readonly requests: readonly {
      readonly method: string;
      readonly target: string;
      readonly body: string;
      readonly requestHash: Hex;
    }[];
    readonly responses: readonly {
      readonly status: number;
      readonly body: string;
      readonly responseHash: Hex;
    }[];
  };
  readonly nonces: readonly {
    readonly recorderNonce: Hex;
    readonly agentNonce: Hex;
    readonly commitment: Hex;
    readonly missionNonce: Hex;
  }[];
  readonly sequences: readonly {
    readonly name: string;
    readonly steps: readonly Step[];
    readonly sequenceHash: Hex;
  }[];
  readonly missions: readonly MissionVector[];
  readonly claims: readonly ClaimVector[];
  readonly templates: {
    readonly accepted: readonly string[];
    readonly refused: readonly string[];
    readonly matching: readonly {
      readonly template: string;
      readonly target: string;
      readonly matches: boolean;
    }[];
  };
}

/** Where the vectors are. */
export const VECTORS_FILE = new URL("../../../vectors/execution-chain.json", import.meta.url);

/** The vectors as they are committed. */
export function executionChainVectors(): ExecutionVectors {
  return JSON.parse(readFileSync(VECTORS_FILE, "utf8")) as ExecutionVectors;
}
