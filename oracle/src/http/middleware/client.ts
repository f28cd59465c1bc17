import { isIPv6 } from "node:net";
import type { Context } from "hono";

/** What @hono/node-server hands to the app; absent in tests that call it without a socket. */
interface NodeBindings {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string | undefined } };
}

/**
 * Who asks: the socket's address, or behind proxies that were configured the address that the outermost of them saw.
 *
 * @param proxies how many proxies stand in front. With 0 nobody's X-Forwarded-For is believed: anyone can write one.
 */
export function clientOf(context: Context, proxies: number): string {
  const { incoming } = context.env as NodeBindings;
  const own = incoming?.socket?.remoteAddress ?? "unknown";
  if (proxies === 0) return networkOf(own);
  const chain = (context.req.header("x-forwarded-for") ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  // Each proxy appends whom it saw; what stands further left was written by the client.
  return networkOf(chain.at(-proxies) ?? own).slice(0, 64);
}

/** One customer gets a whole /64 of IPv6, so its addresses count as one client. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, "");
  if (!isIPv6(plain)) return plain;
  const [head = "", tail] = plain.split("::");
  const left = head.split(":").filter((group) => group !== "");
  const right = (tail ?? "").split(":").filter((group) => group !== "");
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  return `${[...left, ...zeros, ...right].slice(0, 4).join(":")}::/64`;
}
