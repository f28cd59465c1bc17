/** Messages between the executor (main thread) and its workers. Everything is structured-clone data. */

/** What a worker is started with. */
export interface WorkerInit {
  /** Memory image of a CPython that has our `genlayer` package loaded. */
  readonly snapshot: Uint8Array;
  /** `[0]` is 1 once the answer to a host call waits on `answers`. */
  readonly signal: Int32Array<SharedArrayBuffer>;
  /** Receives the answers to host calls, read synchronously. */
  readonly answers: import("node:worker_threads").MessagePort;
  /** WebAssembly memory beyond which allocation fails. */
  readonly memoryBytes: number;
}

/** A call out of the interpreter, to be answered on the port of {@link WorkerInit.answers}. */
export interface HostCall {
  readonly type: "host-call";
  readonly kind: string;
  readonly payload: string;
}

/** A task for a worker: one run, or one schema. */
export type WorkerTask =
  | { readonly type: "schema"; readonly code: Uint8Array }
  | {
      readonly type: "execute";
      readonly code: Uint8Array;
      readonly state: Uint8Array;
      readonly calldata: Uint8Array;
      /** `{kind, message, leaderOutputs}` as JSON. */
      readonly request: string;
    };

/** What a worker says. After `failed` it must not be used any more. */
export type WorkerMessage =
  | { readonly type: "ready" }
  | HostCall
  | { readonly type: "done"; readonly answer: string; readonly heapBytes: number }
  | { readonly type: "failed"; readonly reason: string };
