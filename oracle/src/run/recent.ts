/** The values that were used last, each under its name; the least lately used is forgotten first. */
export class Recent<T> {
  readonly #kept = new Map<string, T>();
  readonly #most: number;

  /** @param most how many are kept. */
  constructor(most: number) {
    this.#most = most;
  }

  get(name: string): T | null {
    const found = this.#kept.get(name);
    if (found === undefined) return null;
    this.keep(name, found);
    return found;
  }

  keep(name: string, value: T): void {
    this.#kept.delete(name);
    this.#kept.set(name, value);
    const oldest = this.#kept.size > this.#most ? this.#kept.keys().next().value : undefined;
    if (oldest !== undefined) this.#kept.delete(oldest);
  }
}

/** What follows from content alone, kept for each service apart: it can't be out of date. */
export function recentOf<T>(most: number): (owner: object) => Recent<T> {
  const all = new WeakMap<object, Recent<T>>();
  return (owner) => {
    const known = all.get(owner) ?? new Recent<T>(most);
    all.set(owner, known);
    return known;
  };
}
