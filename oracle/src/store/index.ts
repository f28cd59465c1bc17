export * from "./store.ts";
export * from "./rows.ts";
export * from "./errors.ts";
export { openSqliteStore } from "./sqlite/open.ts";
