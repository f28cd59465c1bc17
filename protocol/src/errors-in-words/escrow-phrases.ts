import type { agreementEscrowAbi } from "../abi/agreement-escrow.ts";
import {
  type ErrorName,
  type Phrase,
  STATUS_NAMES,
  type Words,
  amountInWords,
  timeInWords,
} from "./words.ts";

/** What each status means for somebody whose operation it stopped. */
const STATUS_WORDS: readonly Words[] = [
  {
    message: "The escrow holds no agreement with these terms.",
    hint: "The buyer has to fund it first; check that the terms, the escrow and the network are the ones agreed on.",
  },
  {
    message: "The agreement is funded, and the seller has not consented yet.",
    hint: "The seller can accept or deliver; the buyer can cancel.",
  },
  {
    message: "The agreement was accepted already.",
    hint: "The seller can deliver until the deadline; either side can concede, both together can settle.",
  },
  {
    message: "The work was submitted already, and a submission is made once.",
    hint: "Wait for the verdict; either side can concede, both together can settle.",
  },
  {
    message: "The agreement has ended: the seller was paid.",
    hint: "Nothing is left to do; a refused payout waits as a credit that its owner can withdraw.",
  },
  {
    message: "The agreement has ended: the buyer was refunded.",
    hint: "Nothing is left to do; a refused payout waits as a credit that its owner can withdraw.",
  },
  {
    message: "The agreement has ended: the reward was divided.",
    hint: "Nothing is left to do; a refused payout waits as a credit that its owner can withdraw.",
  },
];

/** Words for every error of the escrow; the compiler asks for each. */
export const ESCROW_PHRASES: Readonly<Record<ErrorName<typeof agreementEscrowAbi>, Phrase>> = {
  AdjudicateByOutOfRange: ({ adjudicateBy, earliest, latest }) => ({
    message: `The deadline for the verdict, ${timeInWords(adjudicateBy as bigint)}, is too close to the delivery's or too far from it.`,
    hint: `Choose a time from ${timeInWords(earliest as bigint)} to ${timeInWords(latest as bigint)}: 1 hour to 90 days after the delivery's deadline.`,
  }),
  AfterAdjudicationExpiry: ({ adjudicateBy }) => ({
    message: `The time for a verdict ended at ${timeInWords(adjudicateBy as bigint)}.`,
    hint: "Anyone can expire the agreement now; the agreed split applies.",
  }),
  AfterDeliveryExpiry: ({ deliverBy }) => ({
    message: `The deadline for the delivery passed at ${timeInWords(deliverBy as bigint)}.`,
    hint: "Nothing can be delivered any more: anyone can expire the agreement, which refunds the buyer, or both sides can settle.",
  }),
  BeforeAdjudicationExpiry: ({ adjudicateBy }) => ({
    message: `A verdict can still come until ${timeInWords(adjudicateBy as bigint)}.`,
    hint: "Expire the agreement after that; until then either side can concede, and both can settle.",
  }),
  BeforeDeliveryExpiry: ({ deliverBy }) => ({
    message: `The seller can still deliver until ${timeInWords(deliverBy as bigint)}.`,
    hint: "Expire the agreement after that; before the seller's consent the buyer can cancel.",
  }),
  CallerNotParty: ({ caller, buyer, seller }) => ({
    message: `${String(caller)} is neither the buyer nor the seller.`,
    hint: `Use the wallet of the buyer, ${String(buyer)}, or of the seller, ${String(seller)}.`,
  }),
  CallerUnexpected: ({ caller, expected }) => ({
    message: `Only ${String(expected)} may do this, not ${String(caller)}.`,
    hint: "Use that account's wallet, or hand in its signature where the operation takes one.",
  }),
  CreditMissing: ({ creditor }) => ({
    message: `${String(creditor)} has no credit to withdraw.`,
    hint: "Payouts arrive by themselves; a credit exists only when the token refused one, and is withdrawn once.",
  }),
  DeliverByOutOfRange: ({ deliverBy, earliest, latest }) => ({
    message: `The deadline for the delivery, ${timeInWords(deliverBy as bigint)}, is too near or too far.`,
    hint: `Draw up the agreement again with a deadline from ${timeInWords(earliest as bigint)} to ${timeInWords(latest as bigint)}: 10 minutes to 365 days after it is funded.`,
  }),
  FundingMismatch: ({ balanceBefore, balanceAfter, reward }, wording) => ({
    message: `The escrow received ${amountInWords((balanceAfter as bigint) - (balanceBefore as bigint), wording)} instead of ${amountInWords(reward as bigint, wording)}.`,
    hint: "The token keeps a part of what is transferred or moved something else on the way; such a token can't be used.",
  }),
  InvalidShortString: () => internal("a short text that is none"),
  PermitRejected: () => ({
    message: "The token refused the permit, and there is no sufficient allowance without it.",
    hint: "Sign a new permit with a later deadline and the current nonce, or approve the escrow and fund from the allowance.",
  }),
  RecipientInvalid: ({ to }) => ({
    message: `A credit can't be sent to ${String(to)}, where it would be lost.`,
    hint: "Name an account of yours; not the zero address, the escrow or the token.",
  }),
  ReentrancyGuardReentrantCall: () => ({
    message: "The escrow was called again while it was still at work.",
    hint: "Send the operation by itself, not from inside a callback of another one.",
  }),
  RewardInvalid: ({ reward }, wording) => ({
    message: `The reward is ${amountInWords(reward as bigint, wording)}.`,
    hint: "Offer more than nothing.",
  }),
  RoleInvalid: ({ account }) => ({
    message: `${String(account)} can't have this part in the agreement: it is nobody, or has another part already.`,
    hint: "Buyer, seller, adjudicator, token and escrow have to be five different accounts.",
  }),
  SafeERC20FailedOperation: ({ token }) => ({
    message: `The token ${String(token)} refused the transfer without a reason.`,
    hint: "Check the buyer's balance and its allowance for the escrow.",
  }),
  SellerAmountExceedsReward: ({ sellerAmount, reward }, wording) => ({
    message: `The settlement gives the seller ${amountInWords(sellerAmount as bigint, wording)} of ${amountInWords(reward as bigint, wording)}.`,
    hint: "Give the seller at most the reward; both sides have to sign the new amount.",
  }),
  SellerShareInvalid: ({ noVerdictSellerBps }) => ({
    message: `The seller's share without a verdict is ${String(noVerdictSellerBps)} basis points, more than the whole.`,
    hint: "Choose 0 to 10000 basis points.",
  }),
  SignatureInvalid: ({ signer }) => ({
    message: `The signature is not one of ${String(signer)} for exactly this.`,
    hint: "Let that account sign again, on this network and for this very agreement and amount; a smart account has to be deployed.",
  }),
  StatusUnexpected: ({ status }) =>
    STATUS_WORDS[Number(status)] ?? {
      message: `The agreement has the unknown status ${String(status)}.`,
      hint: "Use a version of Assay that knows this escrow.",
    },
  StringTooLong: () => internal("a text that is too long"),
  SubmissionHashInvalid: () => ({
    message: "The submission's hash is zero.",
    hint: "Hand in the SHA-256 of a submission document.",
  }),
  SubmissionHashMismatch: ({ submissionHash, submissionHashPrefix }) => ({
    message: `The verdict is about submission ${String(submissionHash)}, but another one was made: ${String(submissionHashPrefix)}….`,
    hint: "Take the certificate that was signed about the submission in the escrow.",
  }),
  TokenInvalid: ({ token }) => ({
    message: `There is no token at ${String(token)}.`,
    hint: "Deploy the escrow with the address of a token on this network.",
  }),
};

/** The status of that number, as the escrow's `stateOf` returns it. */
export function statusOfCode(code: bigint | number): (typeof STATUS_NAMES)[number] | undefined {
  return STATUS_NAMES[Number(code)];
}

function internal(what: string): Words {
  return {
    message: `The contract was built with ${what}.`,
    hint: "This is a fault of the deployment, not of the call; check the contract's address.",
  };
}
