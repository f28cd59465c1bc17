/** Runs pieces of work under one name one after another, in the order in which they came. */
export interface Mutexes {
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export function createMutexes(): Mutexes {
  const last = new Map<string, Promise<unknown>>();
  return {
    run(name, work) {
      const result = (last.get(name) ?? Promise.resolve()).then(work, work);
      last.set(
        name,
        result.catch(() => undefined),
      );
      return result;
    },
  };
}
