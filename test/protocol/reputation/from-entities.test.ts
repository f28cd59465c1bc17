import { readFileSync } from "node:fs";
import { expect } from "chai";
import {
  AGREEMENT_FACT_FIELDS,
  type AgreementEntity,
  type Ending,
  ReputationError,
  factsFromEntities,
} from "@assay/protocol";
import { refusalOf } from "../support/refusal.ts";
import { agreementIdOfLabel, BUYER, CONFIG, DOCUMENT, QUORUM, SELLER } from "./support/facts.ts";

/** An agreement as the index answers over GraphQL. */
function entity(changes: Partial<AgreementEntity> = {}): AgreementEntity {
  return {
    id: agreementIdOfLabel("one"),
    buyer: { id: BUYER.toLowerCase() },
    seller: { id: SELLER.toLowerCase() },
    reward: "100",
    agreementHash: DOCUMENT,
    adjudicator: QUORUM.toLowerCase(),
    adjudicatorConfig: CONFIG,
    deliverBy: "5000",
    fundedAt: "1000",
    acceptedAt: "1001",
    submittedAt: "1002",
    closedAt: null,
    cause: null,
    outcome: null,
    conceder: null,
    sellerAmount: null,
    ...changes,
  };
}

const ended = (changes: Partial<AgreementEntity>): AgreementEntity =>
  entity({ closedAt: "1004", sellerAmount: "100", ...changes });

describe("factsFromEntities", () => {
  it("takes amounts, times and addresses in the index's spelling", () => {
    expect(factsFromEntities([ended({ cause: "VERDICT", outcome: "PASS" })])).to.deep.equal([
      {
        ...{ agreementId: agreementIdOfLabel("one"), buyer: BUYER, seller: SELLER, reward: 100n },
        ...{ agreementHash: DOCUMENT, adjudicator: QUORUM, adjudicatorConfig: CONFIG, deliverBy: 5_000 },
        ...{ fundedAt: 1_000, acceptedAt: 1_001, submittedAt: 1_002 },
        end: { at: 1_004, as: "passed", sellerAmount: 100n },
      },
    ]);
  });

  it("takes bigints for decimal text", () => {
    const text = ended({ cause: "SETTLED" });
    const big = { ...text, reward: 100n, deliverBy: 5_000n, fundedAt: 1_000n, acceptedAt: 1_001n };
    const bigger = { ...big, submittedAt: 1_002n, closedAt: 1_004n, sellerAmount: 100n };
    expect(factsFromEntities([bigger])).to.deep.equal(factsFromEntities([text]));
  });

  const notSubmitted = { submittedAt: null };
  const notAccepted = { acceptedAt: null, submittedAt: null };
  const buyer = { id: BUYER.toLowerCase() };
  const seller = { id: SELLER.toLowerCase() };
  const endings: [Partial<AgreementEntity>, Ending][] = [
    [{ cause: "VERDICT", outcome: "FAIL" }, "failed"],
    [{ cause: "VERDICT", outcome: "UNDETERMINED" }, "undetermined"],
    [{ cause: "VERDICT", outcome: "WITHHELD" }, "withheld"],
    [{ cause: "NO_SUBMISSION", ...notSubmitted }, "noShows"],
    [{ cause: "NO_SUBMISSION", ...notAccepted }, "lapsed"],
    [{ cause: "NO_VERDICT" }, "unjudged"],
    [{ cause: "CANCELLED", ...notAccepted }, "cancelled"],
    [{ cause: "CONCEDED", conceder: buyer }, "concededByBuyer"],
    [{ cause: "CONCEDED", conceder: seller }, "concededBySeller"],
    [{ cause: "CONCEDED", conceder: seller, ...notAccepted }, "declined"],
    [{ cause: "SETTLED" }, "settled"],
  ];
  for (const [changes, as] of endings) {
    it(`reads ${JSON.stringify(changes.cause)} as ${as}`, () => {
      expect(factsFromEntities([ended(changes)])[0]?.end?.as).to.equal(as);
    });
  }

  it("reads an agreement under way as one without an end", () => {
    expect(factsFromEntities([entity(notAccepted)])[0]).to.include({ ...notAccepted, end: null });
  });

  it("asks for fields that the schema has", () => {
    const schema = readFileSync(new URL("../../../subgraph/schema.graphql", import.meta.url), "utf8");
    const type = /^type Agreement @entity[^{]*\{(.*?)^\}/ms.exec(schema)![1]!;
    for (const field of AGREEMENT_FACT_FIELDS) expect(type).to.match(new RegExp(`^  ${field}: `, "m"));
    expect(Object.keys(entity())).to.have.members([...AGREEMENT_FACT_FIELDS]);
  });

  it("refuses the same agreement twice, as overlapping pages give it", () => {
    const { code, hint } = refusalOf(ReputationError, () => factsFromEntities([entity(), entity()]));
    expect(code).to.equal("agreement_duplicated");
    expect(hint).to.include("id_gt");
  });

  it("refuses answers that are malformed, and names the field", () => {
    const refused: [unknown, string][] = [
      [null, ""],
      [{ ...entity(), reward: undefined }, "reward"],
      [{ ...entity(), reward: "1e3" }, "reward"],
      [{ ...entity(), reward: "-1" }, "reward"],
      [{ ...entity(), reward: 100 }, "reward"],
      [{ ...entity(), deliverBy: "9".repeat(16) }, "deliverBy"],
      [{ ...entity(), buyer: BUYER }, "buyer"],
      [{ ...entity(), seller: { id: "0x12" } }, "seller.id"],
      [{ ...entity(), cause: "LOST" }, "cause"],
      [ended({ cause: "VERDICT" }), "outcome"],
      [ended({ cause: "CONCEDED" }), "conceded by nobody"],
      [entity({ cause: "SETTLED" }), "closedAt"],
      [entity({ closedAt: "1004" }), "closedAt"],
    ];
    for (const [raw, named] of refused) {
      const { code, message } = refusalOf(ReputationError, () => factsFromEntities([raw]));
      expect(code).to.equal("entity_malformed");
      expect(message).to.include(named);
    }
  });
});
