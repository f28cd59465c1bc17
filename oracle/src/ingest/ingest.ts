import { isOpen, type SubmissionState } from "../core/index.ts";
import type { Clock } from "../observe/clock.ts";
import type { Logger } from "../observe/logger.ts";
import {
  RpcUnavailableError,
  isEmptyBloom,
  isRangeTooWide,
  mayHoldLogOf,
  type EvmChain,
  type Header,
  type RawLog,
} from "../rpc/index.ts";
import { READ_FROM_KEY, type BlockRow, type Cursor, type LogRow, type Store } from "../store/index.ts";
import type { Jurisdiction } from "./agreement.ts";
import { Batch, type BlockTime } from "./batch.ts";
import { decodeEscrowLog } from "./escrow-log.ts";
import { decodeJobLog } from "./job-log.ts";
import { FinalityViolationError } from "./errors.ts";
import { inParallel } from "./parallel.ts";

/** Unfinalized blocks taken in one step. */
const MAX_TIP_BLOCKS = 2_000;
/** Unfinalized blocks committed together. */
const TIP_BATCH = 50;
/** Final blocks after which the newest final ones are read a second time: a lagging replica may have left logs out. */
const RESCAN_EVERY = 25;
/** Final blocks that are read again then. */
const RESCAN_BLOCKS = 200;
/** Headers asked for at the same time. */
const HEADERS_AT_ONCE = 16;
/** A range that worked may grow by this factor. */
const RANGE_GROWTH = 1.1;

/** The chain as this operator has read it. */
export interface ChainView {
  /** Newest block read. */
  readonly latest: { readonly number: number; readonly timestamp: number };
  readonly final: { readonly number: number; readonly timestamp: number };
  /** Newest block that the endpoint announced. */
  readonly announced: number;
}

/** Follows the logs of the escrow, and of the ERC-8183 contracts beside it, with an own cursor: ranges below finality, block by block with parent links above. */
export interface Ingest {
  /**
   * Reads on as far as the endpoint goes. What it commits is complete up to the cursor, whatever happens after.
   *
   * @throws FinalityViolationError when a final block changed.
   */
  step(): Promise<ChainView>;
  /** Looks at what the worker that reads the chain has read; null before it has read anything. */
  follow(): Promise<ChainView | null>;
  /** What the last step saw; null before the first. */
  view(): ChainView | null;
}

export function createIngest(options: {
  readonly chain: EvmChain;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly jurisdiction: Jurisdiction;
  readonly startBlock: number;
  readonly logRange: number;
  readonly documentWindowSeconds: number | null;
  /** Called before and after each commit, for tests that stop the world there. */
  readonly boundary: (name: "ingest.read" | "ingest.committed") => void | Promise<void>;
}): Ingest {
  const { chain, store, clock, logger, startBlock, logRange, boundary } = options;
  const { escrow, jobs } = options.jurisdiction;
  const contracts = [escrow, ...(jobs?.contracts ?? [])];
  /** Whether a block's bloom filter was ever not empty: then the chain keeps them, and an empty one says "no logs". */
  let keepsBlooms = false;
  let range = logRange;
  let lastView: ChainView | null = null;
  /** Where the store's cursor was when this step began, or where this step moved it. */
  let position: Cursor | null = null;
  /** Final block up to which logs were read twice. */
  let rescanned: number | null = null;

  const newBatch = () =>
    new Batch({
      store,
      jurisdiction: options.jurisdiction,
      windowSeconds: options.documentWindowSeconds,
      logger,
    });
  const nextAt = (state: SubmissionState) => (isOpen(state.name) ? clock.now() : null);

  async function commit(
    batch: Batch,
    change: {
      readonly cursor: Cursor;
      readonly blocks?: readonly BlockRow[];
      readonly logs?: readonly LogRow[];
      readonly rewindTo?: number;
    },
  ): Promise<Cursor> {
    await boundary("ingest.read");
    await store.commit({
      at: clock.now(),
      agreements: batch.agreements(),
      submissions: await batch.changes(nextAt),
      cursorBefore: position,
      ...change,
    });
    position = change.cursor;
    await boundary("ingest.committed");
    return change.cursor;
  }

  async function requiredHeader(number: number): Promise<Header> {
    const header = await chain.header(number);
    if (header === null)
      throw new RpcUnavailableError(chain.origin, "eth_getBlockByNumber", `has no block ${number}`);
    return header;
  }

  /** As many blocks' logs as the endpoint gives at once, up to `limit`. It learns how many that are. */
  async function logsFrom(
    from: number,
    limit: number,
  ): Promise<{ readonly raw: readonly RawLog[]; readonly to: number }> {
    for (;;) {
      const to = Math.min(limit, from + range - 1);
      try {
        const raw = await chain.logs({ from, to });
        range = Math.min(logRange, Math.ceil(range * RANGE_GROWTH));
        return { raw, to };
      } catch (error) {
        if (!isRangeTooWide(error) || to === from) throw error;
        range = Math.max(1, Math.floor((to - from + 1) / 2));
        logger.debug({ from, blocks: range }, "Halved the range of log requests");
      }
    }
  }

  /** Whether one block has to be asked for its logs. */
  function mayHoldLogs({ logsBloom }: Header): boolean {
    if (logsBloom === null) return true;
    if (!isEmptyBloom(logsBloom)) keepsBlooms = true;
    return !keepsBlooms || contracts.some((contract) => mayHoldLogOf(contract, logsBloom));
  }

  /** A log about one agreement or job, decoded; null for all others. */
  function decode(log: RawLog): LogRow | null {
    return log.address === escrow ? decodeEscrowLog(log) : decodeJobLog(log, options.jurisdiction);
  }

  /** The logs of a range that concern us, decoded, with their blocks' headers, whose hashes they must name. */
  async function decodedLogs(
    raw: readonly RawLog[],
    batch: Batch,
  ): Promise<{
    readonly logs: readonly (readonly [LogRow, BlockRow])[];
    readonly blocks: Map<number, BlockRow>;
  }> {
    const kept: (readonly [LogRow, RawLog])[] = [];
    for (const entry of inChainOrder(raw)) {
      const log = decode(entry);
      if (log !== null && (await batch.concerns(log))) kept.push([log, entry]);
    }
    const numbers = [...new Set(kept.map(([log]) => log.blockNumber))];
    const headers = await inParallel(numbers, HEADERS_AT_ONCE, requiredHeader);
    const blocks = new Map(headers.map((header) => [header.number, toBlock(header)]));
    const logs: (readonly [LogRow, BlockRow])[] = [];
    for (const [log, entry] of kept) {
      const block = blocks.get(entry.blockNumber);
      if (block === undefined) continue;
      if (block.hash !== entry.blockHash)
        throw new RpcUnavailableError(
          chain.origin,
          "eth_getLogs",
          `has a log of another block ${block.number}`,
        );
      logs.push([log, block]);
    }
    return { logs, blocks };
  }

  /** Asks again for the logs of final blocks, and takes up what was left out the first time. */
  async function rescan(cursor: Cursor): Promise<Cursor> {
    const to = cursor.final.number;
    if (rescanned !== null && to < rescanned + RESCAN_EVERY) return cursor;
    const from = Math.max(startBlock, to - RESCAN_BLOCKS + 1, 0);
    if (from > to) return cursor;
    const known = new Set(
      (await store.logsBetween(from, to)).map((log) => `${log.blockHash}:${log.logIndex}`),
    );
    const raw: RawLog[] = [];
    for (let next = from; next <= to;) {
      const part = await logsFrom(next, to);
      raw.push(...part.raw.filter((log) => !known.has(`${log.blockHash}:${log.logIndex}`)));
      next = part.to + 1;
    }
    rescanned = to;
    const batch = newBatch();
    const { logs, blocks } = await decodedLogs(raw, batch);
    if (logs.length === 0) return cursor;
    logger.warn({ from, to, logs: logs.length }, "Found logs that the endpoint had left out");
    for (const [log, block] of [...logs, ...(await orphansOf(logs))].sort(byPlace)) {
      await batch.seen(log, block);
      if (block.number <= to) await batch.finalized(log, block);
    }
    return commit(batch, { cursor, blocks: [...blocks.values()], logs: logs.map(([log]) => log) });
  }

  /** Where reading begins: where a rebuild was told to, else where the configuration says. */
  async function firstBlock(): Promise<number> {
    const rebuilt = await store.meta(READ_FROM_KEY);
    return rebuilt === null ? startBlock : Number(rebuilt);
  }

  /** Logs that were read while an earlier one of their agreement was left out: they may have meant nothing then. */
  async function orphansOf(found: readonly DatedEntry[]): Promise<readonly DatedEntry[]> {
    const agreements = new Set(found.map(([log]) => log.agreementId));
    const known = await Promise.all([...agreements].map((agreementId) => store.logsOf(agreementId)));
    return known
      .flat()
      .map((log) => [log, { number: log.blockNumber, hash: log.blockHash, timestamp: log.timestamp }]);
  }

  /** Reads final blocks in ranges. Nothing in them can change, so their endings count at once. */
  async function readFinalRange(cursor: Cursor | null, final: Header): Promise<Cursor> {
    const from = cursor === null ? Math.min(await firstBlock(), final.number) : cursor.number + 1;
    const { raw, to } = await logsFrom(from, final.number);
    const batch = newBatch();
    const { logs, blocks } = await decodedLogs(raw, batch);
    await batch.foresee(logs.map(([log]) => log));
    for (const [log, block] of logs) {
      await batch.seen(log, block);
      await batch.finalized(log, block);
    }
    const end = to === final.number ? final : await requiredHeader(to);
    blocks.set(end.number, toBlock(end));
    const position = { number: end.number, hash: end.hash };
    return commit(batch, {
      cursor: { ...position, final: { ...position, timestamp: end.timestamp } },
      blocks: [...blocks.values()],
      logs: logs.map(([log]) => log),
    });
  }

  /** Reads blocks that may still change, one by one, each linked to the one before. Null when the link is broken. */
  async function readTip(cursor: Cursor, latest: Header): Promise<Cursor | null> {
    const to = Math.min(latest.number, cursor.number + TIP_BATCH);
    let parent = cursor.hash;
    const blocks: BlockRow[] = [];
    const logs: LogRow[] = [];
    const batch = newBatch();
    for (let number = cursor.number + 1; number <= to; number++) {
      const header = number === latest.number ? latest : await chain.header(number);
      if (header === null) break;
      if (header.parentHash !== parent) {
        if (blocks.length === 0) return null;
        break;
      }
      parent = header.hash;
      const block = toBlock(header);
      blocks.push(block);
      const raw = mayHoldLogs(header) ? await chain.logs({ blockHash: header.hash }) : [];
      const own: LogRow[] = [];
      for (const entry of inChainOrder(raw)) {
        const log = decode(entry);
        if (log !== null && (await batch.concerns(log))) own.push(log);
      }
      logs.push(...own);
      await batch.foresee(own);
      for (const log of own) await batch.seen(log, block);
    }
    const last = blocks.at(-1);
    if (last === undefined) return cursor;
    return commit(batch, { cursor: { ...cursor, number: last.number, hash: last.hash }, blocks, logs });
  }

  /** Walks back to the newest stored block that is still on the chain and forgets what is above it. */
  async function rewind(cursor: Cursor): Promise<Cursor> {
    let number = cursor.number - 1;
    let ancestor: BlockRow | null = null;
    for (; number > cursor.final.number; number--) {
      const stored = await store.block(number);
      const header = await chain.header(number);
      if (stored !== null && header?.hash === stored.hash) {
        ancestor = stored;
        break;
      }
    }
    if (ancestor === null) await verifyFinal(cursor);
    const position = ancestor ?? cursor.final;
    const batch = newBatch();
    const lost = await store.logsBetween(position.number + 1, cursor.number);
    for (const log of lost) await batch.orphaned(log);
    logger.warn(
      { from: cursor.number, to: position.number, logs: lost.length },
      "Walked back over a reorganisation",
    );
    return commit(batch, {
      cursor: { ...cursor, number: position.number, hash: position.hash },
      rewindTo: position.number,
    });
  }

  async function verifyFinal(cursor: Cursor): Promise<void> {
    if (cursor.final.number < 0) return;
    const header = await requiredHeader(cursor.final.number);
    if (header.hash !== cursor.final.hash)
      throw new FinalityViolationError(cursor.final.number, cursor.final.hash, header.hash);
  }

  /** Moves the boundary of what is final; endings by the parties count from here on. */
  async function advanceFinal(cursor: Cursor, final: Header): Promise<Cursor> {
    const stored = await store.block(final.number);
    if (stored?.hash !== final.hash)
      throw new RpcUnavailableError(
        chain.origin,
        "eth_getBlockByNumber",
        `has another final block ${final.number}`,
      );
    const batch = newBatch();
    for (const log of await store.logsBetween(cursor.final.number + 1, final.number)) {
      const block = await store.block(log.blockNumber);
      if (block !== null) await batch.finalized(log, block);
    }
    return commit(batch, {
      cursor: { ...cursor, final: { number: final.number, hash: final.hash, timestamp: final.timestamp } },
    });
  }

  async function step(): Promise<ChainView> {
    const { latest, final } = await chain.heads();
    let cursor = await store.cursor();
    position = cursor;
    // A final block that was read as a tip is linked to the one that was final before.
    if (cursor !== null && final.number > cursor.final.number)
      if ((await store.block(final.number))?.hash !== final.hash) await verifyFinal(cursor);
    // Above the cursor the next block's parent tells whether the cursor still stands.
    if (cursor !== null && cursor.number > cursor.final.number && cursor.number === latest.number)
      if (latest.hash !== cursor.hash) cursor = await rewind(cursor);
    // What was read as a tip and is final by now still has its endings to be counted.
    if (cursor !== null && cursor.number < final.number && cursor.number > cursor.final.number) {
      const header = await requiredHeader(cursor.number);
      if (header.hash === cursor.hash) cursor = await advanceFinal(cursor, header);
      else cursor = await rewind(cursor);
    }
    while (cursor === null || cursor.number < final.number) cursor = await readFinalRange(cursor, final);
    let hasRewound = false;
    for (let taken = 0; cursor.number < latest.number && taken < MAX_TIP_BLOCKS;) {
      const next: Cursor | null = await readTip(cursor, latest);
      if (next === null) {
        // Twice in one step would be endpoints that disagree with themselves.
        if (hasRewound) break;
        hasRewound = true;
        cursor = await rewind(cursor);
        continue;
      }
      if (next.number === cursor.number) break;
      taken += next.number - cursor.number;
      cursor = next;
    }
    if (final.number > cursor.final.number && final.number <= cursor.number)
      cursor = await advanceFinal(cursor, final);
    cursor = await rescan(cursor);
    await store.wakeFinal(cursor.final, clock.now());
    const newest = cursor.number === latest.number ? latest : ((await store.block(cursor.number)) ?? latest);
    lastView = {
      latest: { number: cursor.number, timestamp: newest.timestamp },
      final: { number: cursor.final.number, timestamp: cursor.final.timestamp },
      announced: latest.number,
    };
    return lastView;
  }

  async function follow(): Promise<ChainView | null> {
    const cursor = await store.cursor();
    if (cursor === null) return lastView;
    const newest = (await store.block(cursor.number)) ?? {
      number: cursor.number,
      timestamp: cursor.final.timestamp,
    };
    lastView = {
      latest: { number: newest.number, timestamp: newest.timestamp },
      final: { number: cursor.final.number, timestamp: cursor.final.timestamp },
      announced: newest.number,
    };
    return lastView;
  }

  return { step, follow, view: () => lastView };
}

/** A log with its block. */
type DatedEntry = readonly [LogRow, BlockTime];

function byPlace([one]: DatedEntry, [other]: DatedEntry): number {
  return one.blockNumber - other.blockNumber || one.logIndex - other.logIndex;
}

function toBlock(header: Header): BlockRow {
  return { number: header.number, hash: header.hash, parent: header.parentHash, timestamp: header.timestamp };
}

function inChainOrder(logs: readonly RawLog[]): readonly RawLog[] {
  return [...logs].sort((one, other) => one.blockNumber - other.blockNumber || one.logIndex - other.logIndex);
}
