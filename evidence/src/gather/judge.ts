import {
  buildVerdictRecord,
  canonicalize,
  DocumentError,
  expectedCalldata,
  findGenLayerNetwork,
  openCase,
  parseAdjudication,
  verdictHash,
  type Address,
  type CaseFile,
  type Evidence,
  type Finding,
  type Hex,
  type JointCase,
  type JudgeEvidence,
  type JudgeTransactionEvidence,
  type StoredRecordEvidence,
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
  const { contract, relayers } = agreement.adjudication;
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
  const { key, joint } = file;
  const workflowKey = joint?.plan.place.workflowKey;
  const recordOf = (sender: Address): Promise<StoredRecordEvidence | null> => {
    if (workflowKey !== undefined) return network.responsibility(contract, sender, workflowKey);
    return key === null ? Promise.resolve(null) : network.record(contract, sender, key);
  };
  const recordsOf = async (): Promise<Records | null> => {
    if (workflowKey === undefined) return key === null ? null : network.records(contract, key);
    const found = await Promise.all(
      relayers.map((sender) => network.responsibility(contract, sender, workflowKey)),
    );
    return relayers.flatMap((sender, index) => {
      const { version = 0, sequence = 0 } = found[index] ?? {};
      return version === 0 ? [] : [{ sender, sequence }];
    });
  };
  const [chainId, code, records, transactions] = await Promise.all([
    network.chainId(),
    attempt("judgeCode", () => network.code(contract)),
    attempt("judgeRecord", recordsOf),
    attempt("judgeTransactions", () => transactionsOf(file, network)),
  ]);
  const last = transactions?.at(-1);
  const sender = last?.sender;
  const isJudged = file.outcome === "PASS" || file.outcome === "FAIL";
  // A workflow may have found, for good, that nothing can be found: UNDETERMINED with a record.
  const mayHaveRecord = isJudged || (joint !== null && file.outcome === "UNDETERMINED");
  const found = mayHaveRecord && sender != null ? await attempt("judgeRecord", () => recordOf(sender)) : null;
  const record = found?.version === 0 && !isJudged ? null : found;
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
    outcome === "UNDETERMINED" && !(await isAttributed(file, network, judgeTx))
      ? (file.record?.document?.transactions ?? (await inconclusiveIds(file, network, judgeTx)))
      : [judgeTx];
  const found = await Promise.all(ids.map((id) => network.transaction(id)));
  return found.filter((transaction) => transaction !== null);
}

/** Whether a workflow's verdict was stored by this transaction, whatever it says. */
async function isAttributed(
  { agreement, joint }: CaseFile,
  network: JudgeNetwork,
  id: Hex,
): Promise<boolean> {
  const sender = (await network.transaction(id))?.sender;
  if (joint === null || agreement?.document == null || sender == null) return false;
  const { contract } = agreement.document.adjudication;
  return (await network.responsibility(contract, sender, joint.plan.place.workflowKey)).version !== 0;
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
  const { agreement } = file;
  const calldata = expectedCalldata(file);
  if (agreement?.document == null || calldata === null) return [];
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
    const { joint } = openCase({ ...evidence, judge });
    const finding = joint === null ? findingOf(file, judge) : jointFindingOf(file, joint, judge);
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

/** The same for one side of a joint agreement, as far as the other side's submission is at hand. */
function jointFindingOf(
  { outcome }: CaseFile,
  { stored, outputs, partnerSubmission }: JointCase,
  { record, transactions }: JudgeEvidence,
): Finding | null {
  if (outcome === "WITHHELD") return { kind: "withheld" };
  if (outcome === "UNDETERMINED" && record === null)
    return { kind: "undetermined", transactions: transactions.map(({ id }) => id) };
  const [transaction] = transactions;
  if (transaction === undefined || stored === null || outputs === null || partnerSubmission === null)
    return null;
  return {
    kind: "attributed",
    record: stored,
    outputs,
    partnerSubmissionHash: partnerSubmission.sha256,
    transaction: transaction.id,
  };
}
