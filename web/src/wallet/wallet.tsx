import { useEffect, useMemo, useSyncExternalStore } from "react";
import { RpcError } from "@assay/evidence";
import type { Address, Profile, Wording } from "@assay/protocol";
import { useNetwork } from "../network/context.tsx";
import type { Network } from "../network/network.ts";
import { useToken, type Token } from "../network/token.tsx";
import { createBook, type Telling, type TransactionBook } from "./book.ts";
import type { Connection } from "./connection.ts";
import { createDiscovery, type AnnouncedWallet, type Discovery } from "./discovery.ts";
import { createChainNode, type ChainNode } from "./node.ts";
import { createWalletSession, type WalletSession } from "./session.ts";
import { stored } from "./storage.ts";
import type { Writer } from "./transact.ts";
import type { Transaction } from "./transaction.ts";

/** Everything that stands between the page and wallets, for one network. */
interface Tools {
  readonly discovery: Discovery;
  readonly session: WalletSession;
  readonly book: TransactionBook;
  readonly node: ChainNode;
  /** How errors write amounts, once the chain has told of its token. */
  readonly wording: () => Wording;
  readonly learnToken: (token: Token) => void;
}

/** By profile, for as long as the page is there: what was sent goes on being followed. */
const opened = new Map<Profile, Tools>();

function toolsOf(network: Network): Tools {
  const tools = opened.get(network.profile) ?? openTools(network);
  opened.set(network.profile, tools);
  return tools;
}

function openTools({ profile, label, chain }: Network): Tools {
  let wording: Wording = {};
  const node = createChainNode((method, params) =>
    chain.rpc.send(method, params).catch((error: unknown) => {
      if (!(error instanceof RpcError)) throw error;
      const { code, reason, revertData } = error;
      throw Object.assign(new Error(reason, { cause: error }), { code, data: revertData ?? undefined });
    }),
  );
  const discovery = createDiscovery(window);
  const memory = stored("assay/wallet");
  const { chainId, rpcUrl, escrow, explorer = null } = profile.evm;
  return {
    discovery,
    node,
    wording: () => wording,
    learnToken: (token) => {
      wording = { token };
    },
    session: createWalletSession(
      discovery,
      { chainId, name: label, rpcUrl, explorer },
      { get: memory.read, set: (rdns) => (rdns === null ? memory.remove() : memory.write(rdns)) },
    ),
    book: createBook({ node, wording: () => wording }, stored(`assay/transactions/${chainId}/${escrow}`)),
  };
}

function useTools(): Tools {
  const tools = toolsOf(useNetwork());
  const token = useToken();
  useEffect(() => {
    if (token !== undefined) tools.learnToken(token);
  }, [tools, token]);
  return tools;
}

/** The wallet as components see it. */
export interface WalletView {
  readonly connection: Connection;
  /** Every wallet of this browser. */
  readonly wallets: readonly AnnouncedWallet[];
  /** The connected account, on whatever network. */
  readonly account: Address | null;
  /** What writing needs; null unless connected to the escrow's chain. */
  readonly writer: Writer | null;
  /** The escrow's chain, which needs no wallet. */
  readonly node: ChainNode;
  readonly connect: (wallet: AnnouncedWallet) => void;
  readonly switchChain: () => void;
  readonly disconnect: () => void;
  /** Looks for wallets again. */
  readonly look: () => void;
}

/** The wallet, followed. */
export function useWallet(): WalletView {
  const { discovery, session, node, wording } = useTools();
  const connection = useSyncExternalStore(session.subscribe, session.connection);
  const wallets = useSyncExternalStore(discovery.subscribe, discovery.wallets);
  return useMemo(() => {
    const account =
      connection.name === "connected" || connection.name === "wrong_network" ? connection.account : null;
    const provider = session.wallet()?.provider;
    return {
      connection,
      wallets,
      account,
      node,
      writer:
        connection.name === "connected" && provider !== undefined
          ? { provider, account: connection.account, node, wording }
          : null,
      connect: (wallet) => void session.connect(wallet),
      switchChain: () => void session.switchChain(),
      disconnect: session.disconnect,
      look: discovery.ask,
    };
  }, [connection, wallets, session, discovery, node, wording]);
}

/** One act's transaction, followed. */
export interface TransactionView {
  readonly state: Transaction;
  /** Does the work of a click; nothing when the act is under way. */
  readonly begin: (work: (telling: Telling) => Promise<unknown>) => void;
  readonly dismiss: () => void;
}

/** The transaction of one act; `key` names the act and what it is about. */
export function useTransaction(key: string): TransactionView {
  const { book } = useTools();
  const state = useSyncExternalStore(book.subscribe, () => book.state(key));
  return {
    state,
    begin: (work) => void book.begin(key, work),
    dismiss: () => book.dismiss(key),
  };
}
