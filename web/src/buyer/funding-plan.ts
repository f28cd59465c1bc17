/** Ways to bring the reward into the escrow. */
export const FUNDING_WAYS = ["authorization", "permit", "approval"] as const;

/**
 * - `authorization`: one signature (ERC-3009) whose nonce is the agreement's id, and one transaction.
 * - `permit`: one signature (ERC-2612) for an allowance, and one transaction.
 * - `approval`: one transaction for the allowance unless it is there, and one to fund; every account can do it.
 */
export type FundingWay = (typeof FUNDING_WAYS)[number];

/** What the chain and the wallet say about the buyer's account. */
export interface FundingFacts {
  readonly reward: bigint;
  readonly balance: bigint;
  readonly allowance: bigint;
  /** The network's own coin, in wei. */
  readonly gasMoney: bigint;
  /** Code at the account: a contract, or one that signs through code (EIP-7702). */
  readonly hasCode: boolean;
  /** Whether the token takes ERC-3009 authorizations, and ERC-2612 permits. */
  readonly takesAuthorizations: boolean;
  readonly takesPermits: boolean;
  /** A wallet that said it can't sign typed data. */
  readonly cannotSign: boolean;
}

/** Whether a way is open to this account, and why not. */
export interface FundingChoice {
  readonly way: FundingWay;
  /** Null when it is open. */
  readonly closed: string | null;
  /** What the wallet will ask for. */
  readonly asks: string;
}

/** Every way with whether it is open, the best open one first. */
export function fundingChoices(facts: FundingFacts): readonly FundingChoice[] {
  const choices: FundingChoice[] = FUNDING_WAYS.map((way) => ({
    way,
    closed: closedBecause(way, facts),
    asks: asksFor(way, facts),
  }));
  return [
    ...choices.filter(({ closed }) => closed === null),
    ...choices.filter(({ closed }) => closed !== null),
  ];
}

function closedBecause(
  way: FundingWay,
  { hasCode, cannotSign, takesAuthorizations, takesPermits }: FundingFacts,
): string | null {
  if (way === "approval") return null;
  if (hasCode) return "Your account is a smart account; those approve instead.";
  if (cannotSign) return "Your wallet says that it can’t sign typed data.";
  const isTaken = way === "authorization" ? takesAuthorizations : takesPermits;
  return isTaken ? null : "The token does not take such signatures.";
}

function asksFor(way: FundingWay, { allowance, reward }: FundingFacts): string {
  if (way === "authorization")
    return "Your wallet asks twice: for one signature that pays and fixes every term, and to send the transaction.";
  if (way === "permit")
    return "Your wallet asks twice: for one signature that allows the escrow to take the reward, and to send the transaction.";
  return allowance >= reward
    ? "Your wallet asks once: the escrow may take that much already."
    : "Your wallet asks twice, and each is a transaction: to allow the escrow exactly the reward, and to fund.";
}
