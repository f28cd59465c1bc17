#!/usr/bin/env node
import { join } from "node:path";
import { isHash } from "@assay/protocol";
import { transition } from "../core/index.ts";
import { errorText } from "../observe/index.ts";
import { HALT_KEY, openSqliteStore, type Store } from "../store/index.ts";

const USAGE = `usage: maintain.ts <command>, with the operator stopped and its ASSAY_DATA_DIR set

  requeue <agreement id>   take up a quarantined or conflicting submission again
  halt <reason>            sign nothing from the next start on
  resume --ack             sign again after a halt that a person has looked into`;

/** A command was given wrongly, or there is nothing to do. */
class UsageError extends Error {
  override name = "UsageError";
}

async function requeue(store: Store, agreementId: string): Promise<string> {
  if (!isHash(agreementId)) throw new UsageError("give the 32-byte agreement id");
  const parked = (await store.submissionsOf(agreementId)).filter(({ state }) =>
    ["QUARANTINED", "CONFLICT"].includes(state.name),
  );
  if (parked.length === 0) throw new UsageError(`nothing is parked for agreement ${agreementId}`);
  const at = Date.now();
  await store.commit({
    at,
    submissions: parked.map((before) => ({
      before,
      after: transition(before.state, { type: "Requeued" }).state,
      events: ["Requeued" as const],
      nextAt: at,
    })),
  });
  return `requeued ${parked.length} submission${parked.length === 1 ? "" : "s"}`;
}

async function run(store: Store, [command, argument]: readonly string[]): Promise<string> {
  if (command === "requeue") return requeue(store, argument?.toLowerCase() ?? "");
  if (command === "halt" && argument !== undefined) {
    await store.setMeta(HALT_KEY, argument);
    return "signing is halted";
  }
  if (command === "resume") {
    const reason = await store.meta(HALT_KEY);
    if (reason === null) return "signing is not halted";
    if (argument !== "--ack")
      throw new UsageError(`halted: ${reason}; repeat with --ack when you have looked into it`);
    await store.setMeta(HALT_KEY, null);
    return `signing is resumed; it was halted: ${reason}`;
  }
  throw new UsageError(USAGE);
}

try {
  const store = openSqliteStore(join(process.env["ASSAY_DATA_DIR"] ?? ".assay/operator", "operator.sqlite"));
  try {
    process.stdout.write(`${await run(store, process.argv.slice(2))}\n`);
  } finally {
    await store.close();
  }
} catch (error) {
  process.stderr.write(`${errorText(error).replace(/^\w+Error: /, "")}\n`);
  process.exitCode = 1;
}
