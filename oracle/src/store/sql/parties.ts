import type { Address } from "@assay/protocol";
import type { AgreementQuery, AgreementRow, DatedLog, Page, PartyLife } from "../rows.ts";
import { toAgreement, toDatedLog } from "./chain.ts";
import { integer, text } from "./columns.ts";
import { all, type Row, type Script } from "./script.ts";

type Role = "buyer" | "seller";

/** Newest first. Each role has an index of its own, so that a page costs no more for a party with many agreements. */
export function* readAgreements(query: AgreementQuery): Script<Page<AgreementRow>> {
  const rows = query.party === undefined ? yield* readAll(query) : yield* readOf(query.party, query);
  const items = rows.slice(0, query.limit);
  const last = items.at(-1);
  return {
    items: items.map(toAgreement),
    cursor: rows.length > query.limit && last !== undefined ? String(integer(last, "rowid")) : null,
  };
}

function before({ cursor }: AgreementQuery): number {
  return cursor === null ? Number.MAX_SAFE_INTEGER : Number(cursor);
}

/** Condition on where an agreement's money is. */
function held({ venue }: AgreementQuery): string {
  return venue === "jobs" ? "job IS NOT NULL" : "job IS NULL";
}

function* readAll(query: AgreementQuery): Script<readonly Row[]> {
  return yield* all(
    `SELECT rowid, * FROM agreements WHERE rowid < ? AND ${held(query)} ORDER BY rowid DESC LIMIT ?`,
    [before(query), query.limit + 1],
  );
}

function* readOf(party: Address, query: AgreementQuery): Script<readonly Row[]> {
  const found: Row[] = [];
  for (const role of rolesOf(query.role))
    found.push(
      ...(yield* all(
        `SELECT rowid, * FROM agreements WHERE ${role} = ? AND rowid < ? AND ${held(query)}
         ORDER BY rowid DESC LIMIT ?`,
        [party, before(query), query.limit + 1],
      )),
    );
  return found
    .sort((one, other) => integer(other, "rowid") - integer(one, "rowid"))
    .slice(0, query.limit + 1);
}

function rolesOf(role: Role | undefined): readonly Role[] {
  return role === undefined ? ["buyer", "seller"] : [role];
}

/** The accounts after the cursor, from both roles' indexes. Those of jobs alone have no history to show here. */
export function* readParties(page: {
  readonly limit: number;
  readonly cursor: string | null;
}): Script<Page<Address>> {
  const found = new Set<string>();
  for (const role of rolesOf(undefined)) {
    const rows = yield* all(
      `SELECT DISTINCT ${role} AS party FROM agreements WHERE ${role} > ? AND job IS NULL ORDER BY ${role} LIMIT ?`,
      [page.cursor ?? "", page.limit + 1],
    );
    for (const row of rows) found.add(text(row, "party"));
  }
  const sorted = [...found].sort() as Address[];
  const items = sorted.slice(0, page.limit);
  return { items, cursor: sorted.length > page.limit ? (items.at(-1) ?? null) : null };
}

/** Everything that the escrow logged about a party's agreements, agreement by agreement, in chain order. */
export function* readLives(party: Address): Script<readonly PartyLife[]> {
  const lives = new Map<string, { readonly agreement: AgreementRow; readonly logs: DatedLog[] }>();
  for (const role of rolesOf(undefined)) {
    const agreements = yield* all(`SELECT * FROM agreements WHERE ${role} = ? AND job IS NULL`, [party]);
    for (const row of agreements) {
      const agreement = toAgreement(row);
      lives.set(agreement.agreementId, { agreement, logs: [] });
    }
    const logs = yield* all(
      `SELECT logs.*, blocks.timestamp, blocks.seen_at FROM agreements
       JOIN logs ON logs.agreement_id = agreements.agreement_id
       JOIN blocks ON blocks.chain = logs.chain AND blocks.number = logs.block_number AND blocks.hash = logs.block_hash
       WHERE agreements.${role} = ? AND agreements.job IS NULL ORDER BY logs.block_number, logs.log_index`,
      [party],
    );
    for (const row of logs) lives.get(text(row, "agreement_id"))?.logs.push(toDatedLog(row));
  }
  return [...lives.values()];
}
