import { expect } from "chai";
import {
  accepted,
  addressOf,
  agreement,
  certified,
  credited,
  funded,
  released,
  settled,
  submitted,
  withdrawn,
} from "../support/agreements.ts";
import type { Scenario } from "../support/scenario.ts";

const refusedToSeller = agreement("refused to the seller");
const refusedToBoth = agreement("refused to both");
const [early, late] = [
  agreement("first credit"),
  agreement("second credit", { seller: agreement("first credit").seller }),
];
const safe = addressOf("safe");

const creditOf = async (index: Parameters<Scenario["check"]>[0], owner: string): Promise<unknown> => {
  const { credit } = await index.query<{ credit: unknown }>(
    `{ credit(id: "${index.contracts.escrow + owner.slice(2)}") {
      open credited withdrawn owner { id } withdrawals { to amount } } }`,
  );
  return credit;
};

/** Payouts that the token refuses. */
export const credits: Scenario[] = [
  {
    name: "a refused payout becomes a credit of its owner, and the agreement's end stays what it was",
    blocks: ({ escrow }) => [
      [[funded(refusedToSeller), accepted(refusedToSeller)], [submitted(refusedToSeller)]],
      [
        [
          certified(refusedToSeller, 1, escrow),
          released(refusedToSeller),
          credited(refusedToSeller, refusedToSeller.seller, refusedToSeller.reward),
        ],
      ],
    ],
    check: async (index) => {
      const { agreement: found } = await index.query<{
        agreement: unknown;
      }>(`{ agreement(id: "${refusedToSeller.id}") {
        status outcome sellerAmount sellerCredited buyerCredited
        events(where: { kind: CREDITED }) { sequence statusBefore statusAfter creditAmount party { id } } } }`);
      expect(found).to.deep.equal({
        ...{ status: "RELEASED", outcome: "PASS" },
        ...{ sellerAmount: "25000001", sellerCredited: "25000001", buyerCredited: null },
        events: [
          {
            sequence: 5,
            statusBefore: "RELEASED",
            statusAfter: "RELEASED",
            creditAmount: "25000001",
            party: { id: refusedToSeller.seller },
          },
        ],
      });
      expect(await creditOf(index, refusedToSeller.seller)).to.deep.equal({
        ...{ open: "25000001", credited: "25000001", withdrawn: "0" },
        owner: { id: refusedToSeller.seller },
        withdrawals: [],
      });
    },
  },
  {
    name: "a split that is refused to both sides credits each with its share",
    blocks: () => [
      [[funded(refusedToBoth)]],
      [
        [
          settled(refusedToBoth, 5n),
          credited(refusedToBoth, refusedToBoth.seller, 5n),
          credited(refusedToBoth, refusedToBoth.buyer, 24_999_996n),
        ],
      ],
    ],
    check: async (index) => {
      const { agreement: found } = await index.query<{ agreement: unknown }>(
        `{ agreement(id: "${refusedToBoth.id}") { sellerAmount buyerAmount sellerCredited buyerCredited } }`,
      );
      expect(found).to.deep.equal({
        ...{ sellerAmount: "5", sellerCredited: "5", buyerAmount: "24999996", buyerCredited: "24999996" },
      });
    },
  },
  {
    name: "a withdrawal empties the credits of all agreements and says where they went",
    blocks: () => [
      [[funded(early), settled(early, 3n), credited(early, early.seller, 3n)]],
      [[funded(late), settled(late, 4n), credited(late, late.seller, 4n)]],
      [[withdrawn(early.seller, safe, 7n)]],
    ],
    check: async (index) => {
      expect(await creditOf(index, early.seller)).to.deep.equal({
        ...{ open: "0", credited: "7", withdrawn: "7" },
        owner: { id: early.seller },
        withdrawals: [{ to: safe, amount: "7" }],
      });
    },
  },
];
