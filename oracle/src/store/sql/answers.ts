import type { Hex } from "@assay/protocol";
import type { RememberedAnswer } from "../rows.ts";
import { integer, text } from "./columns.ts";
import { get, run, type Script } from "./script.ts";

export function* readAnswer(key: string, now: number): Script<RememberedAnswer | null> {
  const row = yield* get("SELECT * FROM answers WHERE key = ? AND expires_at > ?", [key, now]);
  return row === undefined
    ? null
    : {
        key: text(row, "key"),
        requestHash: text(row, "request_hash") as Hex,
        status: integer(row, "status"),
        body: text(row, "body"),
        expiresAt: integer(row, "expires_at"),
      };
}

/** Keeps the first answer of a key; makes room by age. */
export function* insertAnswer(answer: RememberedAnswer, now: number, most: number): Script<RememberedAnswer> {
  yield* run("DELETE FROM answers WHERE expires_at <= ?", [now]);
  yield* run(
    `INSERT INTO answers (key, request_hash, status, body, expires_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
    [answer.key, answer.requestHash, answer.status, answer.body, answer.expiresAt],
  );
  yield* run(
    `DELETE FROM answers WHERE expires_at <=
       (SELECT expires_at FROM answers ORDER BY expires_at DESC LIMIT 1 OFFSET ?)`,
    [most],
  );
  return (yield* readAnswer(answer.key, now)) ?? answer;
}
