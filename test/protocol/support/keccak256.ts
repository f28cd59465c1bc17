/**
 * Keccak-256 written out from FIPS 202 (with Keccak's own padding), so that vectors are checked by code that
 * shares nothing with the library under test.
 */
const MASK = (1n << 64n) - 1n;
const RATE = 136;

export function keccak256(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((message.length + 1) / RATE) * RATE);
  padded.set(message);
  padded[message.length]! |= 0x01;
  padded[padded.length - 1]! |= 0x80;
  let state = Array.from({ length: 25 }, () => 0n);
  for (let block = 0; block < padded.length; block += RATE) {
    for (let lane = 0; lane < RATE / 8; lane += 1) {
      state[lane]! ^= readLane(padded, block + 8 * lane);
    }
    state = permute(state);
  }
  const digest = new Uint8Array(32);
  new DataView(digest.buffer).setBigUint64(0, state[0]!, true);
  new DataView(digest.buffer).setBigUint64(8, state[1]!, true);
  new DataView(digest.buffer).setBigUint64(16, state[2]!, true);
  new DataView(digest.buffer).setBigUint64(24, state[3]!, true);
  return digest;
}

function readLane(bytes: Uint8Array, offset: number): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(offset, true);
}

function permute(input: bigint[]): bigint[] {
  let a = input;
  let lfsr = 1;
  for (let round = 0; round < 24; round += 1) {
    a = chi(rhoAndPi(theta(a)));
    for (let j = 0; j <= 6; j += 1) {
      if ((lfsr & 1) === 1) a[0]! ^= 1n << BigInt(2 ** j - 1);
      lfsr = (lfsr << 1) ^ (lfsr >> 7 === 1 ? 0x171 : 0);
    }
  }
  return a;
}

function theta(a: bigint[]): bigint[] {
  const parity = [0, 1, 2, 3, 4].map((x) => a[x]! ^ a[x + 5]! ^ a[x + 10]! ^ a[x + 15]! ^ a[x + 20]!);
  return a.map((lane, index) => lane ^ parity[(index + 4) % 5]! ^ rotate(parity[(index + 1) % 5]!, 1));
}

function rhoAndPi(a: bigint[]): bigint[] {
  const result = [...a];
  let x = 1;
  let y = 0;
  for (let t = 0; t < 24; t += 1) {
    const lane = rotate(a[x + 5 * y]!, (((t + 1) * (t + 2)) / 2) % 64);
    [x, y] = [y, (2 * x + 3 * y) % 5];
    result[x + 5 * y] = lane;
  }
  return result;
}

function chi(a: bigint[]): bigint[] {
  return a.map((lane, index) => {
    const row = index - (index % 5);
    return lane ^ (~a[row + ((index + 1) % 5)]! & MASK & a[row + ((index + 2) % 5)]!);
  });
}

function rotate(lane: bigint, by: number): bigint {
  return ((lane << BigInt(by)) | (lane >> BigInt(64 - by))) & MASK;
}
