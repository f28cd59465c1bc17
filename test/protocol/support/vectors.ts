import { readFileSync } from "node:fs";
import type { Address, CanonicalJsonErrorCode, DocumentErrorCode, Hex, Verdict } from "@assay/protocol";

export interface CanonicalJsonVectors {
  readonly accepted: readonly {
    readonly name: string;
    readonly input: string;
    readonly canonical: string;
    readonly sha256: Hex;
  }[];
  readonly refused: readonly {
    readonly name: string;
    readonly code: CanonicalJsonErrorCode;
    readonly input?: string;
    readonly inputHex?: string;
  }[];
}

export type FormatName = "agreement" | "submission" | "adjudication" | "verdict";

export interface Edit {
  readonly path: readonly (string | number)[];
  readonly value?: unknown;
}

export interface AcceptedDocument {
  readonly format: FormatName;
  readonly name: string;
  readonly canonical: string;
  readonly bytes: number;
  readonly sha256: Hex;
  readonly cid: string;
}

export interface DocumentVectors {
  readonly accepted: readonly AcceptedDocument[];
  readonly refused: readonly {
    readonly format: FormatName;
    readonly name: string;
    readonly code: DocumentErrorCode;
    readonly path: string | null;
    readonly edits: readonly Edit[];
  }[];
}

/** Terms as vectors carry them: uint256 in decimal. */
export interface TermsVector {
  readonly buyer: Address;
  readonly seller: Address;
  readonly reward: string;
  readonly agreementHash: Hex;
  readonly adjudicator: Address;
  readonly adjudicatorConfig: Hex;
  readonly deliverBy: number;
  readonly adjudicateBy: number;
  readonly noVerdictSellerBps: number;
  readonly salt: string;
}

export interface IdentifierVectors {
  readonly chainId: number;
  readonly escrow: Address;
  readonly quorum: Address;
  readonly domainSeparators: { readonly escrow: Hex; readonly quorum: Hex };
  readonly agreements: readonly {
    readonly name: string;
    readonly chainId: number;
    readonly escrow: Address;
    readonly terms: TermsVector;
    readonly agreementId: Hex;
  }[];
  readonly digests: {
    readonly acceptance: { readonly agreementId: Hex; readonly digest: Hex };
    readonly submission: { readonly agreementId: Hex; readonly submissionHash: Hex; readonly digest: Hex };
    readonly settlement: { readonly agreementId: Hex; readonly sellerAmount: string; readonly digest: Hex };
    readonly fundingAuthorization: {
      readonly token: {
        readonly name: string;
        readonly version: string;
        readonly chainId: number;
        readonly address: Address;
      };
      readonly validAfter: number;
      readonly validBefore: number;
      readonly digest: Hex;
    };
  };
  readonly adjudicatorConfigs: readonly {
    readonly members: readonly Address[];
    readonly threshold: number;
    readonly adjudicatorConfig: Hex;
  }[];
  readonly adjudicationKeys: readonly {
    readonly chainId: number;
    readonly escrow: Address;
    readonly agreementId: Hex;
    readonly agreementHash: Hex;
    readonly submissionHash: Hex;
    readonly preimage: Hex;
    readonly adjudicationKey: Hex;
  }[];
  readonly verdicts: readonly {
    readonly name: string;
    readonly record: string;
    readonly certificate: Verdict;
    readonly digest: Hex;
  }[];
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../vectors/${name}.json`, import.meta.url), "utf8"));
}

export const canonicalJsonVectors = read("canonical-json") as CanonicalJsonVectors;
export const documentVectors = read("documents") as DocumentVectors;
export const identifierVectors = read("identifiers") as IdentifierVectors;

/** The first accepted document of a format: the one with every member. */
export function fullDocument(format: FormatName): AcceptedDocument {
  return documentVectors.accepted.find((document) => document.format === format)!;
}
