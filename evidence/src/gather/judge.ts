import {
  adjudicateCalldata,
  buildVerdictRecord,
  canonicalize,
  DocumentError,
  findGenLayerNetwork,
  openCase,
  parseAdjudication,
  verdictHash,
  type Address,
  type CaseFile,
  type Evidence,
  type Finding,
  type Hex,
  type JudgeEvidence,
  type JudgeTransactionEvidence,
} from "@assay/protocol";
import { UnavailableError } from "../error.ts";
import { openJudgeNetwork, type JudgeNetwork } from "../genlayer/judge.ts";

type Gap = Evidence["gaps"][number];

/** What was read about the judge's side. */
export interface JudgeReading {
  readonly judge: JudgeEvidence | null;
  /** The verdict record, rebuilt from the judge's own, when it hashes to the hash on chain. */
  readonly verdictRecord: string | null;
  readonly gaps: readonly Gap[];
}

/**
 * Reads the judge's transactions, record and code, and rebuilds the verdict record from them, so that nobody who
 * published it has to be there any more.
 *
 * @param evidence what is known from the EVM and about the documents.
 * @param published the verdict record, if a source had it: it names the transactions that ended without a verdict.
 */
export async function readJudge(
  evidence: Evidence,
  published: string | null,
  url: string | null,
): Promise<JudgeReading> {
  const file = openCase({ ...evidence, verdictRecord: published });
  const agreement = file.agreement?.document;
  if (agreement == null) return nothing("the agreement document, which names the judge, is missing");
  const network = findGenLayerNetwork(agreement.adjudication.network);
  if (network === undefined)
    return nothing(`this build knows no GenLayer network named ${agreement.adjudication.network}`);
  if (url === null && network.simulated && network.name === "localnet")
    return nothing("no endpoint of the local GenLayer network was given");
  try {
    const judge = await openJudgeNetwork(network, url);
    return await read(file, judge);
  } catch (error) {
    if (error instanceof UnavailableError) return nothing(error.message);
    throw error;
  }
}

function nothing(reason: string): JudgeReading {
  return { judge: null, verdictRecord: null, gaps: [{ subject: "judge", reason }] };
}

async function read(file: CaseFile, network: JudgeNetwork): Promise<JudgeReading> {
  const agreement = file.agreement?.document;
  if (agreement == null) return nothing("the agreement document is missing");
  const { contract } = agreement.adjudication;
  const gaps: Gap[] = [];
  const attempt = async <T>(subject: Gap["subject"], work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      gaps.push({ subject, reason: error.message });
      return null;
    }
  };
  const { key } = file;
  const [chainId, code, records, transactions] = await Promise.all([
    network.chainId(),
    attempt("judgeCode", () => network.code(contract)),
    key === null ? null : attempt("judgeRecord", () => network.records(contract, key)),
    attempt("judgeTransactions", () => transactionsOf(file, network)),
  ]);
  const last = transactions?.at(-1);
  const sender = last?.sender;
  const isJudged = file.outcome === "PASS" || file.outcome === "FAIL";
  const record =
    isJudged && key !== null && sender != null
      ? await attempt("judgeRecord", () => network.record(contract, sender, key))
      : null;
  const judge: JudgeEvidence = {
    chainId,
    consensusMain: network.network.consensusMain,
    transactions: transactions ?? [],
    record,
    records:
      records === null || record === null
        ? records
        : ((await attempt("judgeTransactions", () => withRivals(file, network, records, record.sequence))) ??
          records),
    code,
  };
  return { judge, verdictRecord: rebuilt(file, judge), gaps };
}

/** The transactions behind the verdict: from its record, from the certificate, or by looking through the judge's. */
async function transactionsOf(file: CaseFile, network: JudgeNetwork): Promise<JudgeTransactionEvidence[]> {
  const { outcome, history } = file;
  const judgeTx = history.certified?.judgeTx;
  if (outcome === null || outcome === "WITHHELD" || judgeTx === undefined) return [];
  const ids =
    outcome === "UNDETERMINED"
      ? (file.record?.document?.transactions ?? (await inconclusiveIds(file, network, judgeTx)))
      : [judgeTx];
  const found = await Promise.all(ids.map((id) => network.transaction(id)));
  return found.filter((transaction) => transaction !== null);
}

/** Transactions that ended without a verdict, up to the one that is certified. */
async function inconclusiveIds(file: CaseFile, network: JudgeNetwork, last: Hex): Promise<Hex[]> {
  const policy = file.agreement?.document?.adjudication;
  if (policy === undefined) return [last];
  const final = (await transactionsAbout(file, network, policy.relayers)).filter(
    ({ status }) => status === "FINALIZED",
  );
  const before = final.map(({ id }) => id).filter((id) => id !== last);
  return [...before.slice(0, policy.rounds - 1), last];
}

type Records = NonNullable<JudgeEvidence["records"]>;

/** Adds their transactions to the records of named relayers that are numbered lower than the verdict's. */
async function withRivals(
  file: CaseFile,
  network: JudgeNetwork,
  records: Records,
  sequence: number,
): Promise<Records> {
  const relayers = file.agreement?.document?.adjudication.relayers ?? [];
  const isRival = (entry: Records[number]): boolean =>
    entry.sequence < sequence && relayers.includes(entry.sender);
  const senders = records.filter(isRival).map(({ sender }) => sender);
  if (senders.length === 0) return records;
  const transactions = await transactionsAbout(file, network, senders);
  return records.map((entry) =>
    isRival(entry)
      ? { ...entry, transactions: transactions.filter(({ sender }) => sender === entry.sender) }
      : entry,
  );
}

/** What these senders sent to the judge about exactly these documents, oldest first. */
async function transactionsAbout(
  file: CaseFile,
  network: JudgeNetwork,
  senders: readonly Address[],
): Promise<JudgeTransactionEvidence[]> {
  const { agreement, submission, evidence } = file;
  if (agreement?.document == null || submission === null) return [];
  const calldata = adjudicateCalldata({
    agreementId: evidence.agreementId,
    chainId: evidence.evm.chainId,
    escrow: evidence.evm.escrow,
    agreement: agreement.text,
    submission: submission.text,
  });
  const found: JudgeTransactionEvidence[] = [];
  for (const id of await network.transactionsTo(agreement.document.adjudication.contract)) {
    const transaction = await network.transaction(id);
    if (transaction?.calldata !== calldata || transaction.sender === null) continue;
    if (senders.includes(transaction.sender)) found.push(transaction);
  }
  return found;
}

/** The verdict record that follows from what the judge says, if it is the one on chain. */
function rebuilt(file: CaseFile, judge: JudgeEvidence): string | null {
  const { agreement, history, evidence } = file;
  const submissionHash = history.submitted?.submissionHash;
  if (agreement?.document == null || submissionHash === undefined) return null;
  try {
    const finding = findingOf(file, judge);
    if (finding === null) return null;
    const record = buildVerdictRecord({
      agreement: agreement.document,
      agreementId: evidence.agreementId,
      submissionHash,
      chainId: evidence.evm.chainId,
      escrow: evidence.evm.escrow,
      finding,
    });
    return verdictHash(record) === history.ending?.verdictHash ? canonicalize(record) : null;
  } catch (error) {
    if (error instanceof DocumentError) return null;
    throw error;
  }
}

function findingOf({ outcome }: CaseFile, { record, transactions }: JudgeEvidence): Finding | null {
  if (outcome === "WITHHELD") return { kind: "withheld" };
  if (outcome === "UNDETERMINED")
    return { kind: "undetermined", transactions: transactions.map(({ id }) => id) };
  const [transaction] = transactions;
  if (outcome === null || transaction === undefined || record === null || record.version === 0) return null;
  return { kind: "adjudicated", adjudication: parseAdjudication(record.record), transaction: transaction.id };
}
