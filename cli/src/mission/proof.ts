import { AbiCoder } from "ethers";
import { createChain, findDocument, operatorSource, selectorOf } from "@assay/evidence";
import {
  DocumentError,
  ProtocolError,
  agreementIdOf,
  canonicalize,
  documentHash,
  encodeDocument,
  examineExecution,
  executionTerminalTypedData,
  gateDeliveriesIn,
  isEcdsaSignedBy,
  isGated,
  parseStrict,
  parseSubmission,
  printable,
  typedDataDigest,
  type Agreement,
  type CheckSubject,
  type ExecutionFacts,
  type ExecutionProof,
  type Hex,
  type Submission,
  type Terms,
} from "@assay/protocol";
import { DEAL_SCHEMA, readBounded } from "../deal/deal-file.ts";
import { UnavailableError, UsageError } from "../errors.ts";
import { readHistory, type EscrowHistory } from "../escrow/events.ts";
import type { Session } from "../session.ts";
import { CallRevertedError } from "../transact/node.ts";
import { factsOf, missionSchema, type MissionView } from "./mission-view.ts";
import type { RecorderClient } from "./recorder.ts";

const MOST_BYTES = 1024 * 1024;
const IS_VALID_SIGNATURE = selectorOf("isValidSignature(bytes32,bytes)");

/** What a recorder recorded of a walk, with where it was found. */
export interface FoundProof extends Pick<
  ExecutionFacts,
  "records" | "terminal" | "signature" | "committedRoot"
> {
  readonly place: string;
}

/** What a file says about a walk: the walk itself, or only the agreement that asks for one. */
export type ProofFile = WalkFile | { readonly kind: "agreement" };

/** A file that proves a walk. */
export type WalkFile =
  | { readonly kind: "mission"; readonly view: MissionView }
  | { readonly kind: "submission"; readonly submission: Submission; readonly proof: ExecutionProof };

/** Reads a recorder's answer about a mission, or a submission that proves a walk. @throws UsageError when it is neither. */
export async function readProofFile(path: string): Promise<ProofFile> {
  const bytes = await readBounded(path, MOST_BYTES);
  try {
    const value = parseStrict(bytes);
    const { schema } = Object(value) as { readonly schema?: unknown };
    if (schema === DEAL_SCHEMA) return { kind: "agreement" };
    if (schema === "assay/submission/1") {
      // Whoever indented the file has proven no less.
      const submission = parseSubmission(canonicalize(value));
      if (submission.execution === undefined) throw noProof(path, "the submission proves no walk");
      return { kind: "submission", submission, proof: submission.execution };
    }
    const view = missionSchema.safeParse(value);
    if (view.success) return { kind: "mission", view: view.data };
    throw noProof(
      path,
      `${view.error.issues[0]?.path.join(".") ?? ""} ${view.error.issues[0]?.message ?? ""}`,
    );
  } catch (error) {
    if (error instanceof ProtocolError) throw noProof(path, error.message, error);
    throw error;
  }
}

function noProof(path: string, what: string, cause?: unknown): UsageError {
  return new UsageError(
    `${path} proves no walk: ${printable(what)}`,
    "It is what `assay mission run` wrote, or a recorder's answer to GET …/missions/{id}.",
    { cause },
  );
}

/** A file's proof, apart from everything else that it says. */
export function proofIn(path: string, file: WalkFile): FoundProof {
  if (file.kind === "mission") return { ...factsOf(file.view), place: path };
  const { attestations, terminal, signature } = file.proof;
  return { records: attestations, terminal, signature, place: path };
}

/**
 * Looks for the proof of an agreement's walk where everybody can: in the calldata that released it, then in its
 * submission at the operators, then at the recorder.
 *
 * @throws UnavailableError when nobody has it.
 */
export async function findProof(
  { network }: Session,
  subject: CheckSubject,
  history: EscrowHistory | null,
  recorder: RecorderClient | null,
): Promise<FoundProof> {
  const tried: string[] = [];
  const release = history?.events.find(({ name }) => name === "Released");
  if (release !== undefined) {
    const { input } = await createChain(network.rpcUrl).transaction(release.transactionHash);
    const delivery = gateDeliveriesIn(input).find(
      ({ terms, escrow }) => agreementIdOf(terms, subject.chainId, escrow) === subject.agreementId,
    );
    if (delivery !== undefined) {
      const { execution, records, signature } = delivery;
      // The walk's end is stated nowhere but in what was submitted.
      const terminal =
        submittedIn(history) ?? examineExecution({ execution, records, terminal: null, signature }).terminal;
      return { records, terminal, signature, place: `calldata of ${release.transactionHash}` };
    }
    tried.push("the transaction that released it carries no proof");
  }
  const submitted = submittedIn(history);
  if (submitted !== null) {
    const found = await findDocument(network.operators.map(operatorSource), submitted);
    if ("text" in found) {
      const proof = executionOf(found.text);
      if (proof !== null) return { ...proof, place: `submission ${submitted}` };
    } else tried.push(found.reason);
  }
  if (recorder !== null) {
    const view = await recorder.missionFor(subject);
    if (view !== null) return { ...factsOf(view), place: `recorder ${recorder.url}` };
    tried.push(`the recorder at ${recorder.url} knows no mission of it`);
  }
  throw new UnavailableError(
    `no proof of the walk for agreement ${subject.agreementId} was found${tried.length === 0 ? "" : `: ${tried.join("; ")}`}`,
    "Name the recorder with --recorder, or a file with --proof.",
  );
}

/** The hash that was submitted on chain; null when nothing was. */
export function submittedIn(history: EscrowHistory | null): Hex | null {
  const event = history?.events.find(({ name }) => name === "Submitted");
  return (event?.data["submissionHash"] as Hex | undefined) ?? null;
}

function executionOf(text: string): Omit<FoundProof, "place"> | null {
  try {
    const { execution } = parseSubmission(text);
    return execution === undefined
      ? null
      : { records: execution.attestations, terminal: execution.terminal, signature: execution.signature };
  } catch (error) {
    if (error instanceof DocumentError) return null;
    throw error;
  }
}

/** Everything that is known about an agreement and the proof of its walk, for verification from first principles. */
export async function factsAbout(
  { network, node }: Session,
  deal: { readonly agreementId: Hex; readonly terms: Terms },
  document: { readonly document: Agreement; readonly bytes: Uint8Array },
  proof: FoundProof,
  history: EscrowHistory | null,
): Promise<ExecutionFacts> {
  const { execution } = document.document;
  if (execution === undefined)
    throw new UsageError(
      `agreement ${deal.agreementId} commits to no steps`,
      "Only an agreement with `execution` has a walk to verify.",
    );
  const { place: _place, ...found } = proof;
  const subject = { chainId: network.chainId, escrow: network.escrow, agreementId: deal.agreementId };
  const facts: ExecutionFacts = {
    ...found,
    execution,
    subject,
    terms: deal.terms,
    agreementHash: documentHash(document.bytes),
    ...(isGated(deal.terms, document.document) && { gate: { submitted: submittedIn(history) } }),
  };
  const { committedRoot, terminal } = examineExecution(facts);
  if (committedRoot === null || terminal === null || facts.signature === null) return facts;
  const digest = typedDataDigest(executionTerminalTypedData({ ...subject, committedRoot, terminal }));
  if (isEcdsaSignedBy(execution.recorder, digest, facts.signature)) return facts;
  if (!(await node.hasCode(execution.recorder))) return facts;
  const data = `${IS_VALID_SIGNATURE}${AbiCoder.defaultAbiCoder()
    .encode(["bytes32", "bytes"], [digest, facts.signature])
    .slice(2)}` as Hex;
  try {
    const answer = await node.call({ to: execution.recorder, data });
    return { ...facts, recorderAnswer: answer.startsWith(IS_VALID_SIGNATURE) };
  } catch (error) {
    if (error instanceof CallRevertedError) return { ...facts, recorderAnswer: false };
    throw error;
  }
}

/** What the escrow logged, read once. */
export function historyOf({ network }: Session, agreementId: Hex): Promise<EscrowHistory | null> {
  return readHistory(network, network.chainId, agreementId);
}

/** A finished walk as a submission's document; what its seller delivers, with files beside it where a judge wants some. */
export function submissionFrom(view: MissionView, agreementId: Hex): Uint8Array {
  const { terminal, signature, attestations } = view;
  if (terminal === null || signature === null)
    throw new UnavailableError("the recorder has not signed the walk's end yet", "Run the command again.");
  return encodeDocument({
    schema: "assay/submission/1",
    agreementId,
    summary: `${attestations.length} steps, walked as mission ${view.mission_id}`,
    files: {},
    links: [],
    evidence: [],
    execution: {
      attestations: attestations.map(
        ({ step_index: index, request_hash: requestHash, response_hash: responseHash }) => ({
          index,
          requestHash,
          responseHash,
        }),
      ),
      terminal,
      signature: signature.toLowerCase(),
    },
  });
}
