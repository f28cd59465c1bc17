import type { Wallet } from "ethers";
import { documentHash, newSalt, type Address, type Hex } from "@assay/protocol";
import { loadExample, type ExampleName } from "../../examples/index.ts";
import { latestSubmission, waitForAgreement } from "../local/operator-api.ts";
import { deliveryFor, drawUp, fund, publish, submit, type Deal } from "../local/parties.ts";
import type { Stack } from "../local/stack.ts";

const HOUR = 3600;
const SETTLE_SECONDS = 180;

/** A delivery that the judge has to call good, and one that it has to call bad. */
const EXAMPLES = { PASS: "password-reset/strict", FAIL: "password-reset/lenient" } as const satisfies Record<
  string,
  ExampleName
>;

/** What a past agreement came to. */
export interface PastAgreement {
  agreementId: Hex;
  buyer: Address;
  outcome: string;
}

/** Draws up the demonstration's one kind of deal between two people. */
export function drawUpReset(stack: Stack, buyer: Wallet, seller: Wallet, reward: bigint): Promise<Deal> {
  return drawUp(stack.venue, loadExample(EXAMPLES.PASS).agreement, {
    buyer: buyer.address as Address,
    seller: seller.address as Address,
    reward,
    deliverWithin: HOUR,
    adjudicateWithin: 2 * HOUR,
    noVerdictSellerBps: 5_000,
    salt: newSalt(),
  });
}

/** The submission document with which a seller does well, or badly. */
export function resetDelivery(deal: Deal, outcome: keyof typeof EXAMPLES): Uint8Array {
  return deliveryFor(deal, loadExample(EXAMPLES[outcome]).submission);
}

/**
 * Makes a seller's history: one agreement after the other with buyers in turn, each funded, delivered, judged and
 * settled for real. Judging overlaps with the agreements that follow.
 *
 * @param reward token base units of each
 * @param onSettled told of each agreement when it is settled
 */
export async function makeHistory(
  stack: Stack,
  options: {
    seller: Wallet;
    buyers: readonly Wallet[];
    outcomes: readonly (keyof typeof EXAMPLES)[];
    reward: bigint;
    onSettled: (past: PastAgreement) => void;
  },
): Promise<PastAgreement[]> {
  const { seller, buyers, outcomes, reward, onSettled } = options;
  const settling: Promise<PastAgreement>[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const buyer = buyers[index % buyers.length];
    if (!buyer) throw new Error("A history needs a buyer");
    const deal = await drawUpReset(stack, buyer, seller, reward);
    const delivery = resetDelivery(deal, outcome);
    await Promise.all([publish(operatorUrl(stack), deal.document), publish(operatorUrl(stack), delivery)]);
    await fund(stack.venue, deal, { buyer, seller, relayer: seller });
    await submit(stack.venue, deal, seller, documentHash(delivery));
    const settled = untilSettled(stack, deal, buyer).then((past) => {
      onSettled(past);
      return past;
    });
    // Awaited below; until then a failure must not count as unhandled.
    settled.catch(() => undefined);
    settling.push(settled);
  }
  return Promise.all(settling);
}

async function untilSettled(stack: Stack, deal: Deal, buyer: Wallet): Promise<PastAgreement> {
  const view = await waitForAgreement(
    () => operatorUrl(stack),
    deal.agreementId,
    (seen) => latestSubmission(seen)?.state === "SETTLED",
    { timeoutSeconds: SETTLE_SECONDS },
  );
  const outcome = latestSubmission(view)?.verdict?.outcome;
  if (outcome === undefined) throw new Error(`Agreement ${deal.agreementId} was settled without a verdict`);
  return { agreementId: deal.agreementId, buyer: buyer.address as Address, outcome };
}

/** The URL of the operator that everybody here uses. */
export function operatorUrl({ operators }: Stack): string {
  const [operator] = operators;
  if (!operator) throw new Error("The stack has no operator");
  return operator.url;
}
