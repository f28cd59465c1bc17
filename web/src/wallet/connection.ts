import { isSameAddress, toAddress, type Address, type Words } from "@assay/protocol";

/** Where the page stands with a wallet. `wallet` is the id under which it announced itself. */
export type Connection =
  | { readonly name: "disconnected" }
  | { readonly name: "connecting"; readonly wallet: string }
  /** The wallet refused to show an account. */
  | { readonly name: "refused"; readonly wallet: string; readonly words: Words }
  /** Connected, to another chain than the escrow's. */
  | {
      readonly name: "wrong_network";
      readonly wallet: string;
      readonly account: Address;
      readonly chainId: number;
      /** The wallet was asked to change. */
      readonly switching: boolean;
      /** Why it did not. */
      readonly words: Words | null;
    }
  | {
      readonly name: "connected";
      readonly wallet: string;
      readonly account: Address;
      readonly chainId: number;
    };

/** What moves a connection. */
export type ConnectionEvent =
  | { readonly type: "asked"; readonly wallet: string }
  | {
      readonly type: "answered";
      readonly wallet: string;
      readonly accounts: unknown;
      readonly chainId: unknown;
    }
  | { readonly type: "refused"; readonly wallet: string; readonly words: Words }
  /** The wallet's own events. */
  | { readonly type: "accounts_changed"; readonly wallet: string; readonly accounts: unknown }
  | { readonly type: "chain_changed"; readonly wallet: string; readonly chainId: unknown }
  | { readonly type: "switch_asked" }
  | { readonly type: "switch_refused"; readonly words: Words }
  | { readonly type: "left" };

export const DISCONNECTED: Connection = { name: "disconnected" };

const NO_ACCOUNT: Words = {
  message: "The wallet showed no account.",
  hint: "Unlock it, choose an account for this page, and connect again.",
};

/**
 * The connection after an event. Events of a wallet that is not the one in use change nothing.
 *
 * @param expected chain of the escrow.
 */
export function nextConnection(state: Connection, event: ConnectionEvent, expected: number): Connection {
  switch (event.type) {
    case "asked":
      return { name: "connecting", wallet: event.wallet };
    case "left":
      return DISCONNECTED;
    case "switch_asked":
      return state.name === "wrong_network" ? { ...state, switching: true, words: null } : state;
    case "switch_refused":
      return state.name === "wrong_network" ? { ...state, switching: false, words: event.words } : state;
    default:
      if (state.name === "disconnected" || state.wallet !== event.wallet) return state;
      return nextOfWallet(state, event, expected);
  }
}

type WalletEvent = Extract<
  ConnectionEvent,
  { readonly type: "answered" | "refused" | "accounts_changed" | "chain_changed" }
>;

function nextOfWallet(
  state: Exclude<Connection, { readonly name: "disconnected" }>,
  event: WalletEvent,
  expected: number,
): Connection {
  const { wallet } = state;
  switch (event.type) {
    case "refused":
      return state.name === "connecting" ? { name: "refused", wallet, words: event.words } : state;
    case "answered": {
      if (state.name !== "connecting") return state;
      const account = firstAccount(event.accounts);
      const chainId = chainIdIn(event.chainId);
      return account === null || chainId === null
        ? { name: "refused", wallet, words: NO_ACCOUNT }
        : at(wallet, account, chainId, expected);
    }
    case "accounts_changed": {
      if (state.name !== "connected" && state.name !== "wrong_network") return state;
      const account = firstAccount(event.accounts);
      if (account === null) return DISCONNECTED;
      return isSameAddress(account, state.account) ? state : at(wallet, account, state.chainId, expected);
    }
    case "chain_changed": {
      if (state.name !== "connected" && state.name !== "wrong_network") return state;
      const chainId = chainIdIn(event.chainId);
      return chainId === null ? DISCONNECTED : at(wallet, state.account, chainId, expected);
    }
  }
}

function at(wallet: string, account: Address, chainId: number, expected: number): Connection {
  return chainId === expected
    ? { name: "connected", wallet, account, chainId }
    : { name: "wrong_network", wallet, account, chainId, switching: false, words: null };
}

/** Wallets list the account in use first. */
function firstAccount(accounts: unknown): Address | null {
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  if (typeof first !== "string") return null;
  try {
    return toAddress(first.toLowerCase());
  } catch {
    return null;
  }
}

/** Chain ids come as hexadecimal text; some wallets give a number. */
function chainIdIn(value: unknown): number | null {
  const number = typeof value === "string" && /^0x[0-9a-fA-F]+$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number > 0 ? number : null;
}
