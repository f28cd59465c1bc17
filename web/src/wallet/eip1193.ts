import type { Words } from "@assay/protocol";

/** What a wallet offers to pages (EIP-1193). */
export interface Eip1193Provider {
  request(args: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
  on(event: string, listener: (value: unknown) => void): void;
  removeListener(event: string, listener: (value: unknown) => void): void;
}

/** Why a wallet did not do what it was asked for. */
export type WalletRefusal =
  /** The person said no. */
  | "rejected"
  /** An earlier request still waits in the wallet. */
  | "busy"
  /** The wallet knows no such request. */
  | "unsupported"
  /** The wallet does not know the chain. */
  | "unknown_chain"
  /** The account is locked away from this page. */
  | "unauthorized"
  /** The wallet has lost its own connection. */
  | "offline"
  /** The account can't pay for gas. */
  | "no_gas_money"
  /** Anything else. */
  | "failed";

/** A wallet's refusal, in words. */
export interface WalletFailure extends Words {
  readonly reason: WalletRefusal;
}

const REASONS: ReadonlyMap<number, WalletRefusal> = new Map<number, WalletRefusal>([
  [4001, "rejected"],
  [4100, "unauthorized"],
  [4200, "unsupported"],
  [-32601, "unsupported"],
  [4900, "offline"],
  [4901, "offline"],
  [4902, "unknown_chain"],
  [-32002, "busy"],
]);

const WORDS: Readonly<Record<Exclude<WalletRefusal, "failed">, Words>> = {
  rejected: {
    message: "You said no in your wallet.",
    hint: "Nothing was signed and nothing was sent. Ask again whenever you like.",
  },
  busy: {
    message: "Your wallet still waits for an answer to an earlier question.",
    hint: "Open the wallet, answer there, and try again.",
  },
  unsupported: {
    message: "Your wallet does not know how to do this.",
    hint: "Choose another way to pay if there is one here, or use another wallet.",
  },
  unknown_chain: {
    message: "Your wallet does not know this network.",
    hint: "Add the network to your wallet, and try again.",
  },
  unauthorized: {
    message: "Your wallet does not let this page use the account.",
    hint: "Unlock the wallet, connect the account to this page, and try again.",
  },
  offline: {
    message: "Your wallet has lost its connection to the network.",
    hint: "Look at the wallet's own network settings, and try again.",
  },
  no_gas_money: {
    message: "The account can't pay for gas.",
    hint: "Send it some of the network's own coin (ETH), and try again.",
  },
};

/** What a wallet's error means. */
export function failureOf(error: unknown): WalletFailure {
  const { code, message } = partsOf(error);
  const reason = isOutOfGasMoney(message) ? "no_gas_money" : (REASONS.get(code ?? 0) ?? "failed");
  if (reason !== "failed") return { reason, ...WORDS[reason] };
  return {
    reason,
    message: `Your wallet says: ${message === "" ? "nothing" : message.slice(0, 200)}.`,
    hint: "Nothing was sent. Look at the wallet, and try again.",
  };
}

/** Whether a node or a wallet refused because the account has too little of the network's own coin. */
export function isOutOfGasMoney(message: string): boolean {
  return /insufficient funds|insufficient balance|OutOfFunds/i.test(message);
}

/** Code, message and data of an error, wherever the wallet or the node put them. */
export function partsOf(error: unknown): { code: number | null; message: string; data: unknown } {
  if (typeof error !== "object" || error === null)
    return { code: null, message: typeof error === "string" ? error : "", data: undefined };
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  return {
    code: typeof code === "number" ? code : null,
    message: typeof message === "string" ? message.replace(/[.\s]+$/, "") : "",
    data,
  };
}
