import { permute } from "./keccak-permutation.ts";

/** Bytes that one permutation absorbs, and lanes. */
const RATE = 136;
const RATE_LANES = RATE / 8;

const state = new Int32Array(50);
const block = new Uint8Array(RATE);
const view = new DataView(block.buffer);

/**
 * Keccak-256 of the first `length` bytes of `input`, written to `output`: what `keccak256` of the primitives computes,
 * several times as fast and without an allocation.
 */
export function keccak256Into(input: Uint8Array, length: number, output: DataView): void {
  state.fill(0);
  let from = 0;
  for (; length - from >= RATE; from += RATE) {
    fillBlock(input, from, RATE);
    absorb();
  }
  const rest = length - from;
  fillBlock(input, from, rest);
  block.fill(0, rest);
  block[rest] = 0x01;
  block[RATE - 1] = (block[RATE - 1] ?? 0) | 0x80;
  absorb();
  for (let lane = 0; lane < 4; lane += 1) squeeze(lane, output);
}

function fillBlock(input: Uint8Array, from: number, count: number): void {
  for (let index = 0; index < count; index += 1) block[index] = input[from + index] ?? 0;
}

function absorb(): void {
  for (let lane = 0; lane < RATE_LANES; lane += 1) {
    const low = view.getInt32(8 * lane, true);
    const high = view.getInt32(8 * lane + 4, true);
    const even = 2 * lane;
    state[even] = (state[even] ?? 0) ^ (gathered(low) | (gathered(high) << 16));
    state[even + 1] = (state[even + 1] ?? 0) ^ (gathered(low >>> 1) | (gathered(high >>> 1) << 16));
  }
  permute(state);
}

function squeeze(lane: number, output: DataView): void {
  const even = state[2 * lane] ?? 0;
  const odd = state[2 * lane + 1] ?? 0;
  output.setInt32(8 * lane, scattered(even) | (scattered(odd) << 1), true);
  output.setInt32(8 * lane + 4, scattered(even >>> 16) | (scattered(odd >>> 16) << 1), true);
}

/** The sixteen even bits of a word, side by side. */
function gathered(word: number): number {
  let bits = word & 0x55555555;
  bits = (bits | (bits >>> 1)) & 0x33333333;
  bits = (bits | (bits >>> 2)) & 0x0f0f0f0f;
  bits = (bits | (bits >>> 4)) & 0x00ff00ff;
  return (bits | (bits >>> 8)) & 0x0000ffff;
}

/** The sixteen low bits of a word as the even bits of another. */
function scattered(word: number): number {
  let bits = word & 0x0000ffff;
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}
