export * from "./store.ts";
export * from "./rows.ts";
export * from "./errors.ts";
export { openSqliteStore } from "./sqlite/open.ts";
export { openPostgresStore } from "./postgres/open.ts";
export { politeStore } from "./polite.ts";
export { DATABASE_FILE, openStore } from "./open.ts";
