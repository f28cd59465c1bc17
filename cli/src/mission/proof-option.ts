import { Option } from "commander";
import {
  printable,
  type Agreement,
  type ExecutionFacts,
  type ExecutionReport,
  type Hex,
  type Terms,
} from "@assay/protocol";
import { UsageError } from "../errors.ts";
import type { RecorderOptions } from "../options/recorder.ts";
import type { Session } from "../session.ts";
import { factsAbout, findProof, historyOf, proofIn, readProofFile } from "./proof.ts";
import { createRecorderClient } from "./recorder.ts";

/** Where a proof comes from. */
export interface ProofOptions extends RecorderOptions {
  readonly proof?: string;
}

/** `--proof`, for every command that delivers one. */
export function proofOption(): Option {
  return new Option(
    "--proof <file>",
    "the walk's proof, as `assay mission run` wrote it, or a recorder's answer",
  );
}

/**
 * Everything about an agreement's walk, with the proof from the file or the recorder that options name.
 *
 * @param isSubmitted whether it has to be the one that was submitted on chain.
 * @throws UsageError when neither is named.
 */
export async function proofFor(
  session: Session,
  deal: { readonly agreementId: Hex; readonly terms: Terms },
  document: { readonly document: Agreement; readonly bytes: Uint8Array },
  { proof: path, recorder }: ProofOptions,
  isSubmitted: boolean,
): Promise<ExecutionFacts> {
  if (path === undefined && recorder === undefined)
    throw new UsageError(
      "nothing says where the proof of the walk is",
      "Give a file with --proof, or the recorder that has it with --recorder.",
    );
  const { network } = session;
  const subject = { chainId: network.chainId, escrow: network.escrow, agreementId: deal.agreementId };
  const history = await historyOf(session, deal.agreementId);
  const facts = await factsAbout(session, deal, document, await found(), history);
  if (isSubmitted) return facts;
  const { gate: _gate, ...open } = facts;
  return open;

  async function found() {
    if (path === undefined) return findProof(session, subject, history, createRecorderClient(recorder ?? ""));
    const file = await readProofFile(path);
    if (file.kind === "agreement")
      throw new UsageError(
        `${path} is an agreement and proves no walk`,
        "Give what `assay mission run` wrote.",
      );
    return proofIn(path, file);
  }
}

/** The first thing that does not hold, in words; null when everything that was checked does. */
export function firstFailure({ steps }: ExecutionReport): string | null {
  const failed = steps.find(({ result }) => result === "FAIL");
  if (failed === undefined) return null;
  const { title, note, expected, actual } = failed;
  const values = expected === undefined ? "" : `; it had to be ${expected} and is ${actual ?? "unknown"}`;
  return printable(`the proof does not hold: ${title} (${note})${values}`);
}
