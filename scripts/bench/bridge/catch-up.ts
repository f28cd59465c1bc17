import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { DATABASE_FILE } from "../../../oracle/src/store/index.ts";
import { createReader, createBench } from "./world.ts";

/** Blocks of the past for each agreement in it. */
export const BLOCKS_PER_AGREEMENT = 10;

export interface CatchUp {
  readonly blocksPerSecond: number;
  readonly blocks: number;
  readonly agreements: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** Reads a past into an empty database, as after an outage. Stops after so many seconds, wherever it is. */
export async function measureCatchUp(
  dataDir: string,
  agreements: number,
  limitSeconds: number,
): Promise<CatchUp> {
  const blocks = agreements * BLOCKS_PER_AGREEMENT;
  const bench = await createBench({
    dataDir,
    pastBlocks: blocks,
    pastAgreements: agreements,
    blockMilliseconds: 60_000,
    pollMilliseconds: 1_000,
    finalAfter: () => 0,
  });
  const store = bench.openStore();
  try {
    const reader = createReader(bench, store);
    const began = performance.now();
    const cpu = process.cpuUsage();
    const reading = reader.step();
    const over = new Promise<void>((resolve) => setTimeout(resolve, limitSeconds * 1_000).unref());
    await Promise.race([reading, over]);
    const seconds = (performance.now() - began) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    const read = (await store.cursor())?.number ?? 0;
    // What is still under way ends with the chain; its failure is no news.
    reading.catch(() => undefined);
    return {
      blocksPerSecond: read / seconds,
      blocks: read,
      agreements: Math.floor(read / BLOCKS_PER_AGREEMENT),
      seconds,
      cpuSeconds: (user + system) / 1_000_000,
    };
  } finally {
    await bench.chain.stop();
    await store.close();
  }
}

/**
 * Makes the open agreements of a database old: anchored long ago, each waiting for a document that nobody has, and
 * looked at rarely, at moments of their own.
 */
export function age(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, DATABASE_FILE));
  const now = Date.now();
  database.exec(`
    UPDATE submissions SET state = 'ANCHORED', data = json_set(data, '$.name', 'ANCHORED'), anchor_block = NULL,
      created_at = ${now - 7_200_000}, updated_at = ${now - 7_200_000},
      next_at = ${now} + abs(random()) % 900000`);
  database.close();
}
