import type { Store } from "./store.ts";

/**
 * The same store for those who may wait: so many of their calls at a time, the others in line before the database rather
 * than in it. Whatever leads to money uses the store itself, and so never stands behind more than these.
 *
 * @param atOnce calls under way at the same time.
 */
export function politeStore(store: Store, atOnce: number): Store {
  const line: (() => void)[] = [];
  let underWay = 0;

  async function inTurn(call: () => unknown): Promise<unknown> {
    if (underWay >= atOnce) await new Promise<void>((resolve) => line.push(resolve));
    else underWay++;
    try {
      return await call();
    } finally {
      // Whoever comes next takes over the place, so that nobody slips in between.
      const next = line.shift();
      if (next === undefined) underWay--;
      else next();
    }
  }

  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function"
        ? (...values: unknown[]) => inTurn(() => Reflect.apply(member, target, values) as unknown)
        : member;
    },
  });
}
