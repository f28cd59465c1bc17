import { expect } from "chai";
import {
  accepted,
  agreement,
  cancelled,
  certified,
  conceded,
  concluded,
  expired,
  funded,
  JUDGE,
  OPERATORS,
  refunded,
  released,
  settled,
  submitted,
  type OutcomeCode,
  type TestAgreement,
} from "../support/agreements.ts";
import type { Log } from "../support/logs.ts";
import type { Scenario } from "../support/scenario.ts";

interface Ending {
  name: string;
  agreement: TestAgreement;
  /** Blocks before the end. */
  before: Log[][][];
  end: (escrow: string) => Log[];
  status: string;
  cause: string;
  outcome: string | null;
  sellerAmount: bigint;
  /** The history's field that counts it. */
  counted: string;
  conceder?: string;
}

const unconsented = (a: TestAgreement): Log[][][] => [[[funded(a)]]];
const consented = (a: TestAgreement): Log[][][] => [[[funded(a), accepted(a)]]];
const delivered = (a: TestAgreement): Log[][][] => [...consented(a), [[submitted(a)]]];

const verdict = (
  label: string,
  code: OutcomeCode,
  expected: Pick<Ending, "status" | "outcome" | "sellerAmount" | "counted">,
  payment: (a: TestAgreement) => Log,
): Ending => {
  const a = agreement(label);
  return {
    name: `a certificate ${label}`,
    agreement: a,
    before: delivered(a),
    end: (escrow) => [certified(a, code, escrow), payment(a)],
    cause: "VERDICT",
    ...expected,
  };
};

const ruled = agreement("refunded by an adjudicator of its own");
const [takenBack, lapsed, noShow] = [agreement("cancelled"), agreement("lapsed"), agreement("no-show")];
const unjudged = agreement("unjudged");
const [byBuyer, bySeller, early] = [
  agreement("buyer concedes"),
  agreement("seller concedes"),
  agreement("early"),
];
const [agreed, agreedEarly] = [agreement("settled"), agreement("settled before acceptance")];
const half = 12_500_001n;

const table: Ending[] = [
  verdict(
    "of PASS",
    1,
    { status: "RELEASED", outcome: "PASS", sellerAmount: 25_000_001n, counted: "passed" },
    released,
  ),
  verdict(
    "of FAIL",
    2,
    { status: "REFUNDED", outcome: "FAIL", sellerAmount: 0n, counted: "failed" },
    refunded,
  ),
  verdict(
    "of UNDETERMINED",
    3,
    { status: "SPLIT", outcome: "UNDETERMINED", sellerAmount: half, counted: "undetermined" },
    (a) => concluded(a, half),
  ),
  verdict(
    "of WITHHELD",
    4,
    { status: "REFUNDED", outcome: "WITHHELD", sellerAmount: 0n, counted: "withheld" },
    refunded,
  ),
  {
    name: "a refund by an adjudicator that is no quorum",
    agreement: ruled,
    before: delivered(ruled),
    end: () => [refunded(ruled)],
    ...{ status: "REFUNDED", cause: "VERDICT", outcome: "FAIL", sellerAmount: 0n, counted: "failed" },
  },
  {
    name: "a cancellation",
    agreement: takenBack,
    before: unconsented(takenBack),
    end: () => [cancelled(takenBack)],
    ...{ status: "REFUNDED", cause: "CANCELLED", outcome: null, sellerAmount: 0n, counted: "cancelled" },
  },
  {
    name: "expiry of what the seller never accepted",
    agreement: lapsed,
    before: unconsented(lapsed),
    end: () => [expired(lapsed, 0n)],
    ...{ status: "REFUNDED", cause: "NO_SUBMISSION", outcome: null, sellerAmount: 0n, counted: "lapsed" },
  },
  {
    name: "expiry of what the seller accepted and never delivered",
    agreement: noShow,
    before: consented(noShow),
    end: () => [expired(noShow, 0n)],
    ...{ status: "REFUNDED", cause: "NO_SUBMISSION", outcome: null, sellerAmount: 0n, counted: "noShows" },
  },
  {
    name: "expiry of what was never judged",
    agreement: unjudged,
    before: delivered(unjudged),
    end: () => [expired(unjudged, half)],
    ...{ status: "SPLIT", cause: "NO_VERDICT", outcome: null, sellerAmount: half, counted: "unjudged" },
  },
  {
    name: "the buyer's concession",
    agreement: byBuyer,
    before: delivered(byBuyer),
    end: () => [conceded(byBuyer, byBuyer.buyer)],
    conceder: byBuyer.buyer,
    ...{
      status: "RELEASED",
      cause: "CONCEDED",
      outcome: null,
      sellerAmount: 25_000_001n,
      counted: "concededByBuyer",
    },
  },
  {
    name: "the seller's concession",
    agreement: bySeller,
    before: consented(bySeller),
    end: () => [conceded(bySeller, bySeller.seller)],
    conceder: bySeller.seller,
    ...{
      status: "REFUNDED",
      cause: "CONCEDED",
      outcome: null,
      sellerAmount: 0n,
      counted: "concededBySeller",
    },
  },
  {
    name: "a concession before acceptance",
    agreement: early,
    before: unconsented(early),
    end: () => [conceded(early, early.seller)],
    conceder: early.seller,
    ...{
      status: "REFUNDED",
      cause: "CONCEDED",
      outcome: null,
      sellerAmount: 0n,
      counted: "declined",
    },
  },
  {
    name: "a settlement after delivery",
    agreement: agreed,
    before: delivered(agreed),
    end: () => [settled(agreed, 1n)],
    ...{ status: "SPLIT", cause: "SETTLED", outcome: null, sellerAmount: 1n, counted: "settled" },
  },
  {
    name: "a settlement before acceptance",
    agreement: agreedEarly,
    before: unconsented(agreedEarly),
    end: () => [settled(agreedEarly, 25_000_001n)],
    ...{ status: "SPLIT", cause: "SETTLED", outcome: null, sellerAmount: 25_000_001n, counted: "settled" },
  },
];

/** Every way an agreement can end. */
export const endings: Scenario[] = table.map((ending) => ({
  name: `${ending.name} ends an agreement as ${ending.status}`,
  blocks: ({ escrow }) => [...ending.before, [ending.end(escrow)]],
  check: async (index) => {
    const { id, buyer, seller, reward, verdictHash } = ending.agreement;
    const history = `${ending.counted} ended sellerVolume buyerVolume lastEndedAt`;
    const { agreement: found, pair } = await index.query<{
      agreement: Found;
      pair: unknown;
    }>(`{ agreement(id: "${id}") {
      status cause outcome verdictHash conceder { id } sellerAmount buyerAmount closedAt
      certificates { outcome verdictHash judge submissionHash signers { id } agreement { id } }
      events(orderBy: sequence, orderDirection: desc, first: 1) { statusAfter sellerAmount timestamp party { id } }
      buyer { id asBuyer { ${history} } } seller { id asSeller { ${history} } } }
      pair(id: "${buyer + seller.slice(2)}") { funded ended passed sellerVolume } }`);
    const shares = {
      sellerAmount: String(ending.sellerAmount),
      buyerAmount: String(reward - ending.sellerAmount),
    };
    const conceder = ending.conceder === undefined ? null : { id: ending.conceder };
    expect(found).to.deep.include({
      status: ending.status,
      cause: ending.cause,
      outcome: ending.outcome,
      verdictHash: ending.cause === "VERDICT" ? verdictHash : null,
      conceder,
      ...shares,
    });
    const [last] = found.events;
    expect(last).to.deep.equal({
      statusAfter: ending.status,
      sellerAmount: shares.sellerAmount,
      timestamp: found.closedAt,
      party: conceder,
    });
    expect(found.certificates).to.deep.equal(
      ending.end(index.contracts.escrow).length === 1
        ? []
        : [
            {
              outcome: ending.outcome,
              verdictHash,
              judge: JUDGE,
              submissionHash: ending.agreement.submissionHash,
              signers: OPERATORS.slice(0, 2).map((operator) => ({ id: operator })),
              agreement: { id },
            },
          ],
    );
    const counts = {
      [ending.counted]: 1,
      ended: 1,
      sellerVolume: shares.sellerAmount,
      buyerVolume: shares.buyerAmount,
      lastEndedAt: found.closedAt,
    };
    expect(found.buyer).to.deep.equal({ id: buyer, asBuyer: counts });
    expect(found.seller).to.deep.equal({ id: seller, asSeller: counts });
    const passed = ending.counted === "passed" ? 1 : 0;
    expect(pair).to.deep.equal({ funded: 1, ended: 1, passed, sellerVolume: shares.sellerAmount });
  },
}));

interface Found {
  events: Record<string, unknown>[];
  [field: string]: unknown;
}
