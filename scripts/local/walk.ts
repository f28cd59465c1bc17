import {
  documentHash,
  newSalt,
  verdictHash,
  type Address,
  type Hex,
  type VerdictRecord,
} from "@assay/protocol";
import { loadExample, type ExampleName } from "../../examples/index.ts";
import {
  latestSubmission,
  readAttestation,
  waitForAgreement,
  type AgreementView,
  type StageView,
  type SubmissionView,
} from "./operator-api.ts";
import { balanceOf, deliveryFor, drawUp, fund, publish, submit } from "./parties.ts";
import type { Stack } from "./stack.ts";

const HOUR = 3600;

/** Token base units (six decimals) of the demonstration's rewards. */
export const REWARD = 25_000_000n;

/** Balances in token base units. */
export interface Balances {
  buyer: bigint;
  seller: bigint;
  escrow: bigint;
}

/** Everything that one agreement's life left behind. */
export interface Walk {
  example: ExampleName;
  agreementId: Hex;
  agreementHash: Hex;
  submissionHash: Hex;
  transactions: { fund: Hex; submit: Hex; judge: Hex[]; settle: Hex };
  stages: StageView[];
  outcome: string;
  requirements: VerdictRecord["requirements"];
  verdictHash: Hex;
  /** Whether hashing the published record here gives the hash that the operators signed and the escrow reported. */
  verdictHashRecomputed: boolean;
  before: Balances;
  after: Balances;
  /** What each operator had to do with it, in the stack's order. */
  operators: OperatorPart[];
  /** graph-node's answer. */
  indexed: IndexedAgreement;
}

/** One operator's part in a settlement. */
export interface OperatorPart {
  address: Address;
  /** It published its signature over the verdict that was settled. */
  signed: boolean;
  /** Its signature is in the certificate that was delivered. */
  inCertificate: boolean;
  /** It sent the adjudication to GenLayer. */
  relayed: boolean;
  /** It delivered the certificate. */
  delivered: boolean;
}

/** What the index says about an agreement. */
export interface IndexedAgreement {
  status: string;
  outcome: string | null;
  verdictHash: Hex | null;
  sellerAmount: string | null;
  buyerAmount: string | null;
  certificates: { judgeTx: Hex; signers: { id: Address }[] }[];
  events: { sequence: number; kind: string; transactionHash: Hex }[];
}

const INDEX_QUERY = `query Agreement($id: ID!) {
  agreement(id: $id) {
    status outcome verdictHash sellerAmount buyerAmount
    certificates { judgeTx signers { id } }
    events(orderBy: sequence) { sequence kind transactionHash }
  }
}`;

/**
 * Takes one example through its whole life, from the buyer's signature to the index's answer.
 *
 * @param onStage told of every stage when it is reached
 */
export async function walk(
  stack: Stack,
  example: ExampleName,
  onStage: (stage: string) => void,
): Promise<Walk> {
  const { venue, cast } = stack;
  const { agreement, submission } = loadExample(example);
  const deal = await drawUp(venue, agreement, {
    buyer: cast.buyer.address as Address,
    seller: cast.seller.address as Address,
    reward: REWARD,
    deliverWithin: HOUR,
    adjudicateWithin: 2 * HOUR,
    noVerdictSellerBps: 5_000,
    salt: newSalt(),
  });
  const before = await balances(stack);

  // Each document goes to one operator only; the others get it from there.
  await publish(operatorUrl(stack, 0), deal.document);
  onStage("agreement published");
  const funding = await fund(venue, deal, cast);
  onStage("funded, with the seller's consent");
  const delivery = deliveryFor(deal, submission);
  await publish(operatorUrl(stack, 1), delivery);
  const submitting = await submit(venue, deal, cast.seller, documentHash(delivery));
  onStage("submitted");

  const view = await follow(stack, deal.agreementId, onStage);
  const settled = latestSubmission(view);
  if (!settled?.verdict || !settled.settlement) throw new Error("The operator settled without a verdict");
  const { record } = settled.verdict;
  const after = await balances(stack);
  const last = view.events.at(-1);
  if (!last) throw new Error("The operator has no events of an agreement that it settled");
  const indexed = await queryIndex(stack, deal.agreementId, {
    number: last.blockNumber,
    hash: last.blockHash,
  });
  onStage("indexed");

  return {
    example,
    agreementId: deal.agreementId,
    agreementHash: deal.terms.agreementHash,
    submissionHash: documentHash(delivery),
    transactions: {
      fund: funding.hash as Hex,
      submit: submitting.hash as Hex,
      judge: settled.judge.transactions,
      settle: settled.settlement.transactionHash,
    },
    stages: settled.stages,
    outcome: settled.verdict.outcome,
    requirements: settled.requirements,
    verdictHash: settled.verdict.verdictHash,
    verdictHashRecomputed: verdictHash(record) === settled.verdict.verdictHash,
    before,
    after,
    operators: await partsOf(stack, deal.agreementId, settled, indexed),
    indexed,
  };
}

/** The URL of an operator; of the first one when there are fewer. */
function operatorUrl({ operators }: Stack, index: number): string {
  const operator = operators[index] ?? operators[0];
  if (!operator) throw new Error("The stack has no operator");
  return operator.url;
}

async function partsOf(
  stack: Stack,
  agreementId: Hex,
  { verdict, settlement }: SubmissionView,
  { certificates }: IndexedAgreement,
): Promise<OperatorPart[]> {
  const inCertificate = new Set(certificates[0]?.signers.map(({ id }) => id.toLowerCase()));
  const delivery = await stack.venue.provider.getTransaction(settlement?.transactionHash ?? "0x");
  return Promise.all(
    stack.cast.operators.map(async ({ attester, submitter, judgeRelayer }, index) => {
      const attestation = await readAttestation(operatorUrl(stack, index), agreementId);
      return {
        address: attester.address as Address,
        signed: attestation !== undefined && attestation.verdict.verdictHash === verdict?.verdictHash,
        inCertificate: inCertificate.has(attester.address.toLowerCase()),
        relayed: verdict?.record.relayer === judgeRelayer.address,
        delivered: delivery?.from === submitter.address,
      };
    }),
  );
}

/** Waits until the settlement is final, and reports every stage once. */
function follow(stack: Stack, agreementId: Hex, onStage: (stage: string) => void): Promise<AgreementView> {
  const seen = new Set<string>(["included"]);
  return waitForAgreement(
    () => operatorUrl(stack, 0),
    agreementId,
    (view) => ["SETTLED", "QUARANTINED", "CONFLICT", "EXPIRED"].includes(latestSubmission(view)?.state ?? ""),
    {
      onView: (view) => {
        for (const { stage, at } of latestSubmission(view)?.stages ?? []) {
          if (at === null || seen.has(stage)) continue;
          seen.add(stage);
          onStage(stage);
        }
      },
    },
  );
}

async function balances({ venue, cast }: Stack): Promise<Balances> {
  const [buyer, seller, escrow] = await Promise.all(
    [cast.buyer.address, cast.seller.address, venue.escrow].map((holder) =>
      balanceOf(venue, holder as Address),
    ),
  );
  return { buyer: buyer ?? 0n, seller: seller ?? 0n, escrow: escrow ?? 0n };
}

/** Asks the index about an agreement once it has reached a block. */
export async function queryIndex(
  stack: Stack,
  id: Hex,
  block: { number: number; hash: string },
): Promise<IndexedAgreement> {
  await stack.graph.waitForBlock(block);
  return (await stack.graph.query<{ agreement: IndexedAgreement }>(INDEX_QUERY, { id })).agreement;
}
