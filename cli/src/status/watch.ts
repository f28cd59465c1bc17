import { setTimeout as sleep } from "node:timers/promises";
import { timeInWords, type Hex, printable } from "@assay/protocol";
import { PendingError, UnavailableError } from "../errors.ts";
import { toJson } from "../output/json.ts";
import type { Session } from "../session.ts";
import { takeSnapshot, type Snapshot } from "./snapshot.ts";
import { eventInWords } from "./status-lines.ts";

/** How often chain and operators are asked. */
const POLL_MILLISECONDS = 2_000;

/**
 * Follows an agreement to its end in a final block, telling every event and stage once: a line each, or with `json` the
 * whole snapshot whenever something changed. An endpoint that is away for a while is waited for.
 *
 * @throws UnavailableError when the agreement can't be read at all; PendingError after `timeoutSeconds`.
 */
export async function watch(
  session: Session,
  agreementId: Hex,
  { json, timeoutSeconds }: { readonly json: boolean; readonly timeoutSeconds: number | null },
): Promise<Snapshot> {
  const { io } = session;
  const started = performance.now();
  const told = new Set<string>();
  let isAway = false;
  let snapshot: Snapshot | null = await takeSnapshot(session, agreementId);
  for (;;) {
    if (snapshot !== null) {
      const news = newsIn(snapshot, session).filter((line) => !told.has(line));
      for (const line of news) told.add(line);
      if (json && news.length > 0) io.out(toJson(snapshot));
      if (!json) for (const line of news) io.out(`${line}\n`);
      if (snapshot.over) return snapshot;
    }
    if (timeoutSeconds !== null && performance.now() - started > timeoutSeconds * 1_000)
      throw new PendingError(
        null,
        `agreement ${agreementId} has not ended yet`,
        "Watch again with more time; nothing is lost.",
      );
    await sleep(POLL_MILLISECONDS);
    try {
      snapshot = await takeSnapshot(session, agreementId);
      isAway = false;
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      if (!isAway) io.diagnose(`${error.message}; trying again`);
      isAway = true;
      snapshot = null;
    }
  }
}

/** Everything that has happened so far, in the order of its time; what has none comes last. */
function newsIn({ events, operators }: Snapshot, { wording }: Session): string[] {
  const isMany = operators.length > 1;
  const dated: { readonly at: number; readonly line: string }[] = events.map((event) => ({
    at: event.timestamp,
    line: `${eventInWords(event, wording)}  ${event.transactionHash}`,
  }));
  const undated: string[] = [];
  for (const { origin, stages, outcome, problem } of operators) {
    const who = isMany ? ` (${origin})` : "";
    for (const { stage, at } of stages)
      // The chain tells of these two itself.
      if (at !== null && stage !== "included" && stage !== "settled")
        dated.push({ at: Math.floor(Date.parse(at) / 1_000), line: `${printable(stage)}${who}` });
    if (outcome !== null) undated.push(`verdict: ${printable(outcome)}${who}`);
    if (problem !== null) undated.push(`${printable(problem)}${who}`);
  }
  const lines = dated
    .sort((one, other) => one.at - other.at)
    .map(({ at, line }) => `${timeInWords(at)}  ${line}`);
  return [...lines, ...undated];
}
