import { isSameAddress, type Address } from "@assay/protocol";
import type { Cursor, Store } from "../store/index.ts";
import { partyRecord, type PartyRecord } from "./reputation.ts";

/** Most parties whose records are kept at hand. */
const MOST_PARTIES = 512;
/** Final blocks that are looked through for news about a party, rather than reading everything again. */
const MOST_BLOCKS = 1_000;
/** Milliseconds after which a record is read again, come what may: a rescan may have found what had been left out. */
const MAX_AGE = 600_000;

interface Kept {
  readonly record: PartyRecord;
  /** Final block that the record speaks for. */
  finalBlock: number;
  readonly readAt: number;
}

/** Parties' records at the newest final block. A record is read again only when something happened to the party. */
export interface PartyRecords {
  at(party: Address, cursor: Cursor): Promise<PartyRecord>;
}

export function createPartyRecords(store: Store, now: () => number): PartyRecords {
  const kept = new Map<Address, Kept>();

  /** Whether any final block after the record's own holds a log of one of the party's agreements. */
  async function hasNews(party: Address, { finalBlock, readAt }: Kept, final: number): Promise<boolean> {
    if (now() - readAt > MAX_AGE || final < finalBlock || final - finalBlock > MOST_BLOCKS) return true;
    if (final === finalBlock) return false;
    const ids = new Set(
      (await store.logsBetween(finalBlock + 1, final)).map(({ agreementId }) => agreementId),
    );
    for (const id of ids) {
      const terms = (await store.agreement(id))?.terms;
      if (terms === undefined) continue;
      if (isSameAddress(terms.buyer, party) || isSameAddress(terms.seller, party)) return true;
    }
    return false;
  }

  return {
    async at(party, cursor) {
      const finalBlock = cursor.final.number;
      const entry = kept.get(party);
      // Taken out and put back: the map's order is then that of use.
      kept.delete(party);
      if (entry !== undefined && !(await hasNews(party, entry, finalBlock))) {
        entry.finalBlock = finalBlock;
        kept.set(party, entry);
        return entry.record;
      }
      const record = await partyRecord(store, party, finalBlock);
      kept.set(party, { record, finalBlock, readAt: now() });
      for (const oldest of kept.keys()) {
        if (kept.size <= MOST_PARTIES) break;
        kept.delete(oldest);
      }
      return record;
    },
  };
}
