import { expect } from "chai";
import fc from "fast-check";
import {
  categoriesOf,
  documentHash,
  reputationOf,
  utf8Encode,
  type Categories,
  type Hex,
} from "@assay/protocol";
import { documentVectors } from "../support/vectors.ts";
import { anyFacts, AS_OF, BUYER, fact, SELLER } from "./support/facts.ts";

const hash = (digits: string): Hex => `0x${digits.repeat(32)}`;
const [PAINTING, WRITING, PLAIN, UNSEEN] = ["a1", "a2", "a3", "a4"].map(hash) as [Hex, Hex, Hex, Hex];
const CATEGORIES: Categories = new Map([
  [WRITING, "writing"],
  [PAINTING, "painting"],
  [PLAIN, null],
]);

describe("categories of agreements", () => {
  const agreements = documentVectors.accepted.filter(({ format }) => format === "agreement");

  it("are those that the documents declare, found by the documents' own hashes", () => {
    const found = categoriesOf(agreements.map(({ canonical }) => canonical));
    expect([...found]).to.deep.equal(
      agreements.map(({ name, sha256 }) => [sha256, name === "a category" ? "web-development" : null]),
    );
    expect([...found.values()]).to.include("web-development");
  });

  it("are none for what is no agreement", () => {
    for (const bytes of ["no JSON", "{}", new Uint8Array([0xff])]) {
      const hashed = documentHash(typeof bytes === "string" ? utf8Encode(bytes) : bytes);
      expect([...categoriesOf([bytes])]).to.deep.equal([[hashed, null]]);
    }
  });

  const facts = [
    fact("one", "passed", 1, { agreementHash: PAINTING }),
    fact("two", "failed", 2, { agreementHash: PAINTING }),
    fact("three", "passed", 3, { agreementHash: WRITING }),
    fact("four", "passed", 4, { agreementHash: PLAIN }),
    fact("five", "failed", 5, { agreementHash: UNSEEN }),
  ];

  it("are counted each by itself, in order, the undeclared last, the unseen documents as missing", () => {
    const { byCategory, asSeller } = reputationOf({
      ...{ party: SELLER, asOf: AS_OF, agreements: facts, categories: CATEGORIES },
    });
    expect(
      byCategory?.categories.map((one) => [
        one.category,
        one.asSeller.counts.passed,
        one.asSeller.counts.failed,
      ]),
    ).to.deep.equal([
      ["painting", 1, 1],
      ["writing", 1, 0],
      [null, 1, 0],
    ]);
    expect(byCategory?.categories[0]?.asSeller.completion.all.bps).to.equal(5_000);
    expect(byCategory?.documentsMissing).to.equal(1);
    expect(asSeller.counts.ended).to.equal(5);
  });

  it("have the figures of a party that did nothing else", () => {
    const { byCategory } = reputationOf({
      ...{ party: BUYER, asOf: AS_OF, agreements: facts, categories: CATEGORIES },
    });
    const painting = facts.filter(({ agreementHash }) => agreementHash === PAINTING);
    const { asBuyer, asSeller } = reputationOf({ party: BUYER, asOf: AS_OF, agreements: painting });
    expect(byCategory?.categories[0]).to.deep.equal({ category: "painting", asBuyer, asSeller });
  });

  it("are not counted when none were given", () => {
    expect(reputationOf({ party: SELLER, asOf: AS_OF, agreements: facts })).to.have.property(
      "byCategory",
      null,
    );
  });

  it("and what is missing add up to the whole", () => {
    const documents = fc.constantFrom(PAINTING, WRITING, PLAIN, UNSEEN);
    fc.assert(
      fc.property(anyFacts, fc.infiniteStream(documents), (anything, stream) => {
        const agreements = anything.map((one) => ({ ...one, agreementHash: stream.next().value as Hex }));
        const whole = reputationOf({ party: SELLER, asOf: AS_OF, agreements, categories: CATEGORIES });
        const { categories, documentsMissing } = whole.byCategory!;
        const funded = categories.map(
          ({ asSeller, asBuyer }) => asSeller.counts.funded + asBuyer.counts.funded,
        );
        const all = whole.asSeller.counts.funded + whole.asBuyer.counts.funded;
        expect(funded.reduce((sum, count) => sum + count, documentsMissing)).to.equal(all);
      }),
    );
  });
});
