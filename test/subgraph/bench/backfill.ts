/**
 * Measures how fast the index is: a back-fill of 20,000 events, then block to queryable.
 *
 *     node test/subgraph/bench/backfill.ts [events]
 */
import { parseArgs } from "node:util";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import {
  accepted,
  addressOf,
  agreement,
  certified,
  funded,
  released,
  submitted,
  type TestAgreement,
} from "../support/agreements.ts";
import { LogChain } from "../support/chain.ts";
import { IndexUnderTest } from "../support/index-under-test.ts";
import type { Log } from "../support/logs.ts";

const EVENTS_PER_LIFE = 5;
const LIVES_PER_BLOCK = 40;
const PARTIES = 100;
const LATENCY_BLOCKS = 20;
const LOOK_MILLISECONDS = 250;

const { positionals } = parseArgs({ allowPositionals: true });
const events = Number(positionals[0] ?? 20_000);
const lives = Math.ceil(events / EVENTS_PER_LIFE);

/**
 * A life in the transactions that it really takes. Every handler is handed its transaction's whole input, so that
 * many events in one transaction would measure that input instead.
 */
function life(a: TestAgreement, escrow: string): Log[][] {
  return [[funded(a), accepted(a)], [submitted(a)], [certified(a, 1, escrow), released(a)]];
}

const seconds = (since: number): number => (performance.now() - since) / 1000;

function residentMegabytes(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

/** Processor time that a process has used, in seconds. Unlike time by the clock it is little affected by neighbours. */
function processorSeconds(pid: number): number {
  const [, , user, system] =
    /^(\d+) \(.*\)(?: \S+){11} (\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
  return (Number(user) + Number(system)) / 100;
}

/** Looks seldom: each look takes processor time from the indexing that it measures. */
async function untilIndexed(head: number): Promise<void> {
  const question = "{ _meta { block { number } } }";
  for (;;) {
    const answer = await index
      .query<{ _meta: { block: { number: number } } }>(question)
      .catch(() => undefined);
    if (answer !== undefined && answer._meta.block.number >= head) return;
    await setTimeout(LOOK_MILLISECONDS);
  }
}

const chain = await LogChain.start();
const mining = performance.now();
for (let first = 0; first < lives; first += LIVES_PER_BLOCK) {
  const some = Array.from({ length: Math.min(LIVES_PER_BLOCK, lives - first) }, (_, offset) => {
    const number = first + offset;
    return agreement(String(number), {
      buyer: addressOf(`buyer ${number % PARTIES}`),
      seller: addressOf(`seller ${(number * 7) % PARTIES}`),
    });
  });
  await chain.mine(some.flatMap((a) => life(a, chain.contracts.escrow)));
}
console.log(`mined ${lives * EVENTS_PER_LIFE} events in ${seconds(mining).toFixed(1)} s`);

const starting = performance.now();
const index = await IndexUnderTest.start(chain.evm.rpcUrl, chain.contracts, 1);
console.log(`graph-node up in ${seconds(starting).toFixed(1)} s`);
const indexing = performance.now();
const usedBefore = processorSeconds(index.graph.pid);
await untilIndexed((await chain.readHead()).number);
await index.catchUp();
const took = seconds(indexing);
const used = processorSeconds(index.graph.pid) - usedBefore;
const rate = (time: number): number => Math.round((lives * EVENTS_PER_LIFE) / time);
console.log(
  `indexed in ${took.toFixed(1)} s: ${rate(took)} events/s; ${rate(used)} events per second of processor time`,
);
console.log(`graph-node's memory: ${residentMegabytes(index.graph.pid)} MB`);

const latencies: number[] = [];
for (let block = 0; block < LATENCY_BLOCKS; block++) {
  await chain.mine([[funded(agreement(`latency ${block}`))]]);
  const since = performance.now();
  await index.catchUp();
  latencies.push(performance.now() - since);
}
latencies.sort((a, b) => a - b);
const percentile = (share: number): number =>
  Math.round(latencies[Math.floor(share * latencies.length)] ?? 0);
console.log(`block to queryable: p50 ${percentile(0.5)} ms, p95 ${percentile(0.95)} ms`);

const checking = performance.now();
await index.expectToMatchTheChain();
console.log(`everything matches a recount (${seconds(checking).toFixed(1)} s)`);
await index.stop();
await chain.stop();
