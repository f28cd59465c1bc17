import { executionProofGateAbi } from "../abi/execution-proof-gate.ts";
import { interfaceOf } from "../primitives/interface-of.ts";
import type { Agreement } from "../documents/agreement.ts";
import { isGated } from "../execution/gate-config.ts";
import { type GateDelivery, gateDeliveriesIn } from "../execution/gate-delivery.ts";
import { executionTerminalTypedData } from "../execution/terminal.ts";
import { type Address, isSameAddress, toAddress } from "../primitives/address.ts";
import { type Hex, toHash } from "../primitives/hex.ts";
import { sha256 } from "../primitives/sha256.ts";
import { utf8Encode } from "../primitives/utf8.ts";
import { agreementIdOf } from "../terms/agreement-id.ts";
import type { Terms } from "../terms/terms.ts";
import { typedDataDigest } from "../typed-data/typed-data.ts";
import type { Evidence } from "./evidence.ts";
import type { History } from "./events.ts";
import { type ExecutionReport, examineExecution } from "./examine-execution.ts";

/** What the gate logged when it took a proof. */
export interface ProvenEvent {
  readonly recorder: Address;
  readonly committedRoot: Hex;
  readonly terminal: Hex;
  readonly steps: number;
  readonly verdictHash: Hex;
}

/** Why there is no proof to look at. */
export interface ProofGap {
  readonly reason: string;
  /** Whether there had to be one. */
  readonly isFault: boolean;
}

/** An agreement that an execution proof gate decides, and the proof that released it. */
export interface WalkCase {
  readonly recorder: Address;
  readonly delivery: GateDelivery | ProofGap;
  /** Null without a proof. */
  readonly report: ExecutionReport | null;
  /** What the recorder had to sign; null without a proof that replays. */
  readonly digest: Hex | null;
  readonly proven: ProvenEvent | null;
}

/**
 * The walk of an agreement whose terms commit to one, by its document or by what was delivered; null when they commit
 * to something else. A configuration is a hash, so nobody can make terms that commit to a walk and to operators.
 */
export function openWalk(
  evidence: Evidence,
  history: History,
  terms: Terms | null,
  agreement: Agreement | null,
): WalkCase | null {
  if (terms === null) return null;
  const { agreementId, evm } = evidence;
  const delivery = deliveryOf(evidence, history, terms);
  const delivered = isDelivery(delivery) ? delivery.execution : undefined;
  const execution = [agreement?.execution, delivered].find(
    (one) => one !== undefined && isGated(terms, { execution: one }),
  );
  if (execution === undefined) return null;
  const { recorder } = execution;
  const proven = provenIn(evidence, history, terms.adjudicator);
  if (!isDelivery(delivery)) return { recorder, delivery, report: null, digest: null, proven };
  const subject = { chainId: evm.chainId, escrow: evm.escrow, agreementId };
  const { records, signature } = delivery;
  const facts = { execution, records, terminal: null, signature, subject, terms };
  const { committedRoot, terminal } = examineExecution(facts);
  const digest =
    committedRoot === null || terminal === null
      ? null
      : typedDataDigest(executionTerminalTypedData({ ...subject, committedRoot, terminal }));
  const answer = evm.contractSignatures.find(
    (one) => isSameAddress(one.signer, recorder) && one.digest === digest && one.signature === signature,
  );
  const text = evidence.documents.agreement;
  const report = examineExecution({
    ...facts,
    // What the gate took for the walk's end, where it says so; else the end itself.
    terminal: proven?.terminal ?? terminal,
    ...(text !== null && { agreementHash: sha256(utf8Encode(text)) }),
    ...(answer !== undefined && { recorderAnswer: answer.valid }),
    gate: { submitted: history.submitted?.submissionHash ?? null },
  });
  return { recorder, delivery, report, digest, proven };
}

/** Whether there is a proof to look at. */
export function isDelivery(found: GateDelivery | ProofGap): found is GateDelivery {
  return "records" in found;
}

function deliveryOf(
  { agreementId, evm }: Evidence,
  { ending }: History,
  terms: Terms,
): GateDelivery | ProofGap {
  if (ending === null) return { reason: "the agreement has not ended", isFault: false };
  if (ending.verdictHash === null)
    return { reason: `no proof ended the agreement: ${ending.name}`, isFault: false };
  const { to, input } = ending.transaction;
  const found = gateDeliveriesIn(input).find(
    (one) =>
      isSameAddress(one.escrow, evm.escrow) &&
      agreementIdOf(one.terms, evm.chainId, one.escrow) === agreementId,
  );
  if (found !== undefined) return found;
  return to === terms.adjudicator
    ? {
        reason: "the releasing transaction's calldata holds no readable proof for this agreement",
        isFault: true,
      }
    : {
        reason: "the proof was delivered through another contract whose calldata does not show it",
        isFault: false,
      };
}

/** Anybody's contract may log a look-alike; only the adjudicator that the terms name counts. */
function provenIn({ agreementId, evm }: Evidence, { ending }: History, gate: Address): ProvenEvent | null {
  for (const log of ending?.transaction.logs ?? []) {
    if (log.address !== gate || log.topics[2] !== agreementId) continue;
    try {
      const event = interfaceOf(executionProofGateAbi).parseLog(log);
      if (event?.name !== "ExecutionProven" || toAddress(event.args["escrow"] as string) !== evm.escrow)
        continue;
      return {
        recorder: toAddress(event.args["recorder"] as string),
        committedRoot: toHash(event.args["committedRoot"] as string),
        terminal: toHash(event.args["terminal"] as string),
        steps: Number(event.args["steps"]),
        verdictHash: toHash(event.args["verdictHash"] as string),
      };
    } catch {
      continue;
    }
  }
  return null;
}
