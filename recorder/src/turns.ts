/** Lets one walk of a mission at a time through, in the order of their coming. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs `action` when everything before it under the same name has ended. */
  async take<T>(name: string, action: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    let end: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => (end = resolve));
    const mine = before.then(() => turn);
    this.#last.set(name, mine);
    await before;
    try {
      return await action();
    } finally {
      end();
      if (this.#last.get(name) === mine) this.#last.delete(name);
    }
  }
}
