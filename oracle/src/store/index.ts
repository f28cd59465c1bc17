export * from "./store.ts";
export * from "./errors.ts";
export { openSqliteStore } from "./sqlite.ts";
