import { Contract, type EventLog } from "ethers";
import { agreementEscrowAbi, documentHash, verdictQuorumAbi, type Address, type Hex } from "@assay/protocol";
import { loadExample, type ExampleName } from "../../../examples/index.ts";
import {
  latestSubmission,
  waitForAgreement,
  type SubmissionView,
} from "../../../scripts/local/operator-api.ts";
import { deliveryFor, drawUp, fund, publish, submit, type Deal } from "../../../scripts/local/parties.ts";
import type { Stack } from "../../../scripts/local/stack.ts";
import { REWARD, queryIndex, type IndexedAgreement } from "../../../scripts/local/walk.ts";

const HOUR = 3600;
/** Names of the contract's `Status`, by number. */
const STATUSES = ["None", "Funded", "Accepted", "Submitted", "Released", "Refunded", "Split"] as const;

let salt = 0n;

/** The URL of an operator of the stack. */
export function operatorUrl(stack: Stack, index = 0): string {
  const operator = stack.operators[index];
  if (!operator) throw new Error(`The stack has no operator ${index}`);
  return operator.url;
}

/**
 * Draws up an agreement with a salt of its own, publishes its document and funds it with the seller's consent.
 *
 * @param via the operator that gets the document; the others have to fetch it from there
 */
export async function fundedDeal(stack: Stack, example: ExampleName, via = 0): Promise<Deal> {
  const deal = await drawUp(stack.venue, loadExample(example).agreement, {
    buyer: stack.cast.buyer.address as Address,
    seller: stack.cast.seller.address as Address,
    reward: REWARD,
    deliverWithin: HOUR,
    adjudicateWithin: 2 * HOUR,
    noVerdictSellerBps: 4_000,
    salt: salt++,
  });
  await publish(operatorUrl(stack, via), deal.document);
  await fund(stack.venue, deal, stack.cast);
  return deal;
}

/** Publishes the example's delivery and commits to it. */
export async function deliver(stack: Stack, deal: Deal, example: ExampleName, via = 0): Promise<Hex> {
  const delivery = deliveryFor(deal, loadExample(example).submission);
  await publish(operatorUrl(stack, via), delivery);
  await submit(stack.venue, deal, stack.cast.seller, documentHash(delivery));
  return documentHash(delivery);
}

/** Waits until an operator's work on the deal's submission meets a condition. */
export async function untilSubmission(
  stack: Stack,
  deal: Deal,
  done: (submission: SubmissionView) => boolean,
  operator = 0,
): Promise<SubmissionView> {
  const reached = (submission: SubmissionView | undefined): boolean =>
    submission !== undefined && done(submission);
  const view = await waitForAgreement(
    () => operatorUrl(stack, operator),
    deal.agreementId,
    (agreement) => reached(latestSubmission(agreement)),
  );
  return latestSubmission(view) as SubmissionView;
}

/** Waits until any operator's work on the deal's submission meets a condition. */
export async function untilAnySubmission(
  stack: Stack,
  deal: Deal,
  done: (submission: SubmissionView) => boolean,
): Promise<void> {
  let turn = 0;
  await waitForAgreement(
    () => operatorUrl(stack, turn++ % stack.operators.length),
    deal.agreementId,
    (agreement) => {
      const submission = latestSubmission(agreement);
      return submission !== undefined && done(submission);
    },
  );
}

export const untilState = (
  stack: Stack,
  deal: Deal,
  expected: string,
  operator = 0,
): Promise<SubmissionView> => untilSubmission(stack, deal, ({ state }) => state === expected, operator);

export const untilSettled = (stack: Stack, deal: Deal, operator = 0): Promise<SubmissionView> =>
  untilState(stack, deal, "SETTLED", operator);

/** The agreement's status as the contract itself says. */
export async function statusOf(stack: Stack, deal: Deal): Promise<(typeof STATUSES)[number]> {
  const escrow = new Contract(stack.venue.escrow, agreementEscrowAbi, stack.venue.provider);
  const [status] = (await escrow.getFunction("stateOf")(deal.agreementId)) as [bigint];
  return STATUSES[Number(status)] ?? "None";
}

/** Every certificate that the quorum ever took for this deal. */
export async function certificatesOf(stack: Stack, deal: Deal): Promise<EventLog[]> {
  const quorum = new Contract(stack.venue.quorum, verdictQuorumAbi, stack.venue.provider);
  const filter = quorum.filters["Certified"]?.(null, deal.agreementId);
  if (!filter) throw new Error("The quorum has no event Certified");
  return (await quorum.queryFilter(filter)) as EventLog[];
}

/** What the index says about the deal at the chain's latest block. */
export async function indexedDeal(stack: Stack, deal: Deal): Promise<IndexedAgreement> {
  const block = await stack.venue.provider.getBlock("latest");
  if (!block?.hash) throw new Error("The chain has no latest block");
  return queryIndex(stack, deal.agreementId, { number: block.number, hash: block.hash });
}

/** Moves the EVM chain's clock; every later block is at least that much later. */
export async function passTime(stack: Stack, seconds: number): Promise<void> {
  await stack.venue.provider.send("evm_increaseTime", [seconds]);
  await stack.venue.provider.send("evm_mine", []);
}

/** Calls one of the GenLayer network's fault controls. */
export async function control(stack: Stack, method: string, ...params: unknown[]): Promise<void> {
  const response = await fetch(stack.genlayer.rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: `localnet_${method}`, params }),
  });
  const { error } = (await response.json()) as { error?: { message: string } };
  if (error) throw new Error(`localnet_${method}: ${error.message}`);
}
