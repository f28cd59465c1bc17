import type { Words } from "./words.ts";

/**
 * Words for what Circle's FiatToken (V2.2) reverts with on the paths that the escrow and its users take. The keys are
 * its own texts; what is not listed is quoted as it is.
 */
export const TOKEN_PHRASES: Readonly<Record<string, Words>> = {
  "ERC20: transfer amount exceeds balance": {
    message: "The account that has to pay does not hold enough of the token.",
    hint: "Top it up with the reward, and keep some of the network's own coin for gas if it sends the transaction.",
  },
  "ERC20: transfer amount exceeds allowance": {
    message: "The buyer has not allowed the escrow to draw that much.",
    hint: "Approve the escrow for the reward first, or pay by signature (ERC-3009), which needs no allowance.",
  },
  "ERC20: transfer to the zero address": {
    message: "The token does not go to the zero address.",
    hint: "Name a real account.",
  },
  "FiatTokenV2: authorization is used or canceled": {
    message: "This payment was made or cancelled already: its authorization counts once.",
    hint: "Look at the agreement's status first. If the buyer cancelled the authorization, draw up a new agreement.",
  },
  "FiatTokenV2: authorization is expired": {
    message: "The buyer's authorization to pay has run out.",
    hint: "Let the buyer sign again with a later end, or draw up a new agreement.",
  },
  "FiatTokenV2: authorization is not yet valid": {
    message: "The buyer's authorization to pay does not count yet.",
    hint: "Wait until its start, or let the buyer sign one that counts at once.",
  },
  "FiatTokenV2: caller must be the payee": {
    message: "Only the escrow can use this authorization.",
    hint: "Hand the authorization to the escrow's fundWithAuthorization.",
  },
  "FiatTokenV2: invalid signature": {
    message: "The authorization's signature is not the buyer's for exactly this payment.",
    hint: "Let the buyer sign again on this network; accounts that sign through code of their own have to approve the escrow instead.",
  },
  "FiatTokenV2: permit is expired": {
    message: "The permit's deadline has passed.",
    hint: "Sign a new permit, or approve the escrow.",
  },
  "EIP2612: invalid signature": {
    message: "The permit's signature is not the buyer's for exactly this allowance.",
    hint: "Sign again with the token's current nonce, or approve the escrow.",
  },
  "FiatTokenV2_2: Account is blacklisted": {
    message: "The token's issuer has blocked an account of this transfer.",
    hint: "Use another account; only the issuer can lift it.",
  },
  "Blacklistable: account is blacklisted": {
    message: "The token's issuer has blocked an account of this transfer.",
    hint: "Use another account; only the issuer can lift it.",
  },
  "Pausable: paused": {
    message: "The token's issuer has stopped all transfers for now.",
    hint: "Nothing is lost; try again when the token works again.",
  },
};
