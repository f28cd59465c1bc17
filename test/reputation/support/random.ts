/** Numbers that look random and are the same for the same seed. */
export class Random {
  #state: bigint;

  constructor(seed: number) {
    this.#state = BigInt(seed) + 1n;
  }

  /** An integer of at least `low` and at most `high`. */
  int(low: number, high: number): number {
    return low + Number(this.#next() % BigInt(high - low + 1));
  }

  pick<T>(values: readonly T[]): T {
    return values[this.int(0, values.length - 1)]!;
  }

  /** SplitMix64: 64 bits, of which the remainder by something small is even enough. */
  #next(): bigint {
    this.#state = BigInt.asUintN(64, this.#state + 0x9e3779b97f4a7c15n);
    let mixed = this.#state;
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n);
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
    return mixed ^ (mixed >> 31n);
  }
}
