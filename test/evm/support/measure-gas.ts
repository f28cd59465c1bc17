import { MaxUint256 } from "ethers";
import type { GateWorld } from "./execution.ts";
import { measureExecutionGas } from "./measure-execution-gas.ts";
import { packDelivery } from "./packed.ts";
import { DAY, networkHelpers, SUBMISSION_HASH, time } from "./world.ts";
import { Outcome, type Terms } from "./typed-data.ts";

/** The operations that are measured, in the order of the report. */
export const OPERATIONS = [
  "fundWithAuthorization",
  "fundWithApproval",
  "fundWithPermit",
  "accept",
  "submit",
  "release1of1",
  "release2of3",
  "release3of5",
  "refund1of1",
  "conclude1of1",
  "settle",
  "concede",
  "expireUnsubmitted",
  "expireUnjudged",
  "withdraw",
  "batch10PerRelease",
  "batch50PerRelease",
  "life3of5",
  "executionProof5",
  "executionProof20",
  "executionProof100",
  "executionPerStep",
] as const;

export type GasReport = Record<(typeof OPERATIONS)[number], number>;

/** What is measured beside the report: the same deliveries in the form of `deliver`. */
export type UnpackedReport = Record<
  "release1of1" | "release2of3" | "release3of5" | "refund1of1" | "conclude1of1",
  number
>;

/** A fixed time, because its bytes are part of the calldata that is paid for. */
const NOW = 2_000_000_000n;

/**
 * Measures whole transactions on the real FiatToken: intrinsic gas, calldata and refunds included.
 *
 * Buyer, seller and whoever else receives hold USDC already, the escrow's balance isn't zero, the buyer's allowance is
 * larger than the reward, and funding carries the seller's consent. Certificates are delivered packed, except in
 * batches. The buyer has used a permit before.
 */
export async function measureGas(world: GateWorld): Promise<{ report: GasReport; unpacked: UnpackedReport }> {
  const { escrow, quorum, token, buyer, seller, stranger, relayer } = world;
  await time.setNextBlockTimestamp(NOW - 1n);
  await networkHelpers.mine();
  const clocks = { deliverBy: NOW + DAY, adjudicateBy: NOW + 2n * DAY };

  const gasOf = async (
    sending: Promise<{ wait(): Promise<{ gasUsed: bigint } | null> }>,
  ): Promise<number> => {
    const receipt = await (await sending).wait();
    if (receipt === null) throw new Error("a measured transaction was not mined");
    return Number(receipt.gasUsed);
  };
  /** Measures, and returns to where the chain was. */
  const trial = async (measure: () => Promise<number>): Promise<number> => {
    const before = await networkHelpers.takeSnapshot();
    const gas = await measure();
    await before.restore();
    return gas;
  };
  const termsFor = (members: number, threshold: bigint) => world.makeQuorumTerms(members, threshold, clocks);
  const submitted = async (members: number, threshold: bigint): Promise<Terms> => {
    const terms = await world.fund(await termsFor(members, threshold));
    return world.submit(terms);
  };

  const terms = await termsFor(1, 1n);
  const acceptance = await world.signAcceptance(terms);
  const fundWithAuthorization = await trial(() => gasOf(world.fundWithAuthorization(terms, acceptance)));
  const fundWithApproval = await trial(() => gasOf(escrow.connect(buyer).fund(terms, acceptance)));
  const fundWithPermit = await trial(async () => {
    await token.connect(buyer).approve(world.escrowAddress, 0n);
    const permit = async (next: Terms) =>
      escrow
        .connect(buyer)
        .fundWithPermit(
          next,
          MaxUint256,
          await world.signPermit(next, MaxUint256),
          await world.signAcceptance(next),
        );
    await permit(await termsFor(1, 1n));
    return gasOf(permit(terms));
  });
  const accept = await trial(async () => {
    await world.fund(terms);
    return gasOf(escrow.connect(seller).accept(terms));
  });
  const submit = await trial(async () => {
    await world.fund(terms, acceptance);
    return gasOf(escrow.connect(seller).submit(terms, SUBMISSION_HASH));
  });

  const deliver = async (members: number, threshold: bigint, outcome: bigint) => {
    const delivery = await world.makeDelivery(
      await submitted(members, threshold),
      members,
      threshold,
      outcome,
    );
    return {
      packed: await trial(() => gasOf(quorum.connect(relayer).deliverPacked(packDelivery(delivery)))),
      unpacked: await trial(() => gasOf(quorum.connect(relayer).deliver(delivery))),
    };
  };
  const release1of1 = await deliver(1, 1n, Outcome.PASS);
  const release2of3 = await deliver(3, 2n, Outcome.PASS);
  const release3of5 = await deliver(5, 3n, Outcome.PASS);
  const refund1of1 = await deliver(1, 1n, Outcome.FAIL);
  const conclude1of1 = await deliver(1, 1n, Outcome.UNDETERMINED);

  const settle = await trial(async () => {
    const settled = await submitted(1, 1n);
    const half = settled.reward / 2n;
    return gasOf(
      escrow
        .connect(relayer)
        .settle(
          settled,
          half,
          await world.signSettlement(settled, half, buyer),
          await world.signSettlement(settled, half, seller),
        ),
    );
  });
  const concede = await trial(async () => gasOf(escrow.connect(buyer).concede(await submitted(1, 1n))));
  const expireUnsubmitted = await trial(async () => {
    await world.fund(terms);
    await time.setNextBlockTimestamp(clocks.deliverBy + 1n);
    return gasOf(escrow.connect(relayer).expire(terms));
  });
  const expireUnjudged = await trial(async () => {
    const unjudged = await submitted(1, 1n);
    await time.setNextBlockTimestamp(clocks.adjudicateBy + 1n);
    return gasOf(escrow.connect(relayer).expire(unjudged));
  });
  const withdraw = await trial(async () => {
    const conceded = await submitted(1, 1n);
    await token.blacklist(seller.address);
    await escrow.connect(buyer).concede(conceded);
    return gasOf(escrow.connect(seller).withdraw(stranger.address));
  });
  const batch = (size: number) =>
    trial(async () => {
      const deliveries = [];
      for (let index = 0; index < size; index++) {
        deliveries.push(await world.makeDelivery(await submitted(1, 1n), 1, 1n));
      }
      return Math.ceil((await gasOf(quorum.connect(relayer).deliverMany(deliveries))) / size);
    });

  const report: GasReport = {
    fundWithAuthorization,
    fundWithApproval,
    fundWithPermit,
    accept,
    submit,
    release1of1: release1of1.packed,
    release2of3: release2of3.packed,
    release3of5: release3of5.packed,
    refund1of1: refund1of1.packed,
    conclude1of1: conclude1of1.packed,
    settle,
    concede,
    expireUnsubmitted,
    expireUnjudged,
    withdraw,
    batch10PerRelease: await batch(10),
    batch50PerRelease: await batch(50),
    life3of5: fundWithAuthorization + submit + release3of5.packed,
    ...(await measureExecutionGas(world)),
  };
  const unpacked = {
    release1of1: release1of1.unpacked,
    release2of3: release2of3.unpacked,
    release3of5: release3of5.unpacked,
    refund1of1: refund1of1.unpacked,
    conclude1of1: conclude1of1.unpacked,
  };
  return { report, unpacked };
}
