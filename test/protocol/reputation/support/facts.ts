import { id as keccakOfText } from "ethers";
import fc from "fast-check";
import {
  type Address,
  type AgreementFact,
  type AsOf,
  ENDINGS,
  type Ending,
  type Hex,
  ZERO_HASH,
  toAddress,
} from "@assay/protocol";

export const DAY = 86_400;

/** The moment that the tests count for. */
export const NOW = 1_900_000_000;

export const AS_OF: AsOf = { blockNumber: 7, blockHash: ZERO_HASH, timestamp: NOW };

const addressOf = (label: string): Address => toAddress(keccakOfText(`address ${label}`).slice(0, 42));

export const BUYER = addressOf("buyer");
export const SELLER = addressOf("seller");
export const OTHER = addressOf("other");
export const QUORUM = addressOf("quorum");
export const CONFIG = keccakOfText("members and threshold") as Hex;

/** SHA-256 of the document that all of them share unless they say otherwise. */
export const DOCUMENT = keccakOfText("document") as Hex;

export const agreementIdOfLabel = (label: string): Hex => keccakOfText(`agreement ${label}`) as Hex;

/** An agreement that was delivered and ended a number of days ago; `changes` tell what was different. */
export function fact(
  label: string,
  as: Ending | null,
  daysAgo = 0,
  changes: Partial<AgreementFact> = {},
): AgreementFact {
  const at = NOW - daysAgo * DAY;
  return {
    agreementId: agreementIdOfLabel(label),
    buyer: BUYER,
    seller: SELLER,
    reward: 100n,
    agreementHash: DOCUMENT,
    adjudicator: QUORUM,
    adjudicatorConfig: CONFIG,
    deliverBy: at - 1,
    fundedAt: at - 3_600,
    acceptedAt: at - 1_800,
    submittedAt: at - 900,
    end: as === null ? null : { at, as, sellerAmount: 0n },
    ...changes,
  };
}

const REACHED_BY: Record<Ending, "FUNDED" | "ACCEPTED" | "SUBMITTED" | null> = {
  passed: "SUBMITTED",
  failed: "SUBMITTED",
  undetermined: "SUBMITTED",
  withheld: "SUBMITTED",
  unjudged: "SUBMITTED",
  noShows: "ACCEPTED",
  lapsed: "FUNDED",
  cancelled: "FUNDED",
  declined: "FUNDED",
  concededByBuyer: null,
  concededBySeller: null,
  settled: null,
};

/** Any agreement between the buyer and the seller that the escrow could have seen, ended or not. */
export const anyFact: fc.Arbitrary<AgreementFact> = fc
  .record({
    salt: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    as: fc.option(fc.constantFrom(...ENDINGS)),
    reach: fc.constantFrom("FUNDED", "ACCEPTED", "SUBMITTED"),
    fundedDaysAgo: fc.integer({ min: 20, max: 2_000 }),
    gaps: fc.tuple(
      fc.integer({ min: 0, max: 3 * DAY }),
      fc.integer({ min: 0, max: 3 * DAY }),
      fc.integer({ min: 1, max: 5 * DAY }),
    ),
    reward: fc.bigInt({ min: 1n, max: 2n ** 64n }),
  })
  .map(({ salt, as, reach: free, fundedDaysAgo, gaps, reward }) => {
    const reach =
      (as === null ? null : REACHED_BY[as]) ??
      (as === "concededBySeller" && free === "FUNDED" ? "ACCEPTED" : free);
    const fundedAt = NOW - fundedDaysAgo * DAY;
    const acceptedAt = reach === "FUNDED" ? null : fundedAt + gaps[0];
    const submittedAt = reach === "SUBMITTED" ? (acceptedAt ?? fundedAt) + gaps[1] : null;
    const deliverBy = (submittedAt ?? acceptedAt ?? fundedAt) + gaps[1];
    return fact(`any ${salt}`, as, 0, {
      ...{ reward, fundedAt, acceptedAt, submittedAt, deliverBy },
      end: as === null ? null : { at: deliverBy + gaps[2], as, sellerAmount: as === "passed" ? reward : 0n },
    });
  });

/** Any number of different agreements. */
export const anyFacts = fc.uniqueArray(anyFact, {
  maxLength: 20,
  selector: ({ agreementId }) => agreementId,
});
