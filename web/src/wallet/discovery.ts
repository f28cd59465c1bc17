import type { Eip1193Provider } from "./eip1193.ts";

/** A wallet that announced itself to the page (EIP-6963). */
export interface AnnouncedWallet {
  /** Of this page load alone. */
  readonly uuid: string;
  /** As the wallet calls itself: untrusted text. */
  readonly name: string;
  /** A data: URI of an image, or null when it gave none that can be shown. */
  readonly icon: string | null;
  /** Reverse domain name, the same at every visit. */
  readonly rdns: string;
  readonly provider: Eip1193Provider;
}

/** The wallets of this browser, as a store that React can follow. */
export interface Discovery {
  /** The same array until it changes. */
  readonly wallets: () => readonly AnnouncedWallet[];
  readonly subscribe: (listener: () => void) => () => void;
  /** Asks again: a wallet may have been installed or unlocked since. */
  readonly ask: () => void;
  readonly close: () => void;
}

const MAX_NAME = 40;
const MAX_ICON = 200_000;
const MAX_WALLETS = 30;

/**
 * Listens to wallets that announce themselves, and asks them to.
 *
 * @param target the window; a parameter so that this can be tried without one.
 */
export function createDiscovery(target: EventTarget): Discovery {
  const listeners = new Set<() => void>();
  let known: readonly AnnouncedWallet[] = [];
  const hear = (event: Event): void => {
    const wallet = walletIn((event as CustomEvent<unknown>).detail);
    // The first to take an id keeps it: nobody can slip in behind a wallet's name later.
    if (wallet === null || known.length >= MAX_WALLETS || known.some(({ uuid }) => uuid === wallet.uuid))
      return;
    known = [...known, wallet];
    for (const listener of listeners) listener();
  };
  target.addEventListener("eip6963:announceProvider", hear);
  const ask = (): void => void target.dispatchEvent(new Event("eip6963:requestProvider"));
  ask();
  return {
    wallets: () => known,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    ask,
    close: () => target.removeEventListener("eip6963:announceProvider", hear),
  };
}

/** The wallet of an announcement; null when the announcement is none. */
function walletIn(detail: unknown): AnnouncedWallet | null {
  if (typeof detail !== "object" || detail === null) return null;
  const { info, provider } = detail as { info?: unknown; provider?: unknown };
  if (typeof info !== "object" || info === null || !isProvider(provider)) return null;
  const { uuid, name, icon, rdns } = info as Record<string, unknown>;
  if (typeof uuid !== "string" || uuid === "" || typeof name !== "string" || typeof rdns !== "string")
    return null;
  return { uuid, name: nameOf(name), icon: iconOf(icon), rdns, provider };
}

function isProvider(value: unknown): value is Eip1193Provider {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "request") === "function";
}

/** A name that stays on one line and in one direction. */
function nameOf(name: string): string {
  const plain = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "").trim();
  return plain === "" ? "Unnamed wallet" : Array.from(plain).slice(0, MAX_NAME).join("");
}

/** Icons are shown only when they bring their own bytes: nothing is fetched from anywhere. */
function iconOf(icon: unknown): string | null {
  const isImage = typeof icon === "string" && /^data:image\/(?:png|svg\+xml|webp|jpeg|gif)[;,]/.test(icon);
  return isImage && icon.length <= MAX_ICON ? icon : null;
}
