import type { Address, Hex, Terms, Verdict, VerdictRecord } from "@assay/protocol";

/** The escrow's token, as its contract says. */
export interface TokenInfo {
  readonly address: Address;
  readonly name: string;
  readonly version: string;
}

/** A certificate that enough members signed, or how many did. */
export interface CollectedCertificate {
  readonly verdict: Verdict;
  readonly members: readonly Address[];
  readonly threshold: number;
  /** One for each member, `0x` where it did not sign. */
  readonly signatures: readonly Hex[];
  readonly collected: number;
}

/** How an agreement's verdict ended it. */
export interface SettledVerdict {
  readonly terms: Terms;
  readonly record: VerdictRecord;
  readonly verdictHash: Hex;
  /** Where the record can be read, as far as this operator knows its own address. */
  readonly uri: string;
}

/** A job of an ERC-8183 contract, and the contract that ends it by certificates. */
export interface EvaluatedJob {
  readonly jobId: bigint;
  readonly evaluator: Address;
}

/** Everything that preparing an operation may have to look up. */
export interface Desk {
  readonly chainId: number;
  readonly escrow: Address;
  readonly quorum: Address;
  /** Unix seconds, by the chain. */
  now(): number;
  /** The ERC-8183 job that has this key; null when it is none that this operator has looked at. */
  job(key: Hex): Promise<EvaluatedJob | null>;
  /** Terms of an agreement that was funded in the escrow; null when this operator has not seen it. */
  terms(agreementId: Hex): Promise<Terms | null>;
  token(): Promise<TokenInfo>;
  /** What the escrow may take from the account, in base units. */
  allowance(owner: Address): Promise<bigint>;
  /** The account's next EIP-2612 nonce. */
  permitNonce(owner: Address): Promise<bigint>;
  /** The certificate of the agreement's newest signed submission; null when this operator signed none. */
  certificate(agreementId: Hex): Promise<CollectedCertificate | null>;
  /** The verdict by which the agreement was settled; null when there is none here. */
  settledVerdict(agreementId: Hex): Promise<SettledVerdict | null>;
}
