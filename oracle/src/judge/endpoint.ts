import type { GenLayerNetwork } from "@assay/protocol";
import type { Endpoint } from "../config/index.ts";
import {
  createJsonRpc,
  createProvider,
  type ObserveCall,
  type Provider,
  type RateLimits,
} from "../rpc/index.ts";

/** Milliseconds after which a call is given up; genlayer-js sets no deadline of its own. */
export const JUDGE_TIMEOUT_MILLISECONDS = 15_000;

/** Calls per second that public nodes allow one address; `gen_call` also counts among the `gen_` methods. */
const PUBLIC_LIMITS: RateLimits = { gen_call: 2, gen_: 18, eth_: 50, sim_: 18 };

/** The endpoint of a GenLayer network, asked no faster than public nodes allow, unless it is on this machine. */
export function connectGenLayer(
  endpoint: Endpoint,
  network: GenLayerNetwork,
  options: { readonly observe?: ObserveCall | undefined; readonly timeoutMilliseconds?: number } = {},
): Provider {
  const { observe, timeoutMilliseconds = JUDGE_TIMEOUT_MILLISECONDS } = options;
  const isLocal = ["127.0.0.1", "localhost", "[::1]"].includes(new URL(endpoint.url.reveal()).hostname);
  return createProvider(createJsonRpc(endpoint, timeoutMilliseconds), {
    chain: "genlayer",
    chainId: network.chainId,
    limits: isLocal ? {} : PUBLIC_LIMITS,
    observe,
  });
}
