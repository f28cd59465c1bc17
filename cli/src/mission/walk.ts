import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import {
  attestationHash,
  fold,
  printable,
  requestHash,
  responseHash,
  sha256,
  stepNonce,
  type Hex,
} from "@assay/protocol";
import { PendingError, RefusedError, UnavailableError } from "../errors.ts";
import type { PlannedCall } from "./calls.ts";
import { send, type Answered } from "./send.ts";

/** A walk that is under way. */
export interface Walk {
  /** The recorder's. */
  readonly origin: string;
  readonly apiKey: string;
  readonly missionId: string;
  readonly nonce: Hex;
  /** The chain before the first of the calls. */
  readonly chain: Hex;
}

/** What the walk met, after each step. */
export interface Walked {
  readonly call: PlannedCall;
  readonly answer: Answered;
  /** The chain after it. */
  readonly chain: Hex;
}

const stampSchema = z.object({ step_index: z.int(), chain_hash: z.string(), mission_status: z.string() });
const ATTEMPTS = 4;
const PAUSE_MILLISECONDS = 500;
const MOST_PATIENCE_SECONDS = 60;

/**
 * Makes the calls, one after the other, and holds every stamp against what was sent and received here: a recorder that
 * writes down another call than the one that was made is found out at once.
 *
 * A call that gets no answer is made again; the recorder answers a repetition of a recorded call without asking its
 * upstream. After an interruption the mission's own position says where to go on.
 *
 * @throws RefusedError when a step is not recorded or its stamp is not of this call; PendingError when the recorder stops
 * answering.
 */
export async function walk(
  { origin, apiKey, missionId, nonce, chain: start }: Walk,
  calls: readonly PlannedCall[],
  onStep: (walked: Walked) => Promise<void>,
): Promise<void> {
  let chain = start;
  for (const call of calls) {
    const { step, target, headers, body } = call;
    const outgoing = {
      method: step.method,
      target,
      headers: {
        ...headers,
        "x-api-key": apiKey,
        "x-a2a-mission": missionId,
        "x-a2a-mission-step": `${step.index}`,
      },
      body,
    };
    const answer = await patiently(step.index, () => send(origin, outgoing));
    const stamp = stampOf(answer);
    if (stamp === undefined) throw unstamped(step.index, target, answer);
    const record = {
      requestHash: requestHash(step.method, target, sha256(body)),
      responseHash: responseHash(answer.status, sha256(answer.body)),
    };
    chain = fold(chain, attestationHash(step, record, stepNonce(nonce, step.index)));
    if (stamp.step_index !== step.index || stamp.chain_hash !== chain)
      throw new RefusedError(
        "stamp_differs",
        `the recorder's stamp of step ${step.index} is ${printable(stamp.chain_hash)}, but what was sent and received here gives ${chain}`,
        "The recorder wrote down another call than this one, or something between changed it. Its proof shows which.",
      );
    await onStep({ call, answer, chain });
  }
}

/** Tries again when nobody answers, the gateway gives up, or there were too many requests. */
async function patiently(index: number, attempt: () => Promise<Answered>): Promise<Answered> {
  for (let made = 1; ; made += 1) {
    try {
      const answer = await attempt();
      const isTemporary = [429, 502, 503, 504].includes(answer.status) && stampOf(answer) === undefined;
      if (!isTemporary || made === ATTEMPTS) return answer;
      const seconds = Number(answer.headers["retry-after"] ?? 0);
      await wait(Math.min(seconds, MOST_PATIENCE_SECONDS) * 1000 + PAUSE_MILLISECONDS * made);
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      if (made === ATTEMPTS)
        throw new PendingError(
          null,
          `step ${index}: ${error.message}`,
          "Run the same command again: it goes on.",
          {
            cause: error,
          },
        );
      await wait(PAUSE_MILLISECONDS * made);
    }
  }
}

function stampOf({ headers }: Answered): z.infer<typeof stampSchema> | undefined {
  const text = headers["x-a2a-mission-step"];
  if (typeof text !== "string") return undefined;
  try {
    return stampSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function unstamped(index: number, target: string, { status, headers, body }: Answered): RefusedError {
  const reason = headers["x-a2a-mission-unstamped"];
  const said = printable(body.toString("utf8").slice(0, 200));
  return new RefusedError(
    typeof reason === "string" ? reason : "unstamped",
    `step ${index} was not recorded: ${printable(target)} answered with status ${status}${typeof reason === "string" ? ` (${printable(reason)})` : ""}${said === "" ? "" : `: ${said}`}`,
    "Only an answer of success is a step. Correct the call with --set, --call, --body or --header and run the command again: it goes on from this step.",
  );
}
