/** The mock chain in a thread of its own, so that it takes no time from the service. */
import { parentPort, workerData } from "node:worker_threads";
import type { Hex, Terms } from "@assay/protocol";
import { useNativeKeccak256 } from "../../../oracle/src/signer/index.ts";
import { MockChain, type Past } from "./mock-chain.ts";

useNativeKeccak256();

/** What the thread is asked. */
export type Request =
  | {
      readonly kind: "rpc";
      readonly id: number;
      readonly method: string;
      readonly parameters: readonly unknown[];
    }
  | { readonly kind: "submit"; readonly id: number; readonly submissions: readonly (readonly [Terms, Hex])[] }
  | { readonly kind: "settled"; readonly id: number };

/** What it answers. */
export interface Response {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

const { past, blockMilliseconds, perBlock } = workerData as {
  past: Past;
  blockMilliseconds: number;
  perBlock: number;
};
const chain = new MockChain(past);
const waiting: (readonly [Terms, Hex])[] = [];
/** When each agreement was settled, by this machine's clock. */
const settledAt: [string, number][] = [];

setInterval(() => {
  for (const [terms, hash] of waiting.splice(0, perBlock)) chain.submit(terms, hash);
  chain.mine();
  while (settledAt.length < chain.settled.length)
    settledAt.push([chain.settled[settledAt.length] ?? "", Date.now()]);
}, blockMilliseconds);

function answer(request: Request): unknown {
  switch (request.kind) {
    case "rpc":
      return chain.answer(request.method, request.parameters);
    case "submit":
      waiting.push(...request.submissions);
      return null;
    case "settled":
      return settledAt;
  }
}

function responseTo(request: Request): Response {
  try {
    return { id: request.id, result: answer(request) };
  } catch (error) {
    return { id: request.id, error: String(error) };
  }
}

parentPort?.on("message", (requests: readonly Request[]) => {
  parentPort?.postMessage(requests.map(responseTo));
});
parentPort?.postMessage([]);
