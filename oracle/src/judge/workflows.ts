import {
  RESPONSIBILITY_VERDICTS,
  canonicalize,
  isHash,
  toAddress,
  type Address,
  type Hex,
  type ResponsibilityRecord,
} from "@assay/protocol";
import { abi } from "genlayer-js";
import { hexlify } from "ethers";
import { z } from "zod";
import { wireAddress } from "../rpc/index.ts";
import type { SignedTransaction } from "../store/index.ts";
import { JudgeUnavailableError } from "./errors.ts";
import type { StoredRecord } from "./stored-record.ts";

/** What the service asks of a responsibility contract. */
export type WorkflowCall =
  | { readonly method: "assess"; readonly workflowKey: Hex }
  | {
      readonly method: "submit_output_signed";
      readonly workflowKey: Hex;
      readonly output: string;
      readonly signature: Hex;
    };

/** States of a workflow, as the contract names them. */
export const WORKFLOW_STATES = [
  "ABSENT",
  "PENDING_ACCEPTANCE",
  "ACCEPTED",
  "READY",
  "ASSESSED",
  "CLOSED",
] as const;

/** A workflow at finalized state. */
export interface WorkflowView {
  readonly state: (typeof WORKFLOW_STATES)[number];
  /** Null when there is none. */
  readonly workflowDigest: Hex | null;
  /** Empty until delivered. */
  readonly outputs: { readonly A: string; readonly B: string };
}

/** The responsibility contract's side of a GenLayer network. Rejects as `Judge` does. */
export interface Workflows {
  /** The calldata of that call, as it will appear in the transaction. */
  calldataOf(call: WorkflowCall): Hex;
  /** Builds and signs that call with that nonce. */
  prepare(
    contract: Address,
    call: WorkflowCall,
    validators: number,
    nonce: number,
  ): Promise<SignedTransaction>;
  /** A workflow at finalized state. */
  read(contract: Address, workflowKey: Hex): Promise<WorkflowView>;
  /** An assessor's record at finalized state; its version is 0 when there is none. */
  record(contract: Address, assessor: Address, workflowKey: Hex): Promise<StoredRecord>;
}

/** Name and arguments of that call. */
export function workflowCall(call: WorkflowCall): { functionName: string; args: string[] } {
  return {
    functionName: call.method,
    args: call.method === "assess" ? [call.workflowKey] : [call.workflowKey, call.output, call.signature],
  };
}

/** The contract's side, through a view at finalized state and a way to sign a call. */
export function createWorkflows(through: {
  readonly origin: string;
  view(contract: Address, method: string, values: string[]): Promise<unknown>;
  sign(
    contract: Address,
    call: { readonly functionName: string; readonly args: string[] },
    validators: number,
    nonce: number,
  ): Promise<SignedTransaction>;
}): Workflows {
  const { origin } = through;
  return {
    calldataOf(call) {
      const { functionName, args } = workflowCall(call);
      return hexlify(
        abi.calldata.encode(abi.calldata.makeCalldataObject(functionName, args, undefined)),
      ) as Hex;
    },

    prepare: (contract, call, validators, nonce) =>
      through.sign(contract, workflowCall(call), validators, nonce),

    async read(contract, workflowKey) {
      const parsed = workflowSchema.safeParse(await through.view(contract, "get_workflow", [workflowKey]));
      if (!parsed.success) throw new JudgeUnavailableError(`get_workflow at ${origin}`, "gave no workflow");
      const { state, workflowDigest, outputA, outputB } = parsed.data;
      return { state, workflowDigest, outputs: { A: outputA, B: outputB } };
    },

    async record(contract, assessor, workflowKey) {
      const method = "get_responsibility_record";
      const parsed = recordSchema.safeParse(await through.view(contract, method, [workflowKey, assessor]));
      if (!parsed.success) throw new JudgeUnavailableError(`${method} at ${origin}`, "gave no record");
      const { version, sequence, assessor: sender, recordDigest, ...rest } = parsed.data;
      const content = { ...rest, assessor: toAddress(sender), recordDigest, sequence };
      return {
        version,
        sequence,
        sender: toAddress(sender),
        key: rest.workflowKey,
        record: version === 0 ? "" : canonicalize(content),
        adjudicationHash: recordDigest,
      };
    },
  };
}

const calldataInteger = z.bigint().nonnegative().transform(Number);
const hash = z.custom<Hex>((value) => typeof value === "string" && isHash(value));

const workflowSchema = z.object({
  state: z.enum(WORKFLOW_STATES),
  workflowDigest: hash.nullable().default(null),
  outputA: z.string().default(""),
  outputB: z.string().default(""),
});

const recordSchema = z.object({
  version: calldataInteger,
  workflowKey: z.string(),
  assessor: wireAddress,
  sequence: calldataInteger,
  verdict: z.string(),
  workflowDigest: z.string(),
  assessmentDigest: z.string(),
  recordDigest: z.string(),
});

const responsibilitySchema = z.strictObject({
  workflowKey: hash,
  workflowDigest: hash,
  assessmentDigest: hash,
  recordDigest: hash,
  sequence: z.int().positive(),
  verdict: z.enum(RESPONSIBILITY_VERDICTS),
  assessor: wireAddress,
});

/** The workflow's verdict inside a stored record, or null when it is none. */
export function responsibilityOf({ record }: StoredRecord): ResponsibilityRecord | null {
  if (record === "") return null;
  const parsed = responsibilitySchema.safeParse(JSON.parse(record));
  return parsed.success ? parsed.data : null;
}
