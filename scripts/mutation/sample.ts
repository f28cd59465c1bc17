/** So many of the items, spread evenly over all of them. */
export function spread<T>(items: readonly T[], count: number): T[] {
  const step = Math.max(1, items.length / count);
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/** So many of the items, drawn by a seed: the same on every machine, in the order of the items. */
export function drawn<T>(items: readonly T[], count: number, seed: number): T[] {
  const next = generator(seed);
  const places = items.map((_, index) => ({ index, rank: next() }));
  const chosen = places.sort((one, other) => one.rank - other.rank).slice(0, count);
  return chosen.sort((one, other) => one.index - other.index).map(({ index }) => items[index] as T);
}

/** Mulberry32: numbers from 0 to 1, enough to shuffle by. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
