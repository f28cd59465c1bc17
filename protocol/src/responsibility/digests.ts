import { type Address, toAddress } from "../primitives/address.ts";
import { bytesOf, type Hex, toHash } from "../primitives/hex.ts";
import { lengthPrefixed } from "../primitives/length-prefixed.ts";
import { sha256 } from "../primitives/sha256.ts";
import { toUint } from "../primitives/uint.ts";
import { utf8Encode } from "../primitives/utf8.ts";
import type { ResponsibilityVerdict, Workflow } from "./workflow.ts";

const lowerCase = (address: Address): Uint8Array => utf8Encode(toAddress(address).toLowerCase());
const decimal = (value: number, name: string): Uint8Array => utf8Encode(String(toUint(value, 53, name)));

/** Key under which `responsibility.py` keeps a workflow. */
export function workflowKey({ creator, workflowId }: Pick<Workflow, "creator" | "workflowId">): Hex {
  return sha256(
    lengthPrefixed([utf8Encode("assay/workflow-key/1"), lowerCase(creator), utf8Encode(workflowId)]),
  );
}

/**
 * What both agents consent to: SHA-256 over the length-prefixed fields. Addresses are lower-case text, numbers decimal
 * text; the assessors are one field that is length-prefixed itself.
 *
 * @throws ValueError when an address or the patience is malformed.
 */
export function workflowDigest(workflow: Workflow): Hex {
  const assessors = workflow.assessors.map((assessor) => toAddress(assessor).toLowerCase()).sort();
  return sha256(
    lengthPrefixed([
      utf8Encode("assay/workflow/1"),
      lowerCase(workflow.creator),
      utf8Encode(workflow.workflowId),
      lowerCase(workflow.agentA),
      lowerCase(workflow.agentB),
      utf8Encode(workflow.taskSpec),
      utf8Encode(workflow.agentAObligation),
      utf8Encode(workflow.agentBObligation),
      utf8Encode(workflow.acceptanceCriteria),
      lengthPrefixed(assessors.map(utf8Encode)),
      decimal(workflow.patience, "patience"),
    ]),
  );
}

/** What is put before the judges. */
export interface AssessmentParameters {
  readonly workflowKey: Hex;
  readonly workflowDigest: Hex;
  readonly outputA: string;
  readonly outputB: string;
}

/** Binds the commitment and both outputs. */
export function assessmentDigest(parameters: AssessmentParameters): Hex {
  return sha256(
    lengthPrefixed([
      utf8Encode("assay/assessment/1"),
      bytesOf(toHash(parameters.workflowKey)),
      bytesOf(toHash(parameters.workflowDigest)),
      utf8Encode(parameters.outputA),
      utf8Encode(parameters.outputB),
    ]),
  );
}

/** What was found, by whose transaction, and in which place among the contract's records. */
export interface ResponsibilityRecordParameters {
  readonly assessmentDigest: Hex;
  readonly verdict: ResponsibilityVerdict;
  readonly assessor: Address;
  /** Counted up by the contract, from 1. */
  readonly sequence: number;
}

/** Binds a verdict to what was assessed. */
export function responsibilityRecordDigest(parameters: ResponsibilityRecordParameters): Hex {
  return sha256(
    lengthPrefixed([
      utf8Encode("assay/responsibility/1"),
      bytesOf(toHash(parameters.assessmentDigest)),
      utf8Encode(parameters.verdict),
      lowerCase(parameters.assessor),
      decimal(parameters.sequence, "sequence"),
    ]),
  );
}
