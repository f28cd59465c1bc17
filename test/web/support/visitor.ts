import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { BrowserContext, Page } from "playwright-core";
import { checkAccess } from "./axe.ts";
import { installWallet, type TestWallet } from "./wallet.ts";
import type { World } from "./world.ts";

/** Where pictures go when `ASSAY_SCREENSHOTS` is set, git ignores it. Making them is a tenth of the browser's work. */
export const SHOTS = join(import.meta.dirname, "../../../artifacts/web");

/** Windows as people have them. */
export const SIZES = {
  desktop: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
} as const;
export type Size = keyof typeof SIZES;

/** Somebody with a browser, perhaps with a wallet in it. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Null for somebody without one. */
  readonly wallet: TestWallet | null;
  /** Goes to a path of the page. */
  readonly goto: (path: string) => Promise<void>;
  /** Connects the wallet by clicking, as a person does. */
  readonly connect: () => Promise<void>;
  /** Keeps a picture of the whole page, when pictures are asked for. */
  readonly shot: (name: string) => Promise<void>;
  /** Fails unless the page as it stands meets WCAG 2.2 AA as far as machines can tell, and is as wide as the window. */
  readonly checkAccess: () => Promise<void>;
  /** Ends the visit. @throws when the page did something that it must never do. */
  readonly leave: () => Promise<void>;
}

export interface VisitorOptions {
  readonly size?: Size;
  /** Private key of the wallet; without one there is no wallet in the browser. */
  readonly key?: string;
  readonly colorScheme?: "light" | "dark";
  /** Where they live; Berlin when left out. */
  readonly timezoneId?: string;
  /** Requests that are cut off, as when a server is down. */
  readonly offline?: (url: URL) => boolean;
  /** Chain that the wallet is on, the escrow's when left out. */
  readonly chainId?: number;
}

/** Opens a browser window for somebody, and watches everything that the page does in it. */
export async function visit(
  { browser, served, stack, origins }: World,
  {
    size = "desktop",
    key,
    colorScheme = "light",
    timezoneId = "Europe/Berlin",
    offline,
    chainId,
  }: VisitorOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: SIZES[size],
    hasTouch: size === "phone",
    isMobile: size === "phone",
    colorScheme,
    locale: "en-GB",
    timezoneId,
    reducedMotion: "reduce",
    acceptDownloads: true,
  });
  context.setDefaultTimeout(30_000);
  const offences: string[] = [];
  await watch(context, origins, offences);
  if (offline !== undefined)
    await context.route(
      (url) => offline(url),
      (route) => route.abort("connectionrefused"),
    );
  const wallet =
    key === undefined
      ? null
      : await installWallet(context, {
          key,
          provider: stack.venue.provider,
          chainId: stack.venue.chainId,
          onPrompt: ({ method, gestures }) => {
            if (gestures === 0) offences.push(`The wallet was asked ${method} before anybody clicked`);
          },
        });
  if (chainId !== undefined) await wallet?.useChain(chainId);
  const page = await context.newPage();
  const shot = async (name: string): Promise<void> => {
    if (process.env["ASSAY_SCREENSHOTS"] === undefined) return;
    mkdirSync(SHOTS, { recursive: true });
    await page.screenshot({ path: join(SHOTS, `${name}-${size}.png`), fullPage: true });
  };
  return {
    page,
    context,
    wallet,
    goto: async (path) => {
      await page.goto(`${served.url}${path}`);
      await page.locator("main h1").first().waitFor();
    },
    async connect() {
      await page.getByRole("button", { name: "Connect a wallet" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Test Wallet" }).click();
      await page.getByRole("button", { name: /^Your wallet: 0x/ }).waitFor();
    },
    shot,
    async checkAccess() {
      await checkAccess(page);
      const { width, content } = await page.evaluate(() => ({
        width: document.documentElement.clientWidth,
        content: document.documentElement.scrollWidth,
      }));
      expect(content, "the page is wider than its window").to.be.at.most(width);
    },
    async leave() {
      await context.close();
      expect(offences, "what the page must never do").to.deep.equal([]);
    },
  };
}

/** Notes what a page must never do: ask strangers, break its own policy, or fall over. */
async function watch(context: BrowserContext, origins: readonly string[], offences: string[]): Promise<void> {
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol === "data:" || url.protocol === "blob:") return;
    if (!origins.includes(url.origin)) offences.push(`Asked a third party: ${request.url()}`);
  });
  context.on("weberror", (error) => {
    offences.push(`Threw: ${error.error().stack ?? error.error().message}`);
  });
  context.on("console", (message) => {
    if (/Content[- ]Security[- ]Policy/i.test(message.text()))
      offences.push(`Broke its policy: ${message.text()}`);
  });
  await context.exposeFunction("assayTestViolation", (text: string) => {
    offences.push(`Broke its policy: ${text}`);
  });
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sourceFile }) => {
      const tell = (window as unknown as { assayTestViolation: (text: string) => void }).assayTestViolation;
      tell(`${effectiveDirective} ${blockedURI} ${sourceFile}`);
    });
  });
}
