import {
  amountInWords,
  explainReason,
  fundingAuthorizationTypedData,
  permitTypedData,
  type Address,
  type Hex,
  type Words,
} from "@assay/protocol";
import type { Venue } from "../acts/venue.ts";
import type { Telling } from "../wallet/book.ts";
import { approveCall, escrowCall, readToken } from "../wallet/contracts.ts";
import type { ChainNode } from "../wallet/node.ts";
import { simulate } from "../wallet/simulate.ts";
import { Stopped, send, sign, type Writer } from "../wallet/transact.ts";
import type { Sent } from "../wallet/transaction.ts";
import type { Composed } from "./compose.ts";
import type { FundingFacts, FundingWay } from "./funding-plan.ts";

/** What the ways to fund share. */
export interface Funding {
  readonly writer: Writer;
  readonly venue: Venue;
  readonly composed: Composed;
  /** Signatures that were given already, so that a transaction that was refused asks for none again. */
  readonly signatures: Map<string, Hex>;
}

/** What chain and token say about the buyer's account. */
export async function readFundingFacts(
  node: ChainNode,
  { token, escrow }: Venue,
  account: Address,
  reward: bigint,
): Promise<Omit<FundingFacts, "cannotSign">> {
  const [balance, allowance, gasMoney, hasCode, authorization, permits] = await Promise.all([
    readToken(node, token.address, "balanceOf", account),
    readToken(node, token.address, "allowance", account, escrow),
    node.balance(account),
    node.hasCode(account),
    readToken(node, token.address, "authorizationState", account, `0x${"0".repeat(64)}`),
    readToken(node, token.address, "nonces", account),
  ]);
  return {
    reward,
    balance: balance ?? 0n,
    allowance: allowance ?? 0n,
    gasMoney,
    hasCode,
    takesAuthorizations: authorization !== null,
    takesPermits: permits !== null,
  };
}

/** Funds the agreement in the way that was chosen; `approval` needs the allowance to be there. */
export async function fund(way: FundingWay, funding: Funding, telling: Telling): Promise<Sent> {
  const { writer, venue, composed } = funding;
  const { terms, sellerSignature } = composed;
  const { tell, keep } = telling;
  const consent = sellerSignature ?? "0x";
  const words = await wouldFail(way, funding);
  if (words !== null) {
    tell({ type: "refused", words });
    throw new Stopped();
  }
  switch (way) {
    case "authorization": {
      const signature = await signature3009(funding, telling);
      const call = escrowCall(
        venue.escrow,
        "fundWithAuthorization",
        terms,
        0n,
        BigInt(terms.deliverBy),
        signature,
        consent,
      );
      return send(writer, call, tell, keep);
    }
    case "permit": {
      const signature = await signaturePermit(funding, telling);
      const call = escrowCall(venue.escrow, "fundWithPermit", terms, terms.deliverBy, signature, consent);
      return send(writer, call, tell, keep);
    }
    case "approval":
      return send(writer, escrowCall(venue.escrow, "fund", terms, consent), tell, keep);
  }
}

/** Lets the escrow take exactly the reward. */
export function approve({ writer, venue, composed }: Funding, { tell, keep }: Telling): Promise<Sent> {
  return send(writer, approveCall(venue.token.address, venue.escrow, composed.terms.reward), tell, keep);
}

/**
 * Whether the escrow would refuse the terms, found out before anything is signed: `fund` from an allowance fails at
 * the allowance last of all, and signatures make up for that alone.
 */
async function wouldFail(way: FundingWay, { writer, venue, composed }: Funding): Promise<Words | null> {
  const { node, account, wording } = writer;
  const { terms, sellerSignature } = composed;
  const balance = await readToken(node, venue.token.address, "balanceOf", account);
  if (balance !== null && balance < terms.reward)
    return {
      message: `You hold ${amountInWords(balance, { token: venue.token })}, and the reward is ${amountInWords(terms.reward, { token: venue.token })}.`,
      hint: "Get more of the token into this account, or offer a smaller reward.",
    };
  const call = escrowCall(venue.escrow, "fund", terms, sellerSignature ?? "0x");
  const words = await simulate(node, call, account, wording());
  return way !== "approval" && words?.message === NO_ALLOWANCE ? null : words;
}

const NO_ALLOWANCE = explainReason("ERC20: transfer amount exceeds allowance").message;

function signature3009({ writer, venue, composed, signatures }: Funding, { tell }: Telling): Promise<Hex> {
  const { terms, agreementId } = composed;
  return signedOnce(signatures, `3009/${agreementId}`, () =>
    sign(
      writer,
      fundingAuthorizationTypedData({
        terms,
        agreementId,
        escrow: venue.escrow,
        token: { ...venue.token, chainId: venue.chainId },
        validAfter: 0n,
        validBefore: BigInt(terms.deliverBy),
      }),
      tell,
    ),
  );
}

async function signaturePermit(
  { writer, venue, composed, signatures }: Funding,
  { tell }: Telling,
): Promise<Hex> {
  const { token, chainId, escrow } = venue;
  const { terms } = composed;
  const nonce = (await readToken(writer.node, token.address, "nonces", writer.account)) ?? 0n;
  return signedOnce(signatures, `2612/${nonce}/${terms.reward}/${terms.deliverBy}`, () =>
    sign(
      writer,
      permitTypedData({
        token: { ...token, chainId },
        owner: writer.account,
        spender: escrow,
        value: terms.reward,
        nonce,
        deadline: terms.deliverBy,
      }),
      tell,
    ),
  );
}

async function signedOnce(signatures: Map<string, Hex>, key: string, ask: () => Promise<Hex>): Promise<Hex> {
  const signature = signatures.get(key) ?? (await ask());
  signatures.set(key, signature);
  return signature;
}
