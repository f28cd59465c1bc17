import { categoriesOf, type AgreementFact, type Categories, type Hex } from "@assay/protocol";
import { Recent } from "../run/recent.ts";
import type { Store } from "../store/index.ts";

/** Categories kept at hand. A document's name is its content, so none of them can be out of date. */
const MOST_KEPT = 50_000;
/** Documents that one question makes this operator read; the next one goes on where it ended. */
const MOST_READ = 1_000;
/** Documents read at the same time. */
const AT_ONCE = 16;

/** What agreements' documents say that they are about. */
export interface CategoryReader {
  /** The categories of these agreements, as far as their documents are here and were read. */
  of(facts: readonly AgreementFact[]): Promise<Categories>;
}

export function createCategoryReader(store: Pick<Store, "document">): CategoryReader {
  const kept = new Recent<{ readonly category: string | null }>(MOST_KEPT);

  async function read(hash: Hex): Promise<void> {
    const found = await store.document(hash);
    if (found === null) return;
    kept.keep(hash, { category: categoriesOf([found.bytes]).get(hash) ?? null });
  }

  return {
    async of(facts) {
      const hashes = [...new Set(facts.map(({ agreementHash }) => agreementHash))];
      const unread = hashes.filter((hash) => kept.get(hash) === null).slice(0, MOST_READ);
      for (let next = 0; next < unread.length; next += AT_ONCE)
        await Promise.all(unread.slice(next, next + AT_ONCE).map(read));
      return new Map(
        hashes.flatMap((hash) => {
          const known = kept.get(hash);
          return known === null ? [] : [[hash, known.category] as const];
        }),
      );
    },
  };
}
