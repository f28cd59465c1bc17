/** What the page sees of a wallet. */
export interface InjectedWallet {
  readonly uuid: string;
  readonly name: string;
  readonly rdns: string;
  readonly icon: string;
}

/** A request as it leaves the page, with what its person had done by then. */
export interface InjectedRequest {
  readonly rdns: string;
  readonly method: string;
  readonly params: readonly unknown[];
  /** How many clicks and keys the person had used on this page. */
  readonly gestures: number;
}

/** The answer of the test's side. */
export interface InjectedAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Name of the function that the test's side exposes to the page. */
export const BINDING = "assayTestWallet";

/**
 * Runs inside the page, before its own code, and stands there as a browser extension would: it announces wallets by
 * EIP-6963 and hands their requests on. It holds no key. Must not refer to anything outside of itself.
 */
export function injectWallets({ wallets, binding }: { wallets: InjectedWallet[]; binding: string }): void {
  type Listener = (value: unknown) => void;
  const listeners = new Map<string, Set<Listener>>();
  const page = window as unknown as Record<string, unknown>;
  let gestures = 0;
  for (const kind of ["pointerdown", "keydown"])
    window.addEventListener(
      kind,
      (event) => {
        if (event.isTrusted) gestures++;
      },
      true,
    );
  const providers = wallets.map(({ rdns }) => ({
    async request({
      method,
      params = [],
    }: {
      method: string;
      params?: readonly unknown[];
    }): Promise<unknown> {
      const ask = page[binding] as (text: string) => Promise<string>;
      const answer = JSON.parse(await ask(JSON.stringify({ rdns, method, params, gestures }))) as {
        result?: unknown;
        error?: { code: number; message: string; data?: unknown };
      };
      if (answer.error === undefined) return answer.result;
      const { code, message, data } = answer.error;
      throw Object.assign(new Error(message), { code, data });
    },
    on(event: string, listener: Listener): void {
      const key = `${rdns} ${event}`;
      listeners.set(key, (listeners.get(key) ?? new Set()).add(listener));
    },
    removeListener(event: string, listener: Listener): void {
      listeners.get(`${rdns} ${event}`)?.delete(listener);
    },
  }));
  page[`${binding}Emit`] = (rdns: string, event: string, value: unknown): void => {
    for (const listener of listeners.get(`${rdns} ${event}`) ?? []) listener(value);
  };
  const announce = (): void => {
    for (const [index, info] of wallets.entries())
      window.dispatchEvent(
        new CustomEvent("eip6963:announceProvider", {
          detail: Object.freeze({ info: Object.freeze({ ...info }), provider: providers[index] }),
        }),
      );
  };
  window.addEventListener("eip6963:requestProvider", announce);
  announce();
}
