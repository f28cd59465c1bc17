import {
  accepted,
  addressOf,
  agreement,
  cancelled,
  certified,
  conceded,
  concluded,
  credited,
  expired,
  funded,
  refunded,
  released,
  settled,
  submitted,
  withdrawn,
  type TestAgreement,
} from "./agreements.ts";
import type { Log } from "./logs.ts";

/** A small generator (mulberry32) so that one seed decides everything. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

interface Life {
  agreement: TestAgreement;
  /** The transactions that are still to come. */
  left: Log[][];
}

/**
 * Random lives of agreements among few parties, interleaved, as blocks of transactions of logs. Every path and every
 * end that the escrow knows occurs; some lives are left unfinished, some payouts refused, some credits withdrawn.
 */
export function randomLives(seed: number, count: number, escrow: string): Log[][][] {
  const random = randomFrom(seed);
  const parties = Array.from({ length: 8 }, (_, number) => addressOf(`party ${number} of ${seed}`));
  const credits = new Map<string, bigint>();
  const waiting = Array.from({ length: count }, (_, number) => drawLife(`${seed}-${number}`));
  const running: Life[] = [];
  const blocks: Log[][][] = [];
  while (waiting.length > 0 || running.length > 0) {
    const block: Log[][] = [];
    for (let transactions = random(12); transactions > 0; transactions--) {
      if (running.length < 20 && waiting.length > 0) running.push(waiting.pop()!);
      const position = random(running.length || 1);
      const next = running[position]?.left.shift();
      if (next === undefined) running.splice(position, 1);
      else block.push(next, ...withdrawals(next));
    }
    blocks.push(block);
  }
  return blocks;

  function drawLife(label: string): Life {
    const buyer = parties[random(parties.length)]!;
    const others = parties.filter((party) => party !== buyer);
    const reward = 1n + BigInt(random(1_000_000_000));
    const a = agreement(label, { buyer, seller: others[random(others.length)]!, reward });
    const start = random(2) === 0 ? [[funded(a)]] : [[funded(a), accepted(a)]];
    const isAccepted = start[0]!.length === 2 || random(2) === 0;
    if (start[0]!.length === 1 && isAccepted) start.push([accepted(a)]);
    const isSubmitted = random(4) > 0;
    if (isSubmitted) start.push([submitted(a)]);
    const end = drawEnd(a, isAccepted, isSubmitted);
    return { agreement: a, left: end === undefined ? start : [...start, end] };
  }

  function drawEnd(a: TestAgreement, isAccepted: boolean, isSubmitted: boolean): Log[] | undefined {
    const share = BigInt(random(Number(a.reward) + 1));
    const ends: (() => Log[])[] = [
      () => [conceded(a, a.buyer), ...refusals(a, a.reward)],
      () => [conceded(a, a.seller), ...refusals(a, 0n)],
      () => [settled(a, share), ...refusals(a, share)],
      () => [expired(a, isSubmitted ? share : 0n), ...refusals(a, isSubmitted ? share : 0n)],
    ];
    if (isSubmitted) {
      ends.push(
        () => [certified(a, 1, escrow), released(a), ...refusals(a, a.reward)],
        () => [certified(a, 2, escrow), refunded(a), ...refusals(a, 0n)],
        () => [certified(a, 3, escrow), concluded(a, share), ...refusals(a, share)],
        () => [certified(a, 4, escrow), refunded(a), ...refusals(a, 0n)],
        () => [refunded(a), ...refusals(a, 0n)],
      );
    } else if (!isAccepted) {
      ends.push(() => [cancelled(a), ...refusals(a, 0n)]);
    }
    // One more number than there are ends: then it has none.
    return ends[random(ends.length + 1)]?.();
  }

  /** Now and then the token refuses a payout. */
  function refusals(a: TestAgreement, sellerAmount: bigint): Log[] {
    const payouts: [string, bigint][] = [
      [a.seller, sellerAmount],
      [a.buyer, a.reward - sellerAmount],
    ];
    return payouts
      .filter(([, amount]) => amount > 0n && random(8) === 0)
      .map(([payee, amount]) => credited(a, payee, amount));
  }

  /** Now and then a creditor fetches all of its credit. */
  function withdrawals(logs: Log[]): Log[][] {
    for (const { name, args } of logs) {
      if (name !== "Credited") continue;
      const creditor = String(args["creditor"]);
      credits.set(creditor, (credits.get(creditor) ?? 0n) + (args["amount"] as bigint));
    }
    const [creditor] = [...credits.keys()];
    if (creditor === undefined || random(6) > 0) return [];
    const amount = credits.get(creditor)!;
    credits.delete(creditor);
    return [[withdrawn(creditor, addressOf("safe"), amount)]];
  }
}
