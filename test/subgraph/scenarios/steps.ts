import { expect } from "chai";
import { accepted, agreement, cancelled, funded, submitted } from "../support/agreements.ts";
import type { Scenario } from "../support/scenario.ts";

const terms = agreement("terms");
const step = agreement("steps");
const direct = agreement("submitted without acceptance");
const [twinA, twinB] = [agreement("twin A"), agreement("twin B")];
const rushed = agreement("whole life in one block");
const again = agreement("first of a pair");
const againSame = agreement("second of a pair", { buyer: again.buyer, seller: again.seller });
const reversed = agreement("roles reversed", { buyer: again.seller, seller: again.buyer });

/** Agreements on their way, before they end. */
export const steps: Scenario[] = [
  {
    name: "holds every term of a funded agreement",
    blocks: () => [[[funded(terms)]]],
    check: async (index) => {
      const answer = await index.query(`{ agreement(id: "${terms.id}") {
        status reward agreementHash adjudicator adjudicatorConfig deliverBy adjudicateBy noVerdictSellerBps salt
        buyer { id } seller { id } sellerAmount buyerAmount sellerCredited buyerCredited
        submissionHash verdictHash outcome cause conceder { id } certificates { id } acceptedAt submittedAt closedAt } }`);
      expect(answer).to.deep.equal({
        agreement: {
          status: "FUNDED",
          reward: String(terms.reward),
          agreementHash: terms.agreementHash,
          adjudicator: terms.adjudicator,
          adjudicatorConfig: terms.adjudicatorConfig,
          deliverBy: String(terms.deliverBy),
          adjudicateBy: String(terms.adjudicateBy),
          noVerdictSellerBps: terms.noVerdictSellerBps,
          salt: String(terms.salt),
          buyer: { id: terms.buyer },
          seller: { id: terms.seller },
          ...{ sellerAmount: null, buyerAmount: null, sellerCredited: null, buyerCredited: null },
          ...{ submissionHash: null, verdictHash: null, outcome: null, cause: null, conceder: null },
          ...{ certificates: [], acceptedAt: null, submittedAt: null, closedAt: null },
        },
      });
    },
  },
  {
    name: "times each step",
    blocks: () => [[[funded(step)]], [[accepted(step)]], [[submitted(step)]]],
    check: async (index) => {
      const { agreement: found } = await index.query<{
        agreement: StepTimes;
      }>(`{ agreement(id: "${step.id}") {
        status submissionHash fundedAt acceptedAt submittedAt
        events(orderBy: sequence) { kind sequence statusBefore statusAfter timestamp } } }`);
      const [first, second, third] = found.events;
      expect(
        found.events.map(({ kind, sequence, statusBefore, statusAfter }) => [
          sequence,
          kind,
          statusBefore,
          statusAfter,
        ]),
      ).to.deep.equal([
        [1, "FUNDED", null, "FUNDED"],
        [2, "ACCEPTED", "FUNDED", "ACCEPTED"],
        [3, "SUBMITTED", "ACCEPTED", "SUBMITTED"],
      ]);
      expect(found).to.deep.include({
        ...{ status: "SUBMITTED", submissionHash: step.submissionHash },
        ...{ fundedAt: first?.timestamp, acceptedAt: second?.timestamp, submittedAt: third?.timestamp },
      });
    },
  },
  {
    name: "takes a submission without acceptance for consent",
    blocks: () => [[[funded(direct)]], [[submitted(direct)]]],
    check: async (index) => {
      const answer = await index.query<{ agreement: { acceptedAt: string; submittedAt: string } }>(
        `{ agreement(id: "${direct.id}") { status acceptedAt submittedAt seller { soldCount asSeller { ended accepted submitted } } } }`,
      );
      expect(answer.agreement).to.deep.include({
        status: "SUBMITTED",
        acceptedAt: answer.agreement.submittedAt,
        seller: { soldCount: 1, asSeller: { ended: 0, accepted: 0, submitted: 0 } },
      });
    },
  },
  {
    name: "keeps two fundings of one transaction apart",
    blocks: () => [[[funded(twinA), funded(twinB)]]],
    check: async (index) => {
      const { agreementEvents } = await index.query<{
        agreementEvents: { id: string; transactionHash: string }[];
      }>(
        `{ agreementEvents(where: { agreement_in: ["${twinA.id}", "${twinB.id}"] }) { id transactionHash kind } }`,
      );
      expect(agreementEvents).to.have.length(2);
      expect(new Set(agreementEvents.map(({ transactionHash }) => transactionHash))).to.have.property(
        "size",
        1,
      );
    },
  },
  {
    name: "follows a whole life within one block",
    blocks: () => [[[funded(rushed)], [accepted(rushed)], [submitted(rushed)]]],
    check: async (index) => {
      const answer = await index.query(
        `{ agreement(id: "${rushed.id}") { status eventCount events(orderBy: sequence) { kind } } }`,
      );
      expect(answer).to.deep.equal({
        agreement: {
          status: "SUBMITTED",
          eventCount: 3,
          events: [{ kind: "FUNDED" }, { kind: "ACCEPTED" }, { kind: "SUBMITTED" }],
        },
      });
    },
  },
  {
    name: "counts a pair's agreements together and each party's roles apart",
    blocks: () => [[[funded(again)]], [[funded(againSame)], [funded(reversed)]], [[cancelled(again)]]],
    check: async (index) => {
      const { party } = await index.query<{ party: unknown }>(`{ party(id: "${again.buyer}") {
        boughtCount soldCount asBuyer { cancelled } asSeller { cancelled }
        bought(orderBy: fundedAt) { id } sold { id } pairsAsBuyer { funded ended } } }`);
      expect(party).to.include({ boughtCount: 2, soldCount: 1 });
      expect(party).to.have.deep.property("asBuyer", { cancelled: 1 });
      expect(party).to.have.deep.property("asSeller", { cancelled: 0 });
      expect(party).to.have.deep.property("bought", [{ id: again.id }, { id: againSame.id }]);
      expect(party).to.have.deep.property("sold", [{ id: reversed.id }]);
      expect(party).to.have.nested.property("pairsAsBuyer[0].funded", 2);
      expect(party).to.have.nested.property("pairsAsBuyer[0].ended", 1);
    },
  },
];

interface StepTimes {
  events: {
    kind: string;
    sequence: number;
    statusBefore: string | null;
    statusAfter: string;
    timestamp: string;
  }[];
  [field: string]: unknown;
}
