import { Interface, Wallet, encodeBase64, encodeRlp, id as topicOf, keccak256, zeroPadValue } from "ethers";
import {
  BUNDLE_SCHEMA,
  SCHEMA,
  adjudicateCalldata,
  adjudicationKey,
  adjudicatorConfigOf,
  agreementEscrowAbi,
  agreementIdOf,
  buildVerdictRecord,
  canonicalize,
  deliveryCalldata,
  documentHash,
  encodeDocument,
  outcomeOf,
  proveReceipt,
  toAddress,
  toTermsStruct,
  utf8Encode,
  verdictHash,
  verdictOf,
  verdictQuorumAbi,
  verdictTypedData,
  type Address,
  type AdjudicationRecord,
  type Agreement,
  type BlockEvidence,
  type Evidence,
  type Finding,
  type Hex,
  type JudgeTransactionEvidence,
  type LogEvidence,
  type Outcome,
  type ReceiptFields,
  type Terms,
  type TransactionEvidence,
  type Verdict,
} from "@assay/protocol";

/** How a certificate reaches the quorum. */
export type Delivery = "deliver" | "deliverPacked" | "deliverMany";

export interface CaseOptions {
  readonly outcome?: Outcome;
  readonly delivery?: Delivery;
  /** Which of the three members sign; two have to. */
  readonly signing?: readonly number[];
  /** Relayers that the agreement names beside the verdict's. */
  readonly otherRelayers?: readonly Address[];
}

export const CHAIN_ID = 31337;
export const NOW = 1_767_000_000;
const address = (digit: string): Address => toAddress(`0x${digit.repeat(40)}`);
const hash = (digits: string): Hex => `0x${digits.repeat(64 / digits.length)}`;

export const ESCROW = address("5");
const QUORUM = address("6");
export const TOKEN = address("7");
const JUDGE = address("8");
export const BUYER = address("1");
export const SELLER = address("2");
const RELAYER = address("3");
const REWARD = 25_000_001n;
const CODE = utf8Encode("# the judge's source\n");

const operators = [11, 12, 13]
  .map((seed) => new Wallet(`0x${seed.toString(16).padStart(64, "0")}`))
  .sort((one, other) => (BigInt(one.address) < BigInt(other.address) ? -1 : 1));
const MEMBERS = operators.map((wallet) => wallet.address as Address);
const THRESHOLD = 2;

const escrowInterface = new Interface(agreementEscrowAbi);
const quorumInterface = new Interface(verdictQuorumAbi);

/** A small agreement: one requirement for code, one for the models. */
export const AGREEMENT: Agreement = {
  schema: SCHEMA.agreement,
  title: "Greeting",
  task: "Write a greeting.",
  requirements: [
    { id: "REQ-1", text: "There is a greeting.", check: { type: "string_present", needle: "hello" } },
    { id: "REQ-2", text: "It is friendly." },
  ],
  evidenceRequired: [],
  adjudication: {
    network: "localnet",
    chainId: 61127,
    consensusMain: "0xb7278A61aa25c888815aFC32Ad3cC52fF24fE575",
    contract: JUDGE,
    codeHash: documentHash(CODE),
    relayers: [RELAYER],
    minValidators: 5,
    rounds: 2,
  },
};

/** Complete evidence of an agreement that a verdict ended, made without any chain. */
export async function settledCase(options: CaseOptions = {}): Promise<Evidence> {
  const { outcome = "PASS", delivery = "deliverPacked", signing = [0, 2], otherRelayers = [] } = options;
  const { adjudication: policy } = AGREEMENT;
  const document = {
    ...AGREEMENT,
    adjudication: { ...policy, relayers: [...policy.relayers, ...otherRelayers] },
  };
  const agreement = encodeDocument(document);
  const terms: Terms = {
    buyer: BUYER,
    seller: SELLER,
    reward: REWARD,
    agreementHash: documentHash(agreement),
    adjudicator: QUORUM,
    adjudicatorConfig: adjudicatorConfigOf(MEMBERS, THRESHOLD),
    deliverBy: NOW + 3600,
    adjudicateBy: NOW + 3 * 3600,
    noVerdictSellerBps: 4000,
    salt: 7n,
  };
  const agreementId = agreementIdOf(terms, CHAIN_ID, ESCROW);
  const submission = encodeDocument({
    schema: SCHEMA.submission,
    agreementId,
    summary: "A greeting.",
    files: { "greeting.txt": outcome === "FAIL" ? "goodbye\n" : "hello, friend\n" },
    links: [],
    evidence: [],
  });
  const submissionHash = documentHash(submission);
  const texts = { agreement: textOf(agreement), submission: textOf(submission) };
  const subject = {
    chainId: CHAIN_ID,
    escrow: ESCROW,
    agreementId,
    agreementHash: terms.agreementHash,
    submissionHash,
  };
  const key = adjudicationKey(subject);
  const calldata = adjudicateCalldata({ agreementId, chainId: CHAIN_ID, escrow: ESCROW, ...texts });

  const adjudication =
    outcome === "PASS" || outcome === "FAIL" ? adjudicationOf(subject, key, outcome) : null;
  const transactions = judgeTransactions(outcome, calldata);
  const record = buildVerdictRecord({
    agreement: document,
    agreementId,
    submissionHash,
    chainId: CHAIN_ID,
    escrow: ESCROW,
    finding: findingOf(adjudication, transactions, outcome),
  });
  const verdict = verdictOf(record, terms.adjudicateBy);
  const signatures = await Promise.all(
    operators.map((wallet, index) => signedIf(signing.includes(index), wallet, verdict)),
  );
  const stored = adjudication === null ? null : canonicalize(adjudication);

  return {
    schema: BUNDLE_SCHEMA,
    agreementId,
    evm: {
      chainId: CHAIN_ID,
      escrow: ESCROW,
      token: TOKEN,
      finalizedBlock: 200,
      ...chained([
        { to: ESCROW, input: "0x", logs: [fundedLog(terms, agreementId)] },
        { to: ESCROW, input: "0x", logs: [escrowLog("Submitted", [agreementId, submissionHash])] },
        {
          to: QUORUM,
          input: deliveryInput(delivery, terms, verdict, signatures),
          logs: settlementLogs(terms, verdict, verdictHash(record), signing),
        },
      ]),
      contractSignatures: [],
    },
    documents: texts,
    verdictRecord: canonicalize(record),
    judge: {
      chainId: 61127,
      consensusMain: AGREEMENT.adjudication.consensusMain,
      transactions,
      record:
        stored === null
          ? null
          : {
              version: 1,
              sequence: 4,
              sender: RELAYER,
              key,
              record: stored,
              adjudicationHash: documentHash(utf8Encode(stored)),
            },
      records: stored === null ? [] : [{ sender: RELAYER, sequence: 4 }],
      code: encodeBase64(CODE),
    },
    gaps: [],
  };
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

function adjudicationOf(
  subject: Pick<
    AdjudicationRecord,
    "chainId" | "escrow" | "agreementId" | "agreementHash" | "submissionHash"
  >,
  key: Hex,
  outcome: "PASS" | "FAIL",
): AdjudicationRecord {
  const requirements: AdjudicationRecord["requirements"] =
    outcome === "PASS"
      ? [
          {
            id: "REQ-1",
            result: "PASS",
            decidedBy: "check",
            check: "string_present",
            detail: "found in 1 of 1 files",
          },
          { id: "REQ-2", result: "PASS", decidedBy: "model" },
        ]
      : [
          {
            id: "REQ-1",
            result: "FAIL",
            decidedBy: "check",
            check: "string_present",
            detail: "not found in 1 files",
          },
          { id: "REQ-2", result: "NOT_JUDGED", decidedBy: "none" },
        ];
  return {
    schema: SCHEMA.adjudication,
    adjudicationKey: key,
    ...subject,
    relayer: RELAYER,
    sequence: 4,
    outcome: outcomeOf(requirements),
    requirements,
    evidence: [],
  };
}

function judgeTransactions(outcome: Outcome, calldata: Hex): JudgeTransactionEvidence[] {
  const good = { status: "FINALIZED", result: "MAJORITY_AGREE", execution: "FINISHED_WITH_RETURN" };
  const common = {
    sender: RELAYER,
    recipient: JUDGE,
    leaderOnly: false,
    initialValidators: 5,
    participants: 5,
    calldata,
  };
  if (outcome === "WITHHELD") return [];
  if (outcome === "UNDETERMINED")
    return ["a1", "a2"].map((digits) => ({ id: hash(digits), ...good, result: "NO_MAJORITY", ...common }));
  return [{ id: hash("71"), ...good, ...common }];
}

function findingOf(
  adjudication: AdjudicationRecord | null,
  transactions: readonly JudgeTransactionEvidence[],
  outcome: Outcome,
): Finding {
  const ids = transactions.map(({ id }) => id);
  if (adjudication !== null) return { kind: "adjudicated", adjudication, transaction: ids[0]! };
  return outcome === "UNDETERMINED" ? { kind: "undetermined", transactions: ids } : { kind: "withheld" };
}

async function signedIf(signs: boolean, wallet: Wallet, verdict: Verdict): Promise<Hex> {
  if (!signs) return "0x";
  const { domain, types, message } = verdictTypedData(verdict, CHAIN_ID, QUORUM);
  return (await wallet.signTypedData(domain, types, message)) as Hex;
}

function deliveryInput(delivery: Delivery, terms: Terms, verdict: Verdict, signatures: readonly Hex[]): Hex {
  if (delivery === "deliverPacked")
    return deliveryCalldata({ terms, verdict, members: MEMBERS, threshold: THRESHOLD, signatures });
  const argument = {
    terms: toTermsStruct(terms),
    verdict,
    quorum: { members: MEMBERS, threshold: THRESHOLD },
    signatures,
  };
  if (delivery === "deliver") return quorumInterface.encodeFunctionData("deliver", [argument]) as Hex;
  const other = { ...argument, verdict: { ...verdict, agreementId: hash("ee") } };
  return quorumInterface.encodeFunctionData("deliverMany", [[other, argument]]) as Hex;
}

export function escrowLog(name: string, values: readonly unknown[]): LogEvidence {
  return logOf(escrowInterface, ESCROW, name, values);
}

export function fundedLog(terms: Terms, agreementId: Hex): LogEvidence {
  return escrowLog("Funded", [agreementId, terms.buyer, terms.seller, toTermsStruct(terms)]);
}

export function logOf(
  abi: Interface,
  emitter: Address,
  name: string,
  values: readonly unknown[],
): LogEvidence {
  const { topics, data } = abi.encodeEventLog(name, values);
  return { address: emitter, topics: topics as Hex[], data: data as Hex };
}

export function transferLog(to: Address, amount: bigint): LogEvidence {
  return {
    address: TOKEN,
    topics: [
      topicOf("Transfer(address,address,uint256)") as Hex,
      zeroPadValue(ESCROW, 32).toLowerCase() as Hex,
      zeroPadValue(to, 32).toLowerCase() as Hex,
    ],
    data: `0x${amount.toString(16).padStart(64, "0")}`,
  };
}

function settlementLogs(
  terms: Terms,
  verdict: Verdict,
  recordHash: Hex,
  signing: readonly number[],
): LogEvidence[] {
  const certified = logOf(quorumInterface, QUORUM, "Certified", [
    verdict.escrow,
    verdict.agreementId,
    verdict.outcome,
    verdict.submissionHash,
    verdict.verdictHash,
    verdict.judge,
    verdict.judgeTx,
    signing.slice(0, THRESHOLD).map((index) => MEMBERS[index]),
  ]);
  const { agreementId, submissionHash, outcome } = verdict;
  const common = [agreementId, submissionHash, recordHash];
  if (outcome === 1)
    return [certified, escrowLog("Released", common), transferLog(terms.seller, terms.reward)];
  if (outcome !== 3)
    return [certified, escrowLog("Refunded", common), transferLog(terms.buyer, terms.reward)];
  const buyerShare = (terms.reward * 6_000n) / 10_000n;
  const sellerShare = terms.reward - buyerShare;
  // The buyer's token account refuses; its share became a credit.
  return [
    certified,
    escrowLog("Concluded", [...common, sellerShare]),
    transferLog(terms.seller, sellerShare),
    escrowLog("Credited", [agreementId, terms.buyer, buyerShare]),
  ];
}

type Draft = Pick<TransactionEvidence, "to" | "input" | "logs">;

/** Puts each transaction into a block of its own, third of five, with a proof. */
export function chained(drafts: readonly Draft[]): {
  blocks: BlockEvidence[];
  transactions: TransactionEvidence[];
} {
  const blocks: BlockEvidence[] = [];
  const transactions = drafts.map((draft, place): TransactionEvidence => {
    const index = 2;
    const receipts = Array.from({ length: 5 }, (_, other): ReceiptFields => ({
      type: 2,
      succeeded: true,
      cumulativeGasUsed: `0x${((other + 1) * 21_000).toString(16)}`,
      logsBloom: `0x${"00".repeat(256)}`,
      logs: other === index ? draft.logs : [],
      appended: [],
    }));
    const { root, proof } = proveReceipt(receipts, index);
    const number = 100 + place;
    const timestamp = NOW + 600 * place;
    const header = headerOf(root, number, timestamp);
    const block = { number, hash: keccak256(header) as Hex, timestamp, header };
    blocks.push(block);
    return { ...draft, hash: hash(`c${place}`), block: block.hash, index, receiptProof: proof };
  });
  return { blocks, transactions };
}

function headerOf(receiptsRoot: Hex, number: number, timestamp: number): Hex {
  const quantity = (value: number): string => {
    const digits = value.toString(16);
    return `0x${digits.length % 2 === 1 ? "0" : ""}${digits}`;
  };
  const filler = hash("0f");
  return encodeRlp([
    ...[filler, filler, SELLER, filler, filler, receiptsRoot, filler, "0x"],
    ...[quantity(number), "0x", "0x", quantity(timestamp), "0x", filler, "0x0000000000000000"],
  ]) as Hex;
}
