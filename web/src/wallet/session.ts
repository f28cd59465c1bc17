import type { Words } from "@assay/protocol";
import { DISCONNECTED, nextConnection, type Connection, type ConnectionEvent } from "./connection.ts";
import type { AnnouncedWallet, Discovery } from "./discovery.ts";
import { failureOf } from "./eip1193.ts";

/** What a wallet has to be told about a chain that it does not know (EIP-3085). */
export interface ChainToAdd {
  readonly chainId: number;
  readonly name: string;
  readonly rpcUrl: string;
  readonly explorer: string | null;
}

/** The wallet in use, as a store that React can follow. Asks the wallet's owner nothing but in the named methods. */
export interface WalletSession {
  readonly connection: () => Connection;
  /** The wallet in use; null while disconnected. */
  readonly wallet: () => AnnouncedWallet | null;
  readonly subscribe: (listener: () => void) => () => void;
  /** Asks the wallet's owner for an account. */
  readonly connect: (wallet: AnnouncedWallet) => Promise<void>;
  /** Asks the wallet's owner to change to the escrow's chain. */
  readonly switchChain: () => Promise<void>;
  /** Leaves the wallet; it is not asked. */
  readonly disconnect: () => void;
  readonly close: () => void;
}

/** Where the wallet that was used last is remembered, by its reverse domain name. */
export interface Memory {
  readonly get: () => string | null;
  readonly set: (rdns: string | null) => void;
}

/** Opens a session for one chain. The wallet that was used last is taken up again, without asking its owner. */
export function createWalletSession(discovery: Discovery, chain: ChainToAdd, memory: Memory): WalletSession {
  const listeners = new Set<() => void>();
  let connection: Connection = DISCONNECTED;
  let wallet: AnnouncedWallet | null = null;
  let stopListening = (): void => undefined;

  const tell = (event: ConnectionEvent): void => {
    const next = nextConnection(connection, event, chain.chainId);
    if (next === connection) return;
    connection = next;
    if (next.name === "disconnected") leave();
    for (const listener of listeners) listener();
  };
  const leave = (): void => {
    stopListening();
    stopListening = () => undefined;
    wallet = null;
    memory.set(null);
  };
  const take = ({ uuid, provider }: AnnouncedWallet): void => {
    stopListening();
    const accounts = (value: unknown): void =>
      tell({ type: "accounts_changed", wallet: uuid, accounts: value });
    const moved = (value: unknown): void => tell({ type: "chain_changed", wallet: uuid, chainId: value });
    provider.on("accountsChanged", accounts);
    provider.on("chainChanged", moved);
    stopListening = () => {
      provider.removeListener("accountsChanged", accounts);
      provider.removeListener("chainChanged", moved);
    };
  };

  async function open(
    chosen: AnnouncedWallet,
    method: "eth_requestAccounts" | "eth_accounts",
  ): Promise<void> {
    const { uuid, provider } = chosen;
    wallet = chosen;
    tell({ type: "asked", wallet: uuid });
    try {
      const accounts = await provider.request({ method });
      const chainId = await provider.request({ method: "eth_chainId" });
      if (wallet !== chosen) return;
      take(chosen);
      tell({ type: "answered", wallet: uuid, accounts, chainId });
      if (connection.name === "connected" || connection.name === "wrong_network") memory.set(chosen.rdns);
    } catch (error) {
      const { message, hint } = failureOf(error);
      tell({ type: "refused", wallet: uuid, words: { message, hint } });
    }
  }

  /** Only when the wallet shows its account without asking anybody. */
  async function resume(): Promise<void> {
    const rdns = memory.get();
    const last = rdns === null ? undefined : discovery.wallets().find((one) => one.rdns === rdns);
    if (last === undefined || connection.name !== "disconnected") return;
    stopWaiting();
    const accounts = await last.provider.request({ method: "eth_accounts" }).catch(() => []);
    if (Array.isArray(accounts) && accounts.length > 0 && wallet === null) await open(last, "eth_accounts");
  }

  const stopWaiting = discovery.subscribe(() => void resume());
  void resume();

  return {
    connection: () => connection,
    wallet: () => wallet,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    connect: (chosen) => open(chosen, "eth_requestAccounts"),
    async switchChain() {
      const provider = wallet?.provider;
      if (provider === undefined || connection.name !== "wrong_network") return;
      const { wallet: uuid } = connection;
      tell({ type: "switch_asked" });
      try {
        await switchOrAdd(provider, chain);
        tell({
          type: "chain_changed",
          wallet: uuid,
          chainId: await provider.request({ method: "eth_chainId" }),
        });
      } catch (error) {
        tell({ type: "switch_refused", words: switchWords(error, chain) });
      }
    },
    disconnect: () => tell({ type: "left" }),
    close() {
      stopWaiting();
      stopListening();
    },
  };
}

async function switchOrAdd(provider: AnnouncedWallet["provider"], chain: ChainToAdd): Promise<void> {
  const chainId = `0x${chain.chainId.toString(16)}`;
  try {
    await provider.request({ method: "wallet_switchEthereumChain", params: [{ chainId }] });
  } catch (error) {
    if (failureOf(error).reason !== "unknown_chain") throw error;
    await provider.request({
      method: "wallet_addEthereumChain",
      params: [
        {
          chainId,
          chainName: chain.name,
          rpcUrls: [chain.rpcUrl],
          nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
          ...(chain.explorer === null ? {} : { blockExplorerUrls: [chain.explorer] }),
        },
      ],
    });
  }
}

function switchWords(error: unknown, { name, chainId }: ChainToAdd): Words {
  const { reason, message } = failureOf(error);
  return {
    message: reason === "rejected" ? "You stayed on the other network." : message,
    hint: `Change your wallet’s network to ${name} (chain ${chainId}) there, or ask again here.`,
  };
}
