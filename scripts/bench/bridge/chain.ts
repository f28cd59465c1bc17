import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Hex, Terms } from "@assay/protocol";
import { RpcResponseError, type JsonRpc } from "../../../oracle/src/rpc/index.ts";
import type { Request, Response } from "./chain-worker.ts";
import type { Past } from "./mock-chain.ts";

type Question = Request extends infer R ? (R extends Request ? Omit<R, "id"> : never) : never;

/** The mock chain, seen from the service's thread. */
export interface BenchChain {
  readonly rpc: JsonRpc;
  /** Submissions to come in the next blocks. */
  submit(submissions: readonly (readonly [Terms, Hex])[]): Promise<void>;
  /** Agreements that were settled, with the wall clock in milliseconds. */
  settled(): Promise<readonly (readonly [Hex, number])[]>;
  stop(): Promise<void>;
}

/** Starts the mock chain in a thread of its own. */
export async function startChain(options: {
  readonly past: Past;
  readonly blockMilliseconds: number;
  /** Submissions that go into one block. */
  readonly perBlock: number;
}): Promise<BenchChain> {
  const worker = new Worker(new URL("./chain-worker.ts", import.meta.url), { workerData: options });
  await once(worker, "message");
  const open = new Map<number, (response: Response) => void>();
  let last = 0;
  worker.on("message", (responses: readonly Response[]) => {
    for (const response of responses) {
      open.get(response.id)?.(response);
      open.delete(response.id);
    }
  });
  // What is asked in one turn of the event loop goes together, so that little of the service's time goes into messages.
  let outgoing: Request[] = [];

  function post(request: Request): void {
    outgoing.push(request);
    if (outgoing.length > 1) return;
    setImmediate(() => {
      worker.postMessage(outgoing);
      outgoing = [];
    });
  }

  function ask(question: Question): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = ++last;
      open.set(id, ({ result, error }) => {
        if (error === undefined) resolve(result);
        else reject(new RpcResponseError("bench://evm", question.kind, -32_000, error, null));
      });
      post({ ...question, id });
    });
  }

  return {
    rpc: {
      origin: "bench://evm",
      send: (method, parameters) => ask({ kind: "rpc", method, parameters }),
    },
    async submit(submissions) {
      await ask({ kind: "submit", submissions });
    },
    settled: async () => (await ask({ kind: "settled" })) as [Hex, number][],
    async stop() {
      await worker.terminate();
    },
  };
}
