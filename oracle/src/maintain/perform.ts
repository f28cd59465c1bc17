import { existsSync } from "node:fs";
import { isHash } from "@assay/protocol";
import { PARKED_STATES, transition } from "../core/index.ts";
import { HALT_KEY, RebuildRangeError, type Store } from "../store/index.ts";
import { MaintenanceError } from "./errors.ts";

/** What a person can do to an operator's store. */
export type MaintenanceCommand =
  /** What there is: submissions by state, and whether signing is halted. */
  | { readonly name: "status" }
  /** Take up the parked submissions of an agreement again. */
  | { readonly name: "requeue"; readonly agreementId: string }
  /** Sign nothing from now on. */
  | { readonly name: "halt"; readonly reason: string }
  /** Sign again after a halt that a person has looked into. */
  | { readonly name: "resume"; readonly acknowledged: boolean }
  /** Forget what the chain can tell again from that block on; the next start reads it. */
  | { readonly name: "rebuild"; readonly fromBlock: number }
  /** Copy the database into a file. */
  | { readonly name: "backup"; readonly file: string };

/** What came of a command. */
export interface MaintenanceOutcome {
  readonly command: MaintenanceCommand["name"];
  /** One sentence for people. */
  readonly text: string;
  /** The same in members, for programs. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/**
 * Carries out a command on a store.
 *
 * @param at wall clock, milliseconds.
 * @throws MaintenanceError when the command is wrong or there is nothing to do; the store's errors.
 */
export function perform(store: Store, command: MaintenanceCommand, at: number): Promise<MaintenanceOutcome> {
  switch (command.name) {
    case "status":
      return status(store);
    case "requeue":
      return requeue(store, command.agreementId.toLowerCase(), at);
    case "halt":
      return halt(store, command.reason.trim());
    case "resume":
      return resume(store, command.acknowledged);
    case "rebuild":
      return rebuild(store, command.fromBlock);
    case "backup":
      return backup(store, command.file);
  }
}

async function status(store: Store): Promise<MaintenanceOutcome> {
  const [halted, counts, cursor] = await Promise.all([
    store.meta(HALT_KEY),
    store.countByState(),
    store.cursor(),
  ]);
  const states = Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));
  const listed = Object.entries(states).map(([name, count]) => `${count} ${name}`);
  const facts = { halted, states, readTo: cursor?.number ?? null, final: cursor?.final.number ?? null };
  const text = [
    halted === null ? "signing is not halted" : `signing is halted: ${halted}`,
    cursor === null
      ? "nothing is read yet"
      : `read to block ${cursor.number}, final to ${cursor.final.number}`,
    listed.length === 0 ? "no submissions" : `submissions: ${listed.join(", ")}`,
  ].join("; ");
  return { command: "status", text, facts };
}

async function requeue(store: Store, agreementId: string, at: number): Promise<MaintenanceOutcome> {
  if (!isHash(agreementId))
    throw new MaintenanceError(
      "bad_argument",
      "the agreement id is not 0x and 64 hexadecimal digits",
      "Give the 32-byte agreement id, as the API and the log show it.",
    );
  const parked = (await store.submissionsOf(agreementId)).filter(({ state }) =>
    PARKED_STATES.includes(state.name),
  );
  if (parked.length === 0)
    throw new MaintenanceError(
      "nothing_parked",
      `nothing is parked for agreement ${agreementId}`,
      "Only submissions in QUARANTINED or CONFLICT can be taken up again.",
    );
  await store.commit({
    at,
    submissions: parked.map((before) => ({
      before,
      after: transition(before.state, { type: "Requeued" }).state,
      events: ["Requeued" as const],
      nextAt: at,
    })),
  });
  return {
    command: "requeue",
    text: `requeued ${parked.length} submission${parked.length === 1 ? "" : "s"}`,
    facts: { agreementId, submissions: parked.map(({ state }) => state.submissionHash) },
  };
}

async function halt(store: Store, reason: string): Promise<MaintenanceOutcome> {
  if (reason === "")
    throw new MaintenanceError(
      "bad_argument",
      "a halt needs a reason",
      "Say in a few words why; whoever resumes will read it.",
    );
  await store.setMeta(HALT_KEY, reason);
  return { command: "halt", text: "signing is halted", facts: { reason } };
}

async function resume(store: Store, acknowledged: boolean): Promise<MaintenanceOutcome> {
  const reason = await store.meta(HALT_KEY);
  if (reason === null) return { command: "resume", text: "signing is not halted", facts: { reason: null } };
  if (!acknowledged)
    throw new MaintenanceError(
      "not_acknowledged",
      `signing is halted: ${reason}`,
      "Repeat with --ack when you have looked into it.",
    );
  await store.setMeta(HALT_KEY, null);
  return {
    command: "resume",
    text: `signing is resumed; it was halted: ${reason}`,
    facts: { reason },
  };
}

async function rebuild(store: Store, fromBlock: number): Promise<MaintenanceOutcome> {
  if (!Number.isSafeInteger(fromBlock) || fromBlock < 0)
    throw new MaintenanceError(
      "bad_argument",
      "--from-block is no block number",
      "Give a whole number, such as that of the block in which the escrow was deployed.",
    );
  if (!(await store.readsChain()))
    throw new MaintenanceError(
      "operator_running",
      "a worker of this operator is running on the database",
      "Stop every worker, rebuild, and start them again.",
    );
  try {
    const rebuilt = await store.rebuild(fromBlock);
    return {
      command: "rebuild",
      text:
        `forgot ${rebuilt.submissions} submissions and ${rebuilt.logs} logs from block ${fromBlock} on; ` +
        "the next start reads them from the chain",
      facts: { ...rebuilt },
    };
  } catch (error) {
    if (!(error instanceof RebuildRangeError)) throw error;
    throw new MaintenanceError("bad_range", error.message, `Use --from-block ${error.highest} or lower.`);
  }
}

async function backup(store: Store, file: string): Promise<MaintenanceOutcome> {
  if (file === "" || existsSync(file))
    throw new MaintenanceError(
      "bad_argument",
      file === "" ? "a copy needs a file" : `${file} exists already`,
      "Give the path of a file that does not exist yet.",
    );
  await store.backup(file);
  return { command: "backup", text: `copied the database to ${file}`, facts: { file } };
}
