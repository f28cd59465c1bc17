import type { Ending } from "../../../protocol/src/index.ts";
import { Random } from "./random.ts";

const HOUR = 3_600;

/** The blocks of all lives; a life takes at most `LIFE_BLOCKS` of them. */
const BLOCKS = 110;
const LIFE_BLOCKS = 20;

/** The first block's time, fixed so that a seed decides every figure. */
const START = 2_000_000_000;

/** How far a life gets before it ends. */
type Reach = "FUNDED" | "ACCEPTED" | "SUBMITTED";

/** Who rules: the quorum by a certificate, or a person whom the terms name. */
export type Adjudicator = "quorum" | "person";

interface Way {
  /** Null for a life that is still going on when the chain ends. */
  end: Ending | null;
  reach: Reach;
  adjudicator?: Adjudicator;
  /** How often the way is taken, in relation to the others. */
  weight: number;
}

/** Every way through the escrow's states. */
export const WAYS: readonly Way[] = [
  { end: "passed", reach: "SUBMITTED", weight: 12 },
  { end: "failed", reach: "SUBMITTED", weight: 4 },
  { end: "undetermined", reach: "SUBMITTED", weight: 2 },
  { end: "withheld", reach: "SUBMITTED", weight: 2 },
  { end: "passed", reach: "SUBMITTED", adjudicator: "person", weight: 1 },
  { end: "failed", reach: "SUBMITTED", adjudicator: "person", weight: 1 },
  { end: "undetermined", reach: "SUBMITTED", adjudicator: "person", weight: 1 },
  { end: "noShows", reach: "ACCEPTED", weight: 2 },
  { end: "lapsed", reach: "FUNDED", weight: 2 },
  { end: "unjudged", reach: "SUBMITTED", weight: 2 },
  { end: "cancelled", reach: "FUNDED", weight: 2 },
  { end: "declined", reach: "FUNDED", weight: 1 },
  { end: "concededBySeller", reach: "ACCEPTED", weight: 1 },
  { end: "concededBySeller", reach: "SUBMITTED", weight: 1 },
  { end: "concededByBuyer", reach: "FUNDED", weight: 1 },
  { end: "concededByBuyer", reach: "ACCEPTED", weight: 1 },
  { end: "concededByBuyer", reach: "SUBMITTED", weight: 1 },
  { end: "settled", reach: "FUNDED", weight: 1 },
  { end: "settled", reach: "ACCEPTED", weight: 1 },
  { end: "settled", reach: "SUBMITTED", weight: 1 },
  { end: null, reach: "FUNDED", weight: 1 },
  { end: null, reach: "ACCEPTED", weight: 2 },
  { end: null, reach: "SUBMITTED", weight: 1 },
];

/** One life before it is lived. Blocks are places in `Plan.times`, parties are numbers. */
export interface Life {
  salt: bigint;
  way: Way;
  buyer: number;
  seller: number;
  reward: bigint;
  noVerdictSellerBps: number;
  /** The seller's share if it is settled. */
  settledAmount: bigint;
  deliverBy: number;
  adjudicateBy: number;
  fundBlock: number;
  /** In the funding itself, by the seller's signature. */
  acceptsInFunding: boolean;
  /** Null when accepting happens in the funding, by submitting, or not at all. */
  acceptBlock: number | null;
  submitBlock: number | null;
  endBlock: number | null;
}

export interface Plan {
  /** When each block is mined (Unix time). */
  times: number[];
  lives: Life[];
}

/** Who buys and who sells; two do both. */
export const BUYERS = [0, 1, 2, 3, 4];
export const SELLERS = [3, 4, 5, 6, 7, 8];

/** Draws lives at random. */
export function planLives(seed: number, count: number): Plan {
  const random = new Random(seed);
  const times = [START];
  while (times.length < BLOCKS) times.push(times.at(-1)! + random.int(2 * HOUR, 120 * HOUR));
  const ways = WAYS.flatMap((way) => Array.from({ length: way.weight }, () => way));
  // The first ones take each way once, so that no seed leaves any out.
  const lives = Array.from({ length: count }, (_, index) =>
    planLife(random, times, WAYS[index] ?? random.pick(ways), BigInt(index)),
  );
  return { times, lives };
}

function planLife(random: Random, times: number[], way: Way, salt: bigint): Life {
  const buyer = random.pick(BUYERS);
  const seller = random.pick(SELLERS.filter((party) => party !== buyer));
  const reward = BigInt(random.int(1, 9)) * 10n ** BigInt(random.int(0, 9)) + BigInt(random.int(0, 1));
  const submits = way.reach === "SUBMITTED";

  const fundBlock = random.int(0, BLOCKS - LIFE_BLOCKS);
  let block = fundBlock;
  const consent =
    way.reach === "FUNDED" ? "none" : random.pick(["funding", "accept", submits ? "submit" : "accept"]);
  const acceptBlock = consent === "accept" ? (block += random.int(1, 3)) : null;
  const submitBlock = submits ? (block += random.int(1, 3)) : null;
  // Each deadline is a block's second, so that steps hit their last possible second now and then.
  const deliverByBlock = submits ? block + random.int(0, 3) : block + random.int(1, 4);
  const adjudicateByBlock = deliverByBlock + random.int(1, 4);
  return {
    ...{ salt, way, buyer, seller, reward, fundBlock, acceptBlock, submitBlock },
    noVerdictSellerBps: random.int(0, 10_000),
    settledAmount: (reward * BigInt(random.int(0, 100))) / 100n,
    deliverBy: times[deliverByBlock]!,
    adjudicateBy: times[adjudicateByBlock]!,
    acceptsInFunding: consent === "funding",
    endBlock: planEnd(random, way.end, { block, deliverByBlock, adjudicateByBlock }),
  };
}

function planEnd(
  random: Random,
  end: Ending | null,
  blocks: { block: number; deliverByBlock: number; adjudicateByBlock: number },
): number | null {
  switch (end) {
    case null:
      return null;
    case "passed":
    case "failed":
    case "undetermined":
    case "withheld":
      return random.int(blocks.block + 1, blocks.adjudicateByBlock);
    case "noShows":
    case "lapsed":
      return blocks.deliverByBlock + random.int(1, 4);
    case "unjudged":
      return blocks.adjudicateByBlock + random.int(1, 3);
    default:
      return blocks.block + random.int(1, 6);
  }
}
