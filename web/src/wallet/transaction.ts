import type { Address, Hex, Words } from "@assay/protocol";

/** A call as the wallet is asked to send it. */
export interface Call {
  readonly to: Address;
  readonly data: Hex;
}

/** A transaction that the wallet has sent. */
export interface Sent {
  readonly hash: Hex;
  readonly from: Address;
  readonly call: Call;
  /** Null until a node has shown the transaction. */
  readonly nonce: number | null;
  /** Chain height when it was sent: what replaces it can't be in an earlier block. */
  readonly sinceBlock: number;
}

/** A block that holds a transaction. */
export interface Place {
  readonly number: number;
  readonly hash: Hex;
}

/** Where a write stands, from the click to the block that stays. The table in README.md says what moves it. */
export type Transaction =
  | { readonly name: "idle" }
  /** Tried on a node, without the wallet. */
  | { readonly name: "simulating" }
  /** It would fail; the wallet was not asked. */
  | { readonly name: "refused"; readonly words: Words }
  /** The wallet shows it to its owner. */
  | { readonly name: "asking"; readonly what: "sign" | "send" }
  | { readonly name: "rejected"; readonly words: Words }
  /** The wallet could not send it. */
  | { readonly name: "failed"; readonly words: Words }
  | { readonly name: "pending"; readonly sent: Sent; readonly isKnown: boolean }
  /** A block holds it, and may still leave the chain. */
  | { readonly name: "included"; readonly sent: Sent; readonly place: Place }
  /** The block that held it left the chain; it waits for another one. */
  | { readonly name: "reorged"; readonly sent: Sent; readonly was: Place }
  /** Another transaction of the account took its nonce and does something else. */
  | { readonly name: "replaced"; readonly sent: Sent; readonly by: Hex; readonly isCancelled: boolean }
  | { readonly name: "reverted"; readonly sent: Sent; readonly place: Place; readonly words: Words }
  | { readonly name: "final"; readonly sent: Sent; readonly place: Place };

/** What a look at the chain found. */
export interface Look {
  /** Null while no block holds the transaction. */
  readonly receipt: { readonly place: Place; readonly succeeded: boolean; readonly words: Words } | null;
  /** Whether the node knows the transaction at all. */
  readonly isKnown: boolean;
  /** Null while the node does not know the transaction. */
  readonly nonce: number | null;
  /** Height of the newest block that stays; null when the node does not tell. */
  readonly finalHeight: number | null;
  /** The other transaction that used the nonce, when one did. */
  readonly rival: Rival | null;
}

/** A transaction of the same account with the same nonce. */
export interface Rival {
  readonly hash: Hex;
  readonly kind: "same_call" | "cancelled" | "other";
}

export type TransactionEvent =
  | { readonly type: "clicked" }
  | { readonly type: "refused"; readonly words: Words }
  | { readonly type: "asked"; readonly what: "sign" | "send" }
  | { readonly type: "rejected"; readonly words: Words }
  | { readonly type: "failed"; readonly words: Words }
  | { readonly type: "sent"; readonly sent: Sent }
  | { readonly type: "looked"; readonly look: Look }
  | { readonly type: "dismissed" };

export const IDLE: Transaction = { name: "idle" };

/** Whether nothing more will happen by itself. */
export function isOver({ name }: Transaction): boolean {
  return ["idle", "refused", "rejected", "failed", "replaced", "reverted", "final"].includes(name);
}

/** Whether the same act must not be begun again now: its transaction may still count. */
export function isUnderWay(state: Transaction): boolean {
  return !isOver(state) || state.name === "final";
}

/** Whether no node knows the transaction any more: its owner may stop waiting for it. */
export function isLost(state: Transaction): boolean {
  return state.name === "pending" && !state.isKnown;
}

/** What has been sent and still has to be followed; null when there is nothing to follow. */
export function followed(state: Transaction): Sent | null {
  return state.name === "pending" || state.name === "included" || state.name === "reorged"
    ? state.sent
    : null;
}

/** The transaction after an event; events that do not fit the state change nothing. */
export function nextTransaction(state: Transaction, event: TransactionEvent): Transaction {
  switch (event.type) {
    case "clicked":
      return isUnderWay(state) ? state : { name: "simulating" };
    case "refused":
      return state.name === "simulating" || state.name === "asking"
        ? { name: "refused", words: event.words }
        : state;
    case "asked":
      return state.name === "simulating" || state.name === "asking"
        ? { name: "asking", what: event.what }
        : state;
    case "rejected":
    case "failed":
      return state.name === "asking" || state.name === "simulating"
        ? { name: event.type, words: event.words }
        : state;
    case "sent":
      // Also after a reload, when there is no question before it.
      return state.name === "asking" || state.name === "idle"
        ? { name: "pending", sent: event.sent, isKnown: false }
        : state;
    case "looked":
      return afterLook(state, event.look);
    case "dismissed":
      return isOver(state) || isLost(state) ? IDLE : state;
  }
}

function afterLook(state: Transaction, look: Look): Transaction {
  const before = followed(state);
  if (before === null) return state;
  const sent: Sent = look.nonce === null ? before : { ...before, nonce: look.nonce };
  const { receipt } = look;
  if (receipt !== null) {
    const { place, succeeded, words } = receipt;
    // A failure too can leave the chain with its block; it is told at once and followed no more.
    if (!succeeded) return { name: "reverted", sent, place, words };
    const isFinal = look.finalHeight !== null && place.number <= look.finalHeight;
    return { name: isFinal ? "final" : "included", sent, place };
  }
  if (look.rival !== null) {
    const { hash, kind } = look.rival;
    if (kind === "same_call") return { name: "pending", sent: { ...sent, hash }, isKnown: true };
    return { name: "replaced", sent, by: hash, isCancelled: kind === "cancelled" };
  }
  if (state.name === "included") return { name: "reorged", sent, was: state.place };
  if (state.name === "reorged") return { ...state, sent };
  return { name: "pending", sent, isKnown: look.isKnown };
}
