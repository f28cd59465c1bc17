import { HaltedError } from "../errors.ts";
import { HALT_KEY } from "../rows.ts";
import { text } from "./columns.ts";
import { get, run, type Script } from "./script.ts";

export function* readMeta(key: string): Script<string | null> {
  const row = yield* get("SELECT value FROM meta WHERE key = ?", [key]);
  return row === undefined ? null : text(row, "value");
}

export function* writeMeta(key: string, value: string | null): Script<void> {
  if (value === null) yield* run("DELETE FROM meta WHERE key = ?", [key]);
  else
    yield* run(
      "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
      [key, value],
    );
}

/** @throws HaltedError while nothing may be signed. */
export function* expectNotHalted(): Script<void> {
  const reason = yield* readMeta(HALT_KEY);
  if (reason !== null) throw new HaltedError(reason);
}
