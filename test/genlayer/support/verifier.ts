import { readFileSync } from "node:fs";
import {
  adjudicationKey,
  type AdjudicationRecord,
  type Agreement,
  documentHash,
  encodeDocument,
  parseAdjudication,
  type Submission,
  toAddress,
} from "@assay/protocol";
import type { ExecutionResult, Hex } from "../../../localnet/src/genlayer/execution/executor.ts";
import type { ModelSpec } from "../../../localnet/src/genlayer/models/model.ts";
import { CHAIN_ID, CONTRACT, oncePerExecutor, run, SENDER, valueOf } from "./executor.ts";

export const VERIFIER = readFileSync(
  new URL("../../../contracts-genlayer/agreement_verifier.py", import.meta.url),
  "utf8",
);

export const AGREEMENT_ID: Hex = `0x${"a1".repeat(32)}`;
export const ESCROW: Hex = toAddress(`0x${"e5".repeat(20)}`);
export const EVM_CHAIN_ID = 31337;
export const RULES: ModelSpec = { provider: "rules" };

export function agreement(changes: Partial<Agreement> = {}): Agreement {
  return {
    schema: "assay/agreement/1",
    title: "Password reset",
    task: "Write a password reset.",
    requirements: [{ id: "REQ-1", text: "The code tests `expiresAt <= now`." }],
    evidenceRequired: [],
    adjudication: {
      network: "localnet",
      chainId: Number(CHAIN_ID),
      consensusMain: toAddress(`0x${"c1".repeat(20)}`),
      contract: toAddress(CONTRACT),
      codeHash: `0x${"0c".repeat(32)}`,
      relayers: [toAddress(SENDER)],
      minValidators: 5,
      rounds: 2,
    },
    ...changes,
  };
}

export function submission(changes: Partial<Submission> = {}): Submission {
  return {
    schema: "assay/submission/1",
    agreementId: AGREEMENT_ID,
    summary: "Done.",
    files: {
      "src/reset.ts":
        "export function reset(): void {\n  if (token.expiresAt <= now) throw new Error();\n}\n",
    },
    links: [],
    evidence: [],
    ...changes,
  };
}

/** What `adjudicate` is called with, as the exact texts. */
export interface Case {
  readonly agreement: string;
  readonly submission: string;
  readonly agreementId: Hex;
  readonly chainId: number;
  readonly escrow: Hex;
}

export function caseOf(
  a: Agreement = agreement(),
  s: Submission = submission(),
  changes: Partial<Case> = {},
): Case {
  return {
    agreement: Buffer.from(encodeDocument(a)).toString(),
    submission: Buffer.from(encodeDocument(s)).toString(),
    agreementId: AGREEMENT_ID,
    chainId: EVM_CHAIN_ID,
    escrow: ESCROW,
    ...changes,
  };
}

export function keyOf(item: Case): Hex {
  return adjudicationKey({
    chainId: item.chainId,
    escrow: item.escrow,
    agreementId: item.agreementId,
    agreementHash: documentHash(Buffer.from(item.agreement)),
    submissionHash: documentHash(Buffer.from(item.submission)),
  });
}

/** The storage of a verifier that has just been deployed. */
export const deployedState = oncePerExecutor(async (): Promise<Uint8Array> => {
  const { state, stderr } = await run(VERIFIER, "deploy");
  if (state === null) throw new Error(`the verifier does not deploy: ${stderr}`);
  return state;
});

/** Options of {@link adjudicate}. */
export interface Options {
  readonly model?: ModelSpec;
  readonly leader?: ExecutionResult;
  readonly state?: Uint8Array;
  readonly sender?: Hex;
}

/** One node's run of `adjudicate`: the leader's, or a validator's when a leader's result is given. */
export async function adjudicate(item: Case, options: Options = {}): Promise<ExecutionResult> {
  const { model = RULES, leader, state = await deployedState(), sender = SENDER } = options;
  const args = [item.agreementId, item.chainId, item.escrow, item.agreement, item.submission];
  return run(
    VERIFIER,
    "write",
    { method: "adjudicate", args },
    {
      model,
      state,
      sender,
      mode:
        leader === undefined
          ? { role: "leader" }
          : { role: "validator", leaderOutputs: leader.nondetOutputs },
    },
  );
}

/** What `get_record` answers. */
export interface StoredRecord {
  readonly version: number;
  readonly sequence: number;
  readonly sender: string;
  readonly key: string;
  readonly record: string;
  readonly adjudicationHash: string;
  readonly notes: string;
}

export async function storedRecord(
  state: Uint8Array,
  item: Case,
  sender: Hex = SENDER,
): Promise<StoredRecord> {
  return valueOf(
    await run(VERIFIER, "read", { method: "get_record", args: [sender, keyOf(item)] }, { state }),
  ) as StoredRecord;
}

/** Runs a leader on `item` and reads the record that it stored. */
export async function recordOf(item: Case, options: Options = {}): Promise<AdjudicationRecord> {
  const result = await adjudicate(item, options);
  if (result.state === null)
    throw new Error(`${result.kind}: ${Buffer.from(result.data).toString()}\n${result.stderr}`);
  return parseAdjudication((await storedRecord(result.state, item, options.sender)).record);
}
