import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext } from "playwright-core";
import { Wallet, keccak256, type JsonRpcProvider, type TransactionLike, type TypedDataField } from "ethers";
import {
  BINDING,
  injectWallets,
  type InjectedAnswer,
  type InjectedRequest,
  type InjectedWallet,
} from "./injected-wallet.ts";

/** Requests that a wallet shows to its owner. */
const PROMPTS = new Set([
  "eth_requestAccounts",
  "eth_sendTransaction",
  "eth_signTypedData_v4",
  "wallet_switchEthereumChain",
  "wallet_addEthereumChain",
]);

/** What the owner does about the next question. */
export type Manner =
  | "approve"
  | "reject"
  /** The wallet does not know the request. */
  | "refuse"
  | { readonly afterMilliseconds: number };

/** Typed data as `eth_signTypedData_v4` carries it. */
export interface TypedDataPayload {
  readonly domain: Record<string, unknown>;
  readonly types: Record<string, TypedDataField[]>;
  readonly primaryType: string;
  readonly message: Record<string, unknown>;
}

/** One question that the owner was shown. */
export interface Prompt {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly gestures: number;
}

/** A wallet of the browser whose keys and whose owner are in the test. */
export interface TestWallet {
  /** Every question that was shown, oldest first. */
  readonly prompts: readonly Prompt[];
  /** The typed data that was signed last. */
  readonly signed: TypedDataPayload | null;
  /** Hash of the transaction that was sent last. */
  readonly sent: string | null;
  /** From now on transactions are signed and kept back, as behind a slow network. */
  hold(): void;
  /** Sends the last transaction, which was kept back or has left the chain, and keeps nothing back any more. */
  release(): Promise<void>;
  /** Sends something else with the nonce of what was kept back, as the owner can in the wallet. */
  replace(how: "faster" | "cancel"): Promise<string>;
  /** How the owner takes questions from now on, of one method or of all. */
  answer(manner: Manner, method?: string): void;
  /** Chooses another account, as the owner can at any time. */
  useAccount(key: string): Promise<void>;
  /** Changes the wallet's chain, as the owner can at any time. */
  useChain(chainId: number): Promise<void>;
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Crect width='8' height='8' fill='%23456'/%3E%3C/svg%3E";

/** Puts a wallet into a browser's pages, signing with `key` on the chain of `provider`. */
export async function installWallet(
  context: BrowserContext,
  options: {
    key: string;
    provider: JsonRpcProvider;
    chainId: number;
    name?: string;
    onPrompt?: (prompt: Prompt) => void;
  },
): Promise<TestWallet> {
  const { provider, name = "Test Wallet", onPrompt } = options;
  const info: InjectedWallet = {
    uuid: randomUUID(),
    name,
    rdns: `org.assay.test.${name.toLowerCase().replace(/\W+/g, "-")}`,
    icon: ICON,
  };
  const prompts: Prompt[] = [];
  const manners = new Map<string, Manner>();
  let owner = new Wallet(options.key, provider);
  let chainId = options.chainId;
  let isConnected = false;
  let signed: TypedDataPayload | null = null;
  let sent: string | null = null;
  let isHolding = false;
  let last: { readonly raw: string; readonly request: TransactionLike } | null = null;

  const emit = async (event: string, value: unknown): Promise<void> => {
    for (const page of context.pages())
      await page
        .evaluate(
          ([binding, rdns, kind, what]) => {
            const run = (window as unknown as Record<string, unknown>)[`${String(binding)}Emit`];
            (run as (...args: unknown[]) => void)(rdns, kind, what);
          },
          [BINDING, info.rdns, event, value],
        )
        .catch(() => undefined);
  };

  async function perform(method: string, params: readonly unknown[]): Promise<unknown> {
    switch (method) {
      case "eth_chainId":
        return `0x${chainId.toString(16)}`;
      case "eth_accounts":
        return isConnected ? [owner.address.toLowerCase()] : [];
      case "eth_requestAccounts":
        isConnected = true;
        return [owner.address.toLowerCase()];
      case "eth_signTypedData_v4":
        return signTypedData(params);
      case "eth_sendTransaction": {
        const [{ to, data, from }] = params as [{ to: string; data: string; from: string }];
        if (from.toLowerCase() !== owner.address.toLowerCase()) throw fault(4100, "unknown account");
        if (chainId !== options.chainId) throw fault(4901, "the wallet is on another chain");
        const request = await owner.populateTransaction({ to, data });
        const raw = await owner.signTransaction(request);
        last = { raw, request };
        if (!isHolding) await provider.send("eth_sendRawTransaction", [raw]);
        sent = keccak256(raw);
        return sent;
      }
      case "wallet_switchEthereumChain": {
        const wanted = Number((params[0] as { chainId: string }).chainId);
        if (wanted !== options.chainId) throw fault(4902, "unknown chain");
        chainId = wanted;
        void emit("chainChanged", `0x${chainId.toString(16)}`);
        return null;
      }
      default:
        return provider.send(method, [...params]);
    }
  }

  async function signTypedData(params: readonly unknown[]): Promise<string> {
    const [from, text] = params as [string, string];
    if (from.toLowerCase() !== owner.address.toLowerCase()) throw fault(4100, "unknown account");
    const payload = JSON.parse(text) as TypedDataPayload;
    if (Number(payload.domain["chainId"]) !== chainId) throw fault(-32603, "the domain is on another chain");
    const { EIP712Domain: _domain, ...types } = payload.types;
    signed = payload;
    return owner.signTypedData(payload.domain, types, payload.message);
  }

  async function respond({ method, params, gestures }: InjectedRequest): Promise<InjectedAnswer> {
    if (PROMPTS.has(method)) {
      const prompt = { method, params, gestures };
      prompts.push(prompt);
      onPrompt?.(prompt);
      const manner = manners.get(method) ?? manners.get("*") ?? "approve";
      if (manner === "reject") return { error: { code: 4001, message: "User rejected the request." } };
      if (manner === "refuse") return { error: { code: 4200, message: "Unsupported method." } };
      if (typeof manner === "object") await sleep(manner.afterMilliseconds);
    }
    try {
      return { result: await perform(method, params) };
    } catch (error) {
      const { code, message, info: details } = error as { code?: unknown; message: string; info?: unknown };
      return { error: { code: typeof code === "number" ? code : -32603, message, data: details } };
    }
  }

  await context.exposeFunction(BINDING, async (text: string) =>
    JSON.stringify(await respond(JSON.parse(text) as InjectedRequest)),
  );
  await context.addInitScript(injectWallets, { wallets: [info], binding: BINDING });

  return {
    prompts,
    get signed() {
      return signed;
    },
    get sent() {
      return sent;
    },
    hold: () => {
      isHolding = true;
    },
    async release() {
      isHolding = false;
      if (last !== null) await provider.send("eth_sendRawTransaction", [last.raw]);
    },
    async replace(how) {
      if (last === null) throw new Error("Nothing was sent");
      const { nonce, to, data, gasLimit, chainId: chain } = last.request;
      isHolding = false;
      const other = {
        type: 2,
        chainId: chain ?? null,
        nonce: nonce ?? 0,
        gasLimit: gasLimit ?? 100_000n,
        maxFeePerGas: 50n * 10n ** 9n,
        maxPriorityFeePerGas: 10n ** 9n,
        ...(how === "faster" ? { to: to ?? null, data: data ?? "0x" } : { to: owner.address, data: "0x" }),
      };
      const raw = await owner.signTransaction(other);
      await provider.send("eth_sendRawTransaction", [raw]);
      return keccak256(raw);
    },
    answer: (manner, method = "*") => void manners.set(method, manner),
    async useAccount(key) {
      owner = new Wallet(key, provider);
      await emit("accountsChanged", [owner.address.toLowerCase()]);
    },
    async useChain(next) {
      chainId = next;
      await emit("chainChanged", `0x${next.toString(16)}`);
    },
  };
}

function fault(code: number, message: string): Error {
  return Object.assign(new Error(message), { code });
}
