import { z } from "zod";
import { addressField, chainIdField, hashField, integer, matching, textField } from "../documents/fields.ts";
import { canonicalize } from "../json/canonicalize.ts";
import { parseStrict } from "../json/parse-strict.ts";
import { DocumentError } from "../documents/error.ts";
import { describeIssue } from "../documents/describe-issue.ts";
import type { Hex } from "../primitives/hex.ts";
import { utf8Encode } from "../primitives/utf8.ts";

/** Tag of a bundle: evidence in one file. */
export const BUNDLE_SCHEMA = "assay/bundle/1";

const BYTES = /^0x(?:[0-9a-f]{2})*$/;
const bytesField = textField<Hex>((input) =>
  BYTES.test(input)
    ? undefined
    : { message: "is not 0x and pairs of lower-case hexadecimal digits", hint: "Export the bundle again." },
);
const base64Field = matching(
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  "base64 with padding",
);
const count = integer(0, Number.MAX_SAFE_INTEGER);
const name = z.string().nullable();

const logSchema = z.strictObject({
  address: addressField,
  topics: z.array(hashField).max(4),
  data: bytesField,
});

const blockSchema = z.strictObject({
  number: count,
  hash: hashField,
  /** Unix time in seconds. */
  timestamp: count,
  /** The header's RLP, whose Keccak-256 is the block's hash; null when the node's fields do not amount to it. */
  header: bytesField.nullable(),
});

const transactionSchema = z.strictObject({
  hash: hashField,
  /** Hash of its block. */
  block: hashField,
  /** Its place in the block. */
  index: count,
  to: addressField.nullable(),
  input: bytesField,
  /** Every log of its receipt, in order. */
  logs: z.array(logSchema),
  /** Nodes of the block's receipts trie from the root to this receipt; null when they could not be had. */
  receiptProof: z.array(bytesField).nullable(),
});

const judgeTransactionSchema = z.strictObject({
  id: hashField,
  /** Names of status, consensus result and execution result; null when the network does not say. */
  status: name,
  result: name,
  execution: name,
  sender: addressField.nullable(),
  recipient: addressField.nullable(),
  leaderOnly: z.boolean().nullable(),
  /** Validators that the sender asked for. */
  initialValidators: count.nullable(),
  /** Nodes that took part in the last round. */
  participants: count.nullable(),
  /** The calldata that the contract was called with. */
  calldata: bytesField.nullable(),
});

const storedRecordSchema = z.strictObject({
  /** 0 when there is none. */
  version: count,
  sequence: count,
  sender: z.string(),
  key: z.string(),
  /** Canonical JSON. */
  record: z.string(),
  adjudicationHash: z.string(),
});

const judgeSchema = z.strictObject({
  /** The id that the endpoint answers with. */
  chainId: chainIdField,
  /** The ConsensusMain that the client talks to. */
  consensusMain: addressField,
  transactions: z.array(judgeTransactionSchema),
  /** Record of the verdict's relayer, read at finalized state; null when it could not be read. */
  record: storedRecordSchema.nullable(),
  /** Who stored records under the key, and which number each has; null when they could not be read. */
  records: z
    .array(
      z.strictObject({
        sender: addressField,
        sequence: count,
        /**
         * The sender's transactions with the verdict's calldata, oldest first. Needed only where a named relayer's
         * number is lower than the verdict's own; left out where nobody looked for them.
         */
        transactions: z.exactOptional(z.array(judgeTransactionSchema)),
      }),
    )
    .nullable(),
  /** The deployed code, in base64; null when it could not be read. */
  code: base64Field.nullable(),
});

/** What evidence may lack. */
export const GAP_SUBJECTS = [
  "agreement",
  "submission",
  "partnerSubmission",
  "verdictRecord",
  "judge",
  "judgeTransactions",
  "judgeRecord",
  "judgeCode",
  "proofs",
  "finality",
] as const;

/** Public facts about one agreement, as they were read; strict, so that nothing unexamined rides along. */
export const evidenceSchema = z.strictObject({
  schema: z.literal(BUNDLE_SCHEMA),
  agreementId: hashField,
  evm: z.strictObject({
    chainId: chainIdField,
    escrow: addressField,
    /** The escrow's token; null when it could not be read. */
    token: addressField.nullable(),
    /** Height that the node called final; null when it does not say. */
    finalizedBlock: count.nullable(),
    blocks: z.array(blockSchema),
    /** Every transaction in which the escrow logged something about this agreement. */
    transactions: z.array(transactionSchema),
    /** What members that are contracts answered about their signatures (ERC-1271). */
    contractSignatures: z.array(
      z.strictObject({ signer: addressField, digest: hashField, signature: bytesField, valid: z.boolean() }),
    ),
  }),
  /** Exact texts, found by their hashes. */
  documents: z.strictObject({
    agreement: z.string().nullable(),
    submission: z.string().nullable(),
    /** Of a joint agreement: what the other side submitted. */
    partnerSubmission: z.exactOptional(z.string().nullable()),
  }),
  /** Canonical JSON of the verdict record, published or rebuilt. */
  verdictRecord: z.string().nullable(),
  judge: judgeSchema.nullable(),
  /** What could not be had, and why. */
  gaps: z.array(z.strictObject({ subject: z.enum(GAP_SUBJECTS), reason: z.string() })),
});

/** Public facts about one agreement. */
export type Evidence = z.infer<typeof evidenceSchema>;
/** A block, as far as an audit needs it. */
export type BlockEvidence = z.infer<typeof blockSchema>;
/** An EVM transaction with its logs. */
export type TransactionEvidence = z.infer<typeof transactionSchema>;
/** An EVM log without its place. */
export type LogEvidence = z.infer<typeof logSchema>;
/** What a GenLayer network says. */
export type JudgeEvidence = z.infer<typeof judgeSchema>;
/** What a GenLayer network says of one transaction; null where it does not. */
export type JudgeTransactionEvidence = z.infer<typeof judgeTransactionSchema>;
/** A record as the judge's view `get_record` returns it; a workflow's verdict is brought into the same form. */
export type StoredRecordEvidence = z.infer<typeof storedRecordSchema>;
/** What evidence may lack. */
export type GapSubject = (typeof GAP_SUBJECTS)[number];

/**
 * Reads a bundle.
 *
 * @throws CanonicalJsonError when it is no JSON, DocumentError when it is no bundle of this version.
 */
export function parseBundle(source: Uint8Array | string): Evidence {
  return readEvidence(parseStrict(source));
}

/**
 * Evidence from a JSON value.
 *
 * @throws DocumentError naming the first member that is missing, unknown or malformed.
 */
export function readEvidence(value: unknown): Evidence {
  const parsed = evidenceSchema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const [first, ...others] = parsed.error.issues.map(describeIssue);
  if (first === undefined) throw parsed.error;
  throw new DocumentError("invalid", [first, ...others]);
}

/** Canonical bytes of a bundle. */
export function encodeBundle(evidence: Evidence): Uint8Array {
  return utf8Encode(canonicalize(evidence));
}
