/** What a statement takes. Amounts are text: neither database has integers of 256 bits. */
export type Value = string | number | null | Uint8Array;

/** A row as the database gives it, by column. */
export type Row = Readonly<Record<string, unknown>>;

/** One statement, in the SQL that SQLite and PostgreSQL share, with `?` in place of each value. */
export interface Statement {
  readonly kind: "rows" | "changes";
  readonly sql: string;
  readonly values: readonly Value[];
}

export interface Result {
  readonly rows: readonly Row[];
  /** Rows that were inserted, updated or deleted. */
  readonly changes: number;
}

/**
 * SQL work, apart from how it is run: a script yields statements and gets their results back. SQLite runs a whole
 * script without a pause, PostgreSQL waits for each answer; both run the same script.
 */
export type Script<T> = Generator<Statement, T, Result>;

/** A statement that changes rows; returns how many. */
export function* run(sql: string, values: readonly Value[] = []): Script<number> {
  return (yield { kind: "changes", sql, values }).changes;
}

/** The first row, if there is one. */
export function* get(sql: string, values: readonly Value[] = []): Script<Row | undefined> {
  return (yield { kind: "rows", sql, values }).rows[0];
}

/** Every row. */
export function* all(sql: string, values: readonly Value[] = []): Script<readonly Row[]> {
  return (yield { kind: "rows", sql, values }).rows;
}
