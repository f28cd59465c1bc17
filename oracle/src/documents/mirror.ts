import type { Hex } from "@assay/protocol";
import type { Logger } from "../observe/logger.ts";

/** Milliseconds between two tries after a failure, doubled with each. */
const REST = { shortest: 5_000, longest: 300_000 };
/** Documents that may wait; what comes beyond is only kept here. */
const MAX_WAITING = 10_000;

/**
 * Hands documents on to a place outside, one after the other, for as long as it takes. What waits is forgotten at the
 * end of the process: the mirror makes documents easier to find, and nothing depends on it.
 */
export interface Mirror {
  offer(hash: Hex): void;
  /** Documents that wait. */
  waiting(): number;
  stop(): Promise<void>;
}

/**
 * @param pin hands on one document; resolves to whether it worked.
 * @param read the bytes of a document that was offered.
 */
export function createMirror(options: {
  readonly pin: (hash: Hex, bytes: Uint8Array) => Promise<boolean>;
  readonly read: (hash: Hex) => Promise<Uint8Array | null>;
  readonly logger: Logger;
  readonly shortestRest?: number;
}): Mirror {
  const { pin, read, logger, shortestRest = REST.shortest } = options;
  const queue = new Set<Hex>();
  let rest = 0;
  let stopped = false;
  let endPause: () => void = () => undefined;
  let running: Promise<void> | null = null;

  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, rest);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function drain(): Promise<void> {
    for (;;) {
      const [hash] = queue;
      if (hash === undefined || stopped) return;
      const bytes = await read(hash).catch(() => null);
      const isDone = bytes === null || (await pin(hash, bytes).catch(() => false));
      queue.delete(hash);
      if (isDone) {
        rest = 0;
        continue;
      }
      // To the end of the line: one that is refused for its own sake must not stop the others.
      queue.add(hash);
      rest = Math.min(REST.longest, rest === 0 ? shortestRest : rest * 2);
      logger.warn({ document: hash, waiting: queue.size }, "Could not mirror a document, will try again");
      await pause();
    }
  }

  return {
    offer(hash) {
      if (stopped || queue.size >= MAX_WAITING) return;
      queue.add(hash);
      running ??= drain().finally(() => {
        running = null;
      });
    },
    waiting: () => queue.size,
    async stop() {
      stopped = true;
      endPause();
      await running;
    },
  };
}
