/** What has been started and will have to be stopped, last started first. */
export interface Started {
  /** Waits for a part to be up and remembers how to stop it. */
  add<T extends { stop(): Promise<void> }>(part: string, starting: Promise<T>): Promise<T>;
  /** Remembers something else that has to be undone. */
  onStop(undo: () => void | Promise<void>): void;
  /** Stops everything. Idempotent; what fails to stop keeps nothing else from stopping. */
  stop(): Promise<void>;
}

/** @param onProgress told the name of every part that is up */
export function createStarted(onProgress: (part: string) => void): Started {
  const undos: (() => void | Promise<void>)[] = [];
  return {
    async add(part, starting) {
      const handle = await starting;
      undos.push(() => handle.stop());
      onProgress(part);
      return handle;
    },
    onStop(undo) {
      undos.push(undo);
    },
    async stop() {
      for (let undo = undos.pop(); undo; undo = undos.pop()) {
        try {
          await undo();
        } catch {
          // Whatever it was is gone or unreachable; the rest still has to stop.
        }
      }
    },
  };
}

/** Waits for all, so that nothing is still starting when the first failure is reported. */
export async function allUp<T extends readonly unknown[]>(
  ...parts: { [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  const settled = await Promise.allSettled(parts);
  const failure = settled.find((part) => part.status === "rejected");
  if (failure) throw failure.reason;
  return settled.map((part) => (part as PromiseFulfilledResult<unknown>).value) as unknown as T;
}
