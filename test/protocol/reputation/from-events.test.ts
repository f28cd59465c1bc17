import { Interface } from "ethers";
import { expect } from "chai";
import {
  type AgreementEnd,
  type AgreementFact,
  type LifecycleEvent,
  type Outcome,
  ReputationError,
  type Terms,
  type TimedLog,
  agreementEscrowAbi,
  decodeLifecycleEvent,
  factsFromEvents,
  toTermsStruct,
  verdictQuorumAbi,
} from "@assay/protocol";
import { refusalOf } from "../support/refusal.ts";
import { agreementIdOfLabel, BUYER, CONFIG, OTHER, QUORUM, SELLER } from "./support/facts.ts";

const TERMS: Terms = {
  buyer: BUYER,
  seller: SELLER,
  reward: 100n,
  agreementHash: CONFIG,
  adjudicator: QUORUM,
  adjudicatorConfig: CONFIG,
  deliverBy: 5_000,
  adjudicateBy: 9_000,
  noVerdictSellerBps: 3_000,
  salt: 1n,
};
const ID = agreementIdOfLabel("one");

/** Events one after the other, a second apart, from second 1,000 on. */
type Bare = LifecycleEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, "agreementId" | "timestamp">
    : never
  : never;
const timed = (bare: Bare[], agreementId = ID): LifecycleEvent[] =>
  bare.map((event, second) => ({ ...event, agreementId, timestamp: 1_000 + second }));

const funded: Bare = { name: "Funded", terms: TERMS };
const accepted: Bare = { name: "Accepted" };
const submitted: Bare = { name: "Submitted" };
const certified = (outcome: Outcome): Bare => ({ name: "Certified", outcome });

/** What one agreement's events make of it. */
const factOf = (...bare: Bare[]): AgreementFact => factsFromEvents(timed(bare))[0]!;

describe("factsFromEvents", () => {
  it("takes terms and times from the events", () => {
    expect(factOf(funded, accepted, submitted, certified("PASS"), { name: "Released" })).to.deep.equal({
      ...{ agreementId: ID, buyer: BUYER, seller: SELLER, reward: 100n, deliverBy: 5_000 },
      ...{ agreementHash: CONFIG, adjudicator: QUORUM, adjudicatorConfig: CONFIG },
      ...{ fundedAt: 1_000, acceptedAt: 1_001, submittedAt: 1_002 },
      end: { at: 1_004, as: "passed", sellerAmount: 100n },
    });
  });

  it("takes submitting for accepting, and an agreement under way for one without an end", () => {
    expect(factOf(funded, submitted)).to.include({ acceptedAt: 1_001, submittedAt: 1_001, end: null });
    expect(factOf(funded)).to.include({ acceptedAt: null, submittedAt: null, end: null });
  });

  const endings: [Bare[], AgreementEnd["as"], bigint][] = [
    [[submitted, certified("FAIL"), { name: "Refunded" }], "failed", 0n],
    [[submitted, certified("WITHHELD"), { name: "Refunded" }], "withheld", 0n],
    [[submitted, { name: "Refunded" }], "failed", 0n],
    [[submitted, { name: "Released" }], "passed", 100n],
    [[submitted, certified("UNDETERMINED"), { name: "Concluded", sellerAmount: 30n }], "undetermined", 30n],
    [[{ name: "Cancelled" }], "cancelled", 0n],
    [[{ name: "Conceded", conceder: BUYER }], "concededByBuyer", 100n],
    [[{ name: "Conceded", conceder: SELLER }], "declined", 0n],
    [[accepted, { name: "Conceded", conceder: SELLER }], "concededBySeller", 0n],
    [[submitted, { name: "Conceded", conceder: SELLER }], "concededBySeller", 0n],
    [[accepted, { name: "Settled", sellerAmount: 7n }], "settled", 7n],
    [[{ name: "Expired", sellerAmount: 0n }], "lapsed", 0n],
    [[accepted, { name: "Expired", sellerAmount: 0n }], "noShows", 0n],
    [[accepted, submitted, { name: "Expired", sellerAmount: 30n }], "unjudged", 30n],
  ];
  for (const [events, as, sellerAmount] of endings) {
    it(`reads ${events.map(({ name }) => name).join(", ")} as ${as}`, () => {
      expect(factOf(funded, ...events).end).to.deep.include({ as, sellerAmount });
    });
  }

  it("keeps agreements apart whose events alternate", () => {
    const [one, other] = [timed([funded, submitted]), timed([funded, accepted], agreementIdOfLabel("other"))];
    const facts = factsFromEvents([one[0]!, other[0]!, other[1]!, one[1]!]);
    expect(facts).to.deep.equal([...factsFromEvents(one), ...factsFromEvents(other)]);
  });

  it("refuses events that can't be all there are, in order and once", () => {
    const refusal = (...bare: Bare[]): string =>
      refusalOf(ReputationError, () => factsFromEvents(timed(bare))).code;
    expect(refusal(accepted)).to.equal("agreement_unknown");
    expect(refusal(certified("PASS"))).to.equal("agreement_unknown");
    expect(refusal(funded, funded)).to.equal("agreement_duplicated");
    expect(refusal(funded, accepted, accepted)).to.equal("event_unexpected");
    expect(refusal(funded, submitted, submitted)).to.equal("event_unexpected");
    expect(refusal(funded, { name: "Released" })).to.equal("event_unexpected");
    expect(refusal(funded, accepted, { name: "Cancelled" })).to.equal("event_unexpected");
    expect(refusal(funded, { name: "Cancelled" }, { name: "Cancelled" })).to.equal("event_unexpected");
  });

  it("names the agreement and the event that it refuses", () => {
    const { message } = refusalOf(ReputationError, () =>
      factsFromEvents(timed([funded, accepted, accepted])),
    );
    expect(message).to.equal(`Accepted of agreement ${ID}, which was accepted before`);
  });
});

describe("decodeLifecycleEvent", () => {
  const contracts = { escrow: OTHER, quorum: QUORUM };
  const [escrowAbi, quorumAbi] = [new Interface(agreementEscrowAbi), new Interface(verdictQuorumAbi)];
  const log = (address: string, abi: Interface, name: string, values: unknown[]): TimedLog => ({
    address: address.toLowerCase(),
    ...abi.encodeEventLog(name, values),
    timestamp: 1_000,
  });
  const decoded = (address: string, abi: Interface, name: string, ...values: unknown[]) =>
    decodeLifecycleEvent(log(address, abi, name, values), contracts);
  const common = { agreementId: ID, timestamp: 1_000 };

  it("reads every event that moves an agreement", () => {
    const escrow = (name: string, ...values: unknown[]) => decoded(OTHER, escrowAbi, name, ID, ...values);
    expect(escrow("Funded", BUYER, SELLER, toTermsStruct(TERMS))).to.deep.equal({ ...common, ...funded });
    expect(escrow("Accepted")).to.deep.equal({ ...common, name: "Accepted" });
    expect(escrow("Submitted", CONFIG)).to.deep.equal({ ...common, name: "Submitted" });
    expect(escrow("Released", CONFIG, CONFIG)).to.deep.equal({ ...common, name: "Released" });
    expect(escrow("Refunded", CONFIG, CONFIG)).to.deep.equal({ ...common, name: "Refunded" });
    expect(escrow("Cancelled")).to.deep.equal({ ...common, name: "Cancelled" });
    expect(escrow("Concluded", CONFIG, CONFIG, 3n)).to.deep.equal({
      ...{ ...common, name: "Concluded", sellerAmount: 3n },
    });
    expect(escrow("Settled", 3n)).to.deep.equal({ ...common, name: "Settled", sellerAmount: 3n });
    expect(escrow("Expired", 3n)).to.deep.equal({ ...common, name: "Expired", sellerAmount: 3n });
    expect(escrow("Conceded", SELLER)).to.deep.equal({ ...common, name: "Conceded", conceder: SELLER });
  });

  it("has a meaning, or knowingly none, for every event of the escrow's ABI", () => {
    const meaning = escrowAbi.fragments.filter(({ type }) => type === "event").length;
    const named = [
      ...["Funded", "Accepted", "Submitted", "Released", "Refunded", "Concluded", "Cancelled", "Conceded"],
      ...["Settled", "Expired", "Credited", "Withdrawn"],
    ];
    expect(meaning).to.equal(named.length);
    expect(named.every((name) => escrowAbi.getEvent(name) !== null)).to.be.true;
  });

  it("reads a certificate for this escrow, and passes over one for another", () => {
    const certificate = (escrow: string, code: number) =>
      decoded(QUORUM, quorumAbi, "Certified", escrow, ID, code, CONFIG, CONFIG, BUYER, CONFIG, [BUYER]);
    expect(certificate(OTHER, 4)).to.deep.equal({ ...common, name: "Certified", outcome: "WITHHELD" });
    expect(certificate(BUYER, 4)).to.equal(undefined);
    expect(refusalOf(ReputationError, () => certificate(OTHER, 9)).code).to.equal("event_unknown");
  });

  it("passes over credits, operators, failed deliveries, and other contracts' logs", () => {
    expect(decoded(OTHER, escrowAbi, "Credited", ID, SELLER, 1n)).to.equal(undefined);
    expect(decoded(OTHER, escrowAbi, "Withdrawn", SELLER, SELLER, 1n)).to.equal(undefined);
    expect(decoded(QUORUM, quorumAbi, "OperatorRevoked", SELLER)).to.equal(undefined);
    expect(decoded(QUORUM, quorumAbi, "DeliveryFailed", 0, ID, "0x")).to.equal(undefined);
    expect(decoded(BUYER, escrowAbi, "Cancelled", ID)).to.equal(undefined);
  });

  it("refuses what the escrow's ABI does not have, and data that is cut short", () => {
    const refusal = (strange: TimedLog): string => {
      const { code, message } = refusalOf(ReputationError, () => decodeLifecycleEvent(strange, contracts));
      expect(code).to.equal("event_unknown");
      return message;
    };
    const settled = log(OTHER, escrowAbi, "Settled", [ID, 3n]);
    expect(refusal({ ...settled, topics: [CONFIG] })).to.include(`topic ${CONFIG}`);
    expect(refusal({ ...settled, topics: [] })).to.include("topic none");
    expect(refusal({ ...settled, data: settled.data.slice(0, -2) })).to.include("malformed Settled");
  });
});
