import { expect } from "chai";
import { Wallet } from "ethers";
import { acceptanceTypedData, documentHash, toAddress, type Address } from "@assay/protocol";
import { loadExample } from "../../../examples/index.ts";
import { compose, type Composition } from "../../../web/src/buyer/compose.ts";
import { draftOfDocument, type Draft } from "../../../web/src/buyer/draft.ts";
import { writeLocalTime } from "../../../web/src/buyer/local-time.ts";
import { BUYER, NOW, SELLER, VENUE } from "../support/venue.ts";

const DAY = 86_400;

const draft = (over: Partial<Draft> = {}): Draft =>
  draftOfDocument(loadExample("password-reset/strict").agreement, {
    seller: SELLER,
    reward: "25",
    deliverBy: writeLocalTime(NOW + 3 * DAY),
    adjudicateBy: writeLocalTime(NOW + 4 * DAY),
    salt: "7",
    ...over,
  });
const composing = (over: Partial<Draft> = {}, buyer: Address | null = BUYER): Composition =>
  compose(draft(over), VENUE, buyer, NOW);
const fieldsOf = ({ problems }: Composition): string[] => [...new Set(problems.map(({ field }) => field))];

describe("composing an agreement from the form", () => {
  it("gives the document, the terms that name it, and the agreement's id", () => {
    const { composed, problems } = composing();
    expect(problems).to.deep.equal([]);
    expect(composed?.terms).to.deep.include({
      buyer: BUYER,
      seller: SELLER,
      reward: 25_000_000n,
      noVerdictSellerBps: 5_000,
      adjudicator: VENUE.quorum.address,
      salt: 7n,
    });
    expect(composed?.terms.agreementHash).to.equal(documentHash(composed!.document));
    expect(composed?.agreementId).to.match(/^0x[0-9a-f]{64}$/);
  });

  it("changes the id with every term, and with every word of the document", () => {
    const ids = [
      {},
      { salt: "8" },
      { reward: "26" },
      { title: "Another title" },
      { sellerShare: "49.99" },
      { seller: VENUE.adjudication.relayers[0] ?? "" },
      { deliverBy: writeLocalTime(NOW + 2 * DAY) },
      { rounds: "2" },
    ].map((over) => composing(over).composed?.agreementId);
    expect(ids).to.not.include(undefined);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  for (const [what, over, field] of [
    ["no title", { title: "" }, "title"],
    ["a title that is too long", { title: "a".repeat(201) }, "title"],
    ["no task", { task: "" }, "task"],
    ["no requirements", { requirements: [] }, "requirements"],
    [
      "two requirements of one name",
      { requirements: [requirement("A"), requirement("A")] },
      "requirements[1].id",
    ],
    [
      "a check without its text",
      { requirements: [{ ...requirement("A"), check: { type: "string_present", fields: {} } }] },
      "requirements[0].check.needle",
    ],
    [
      "a pattern that could take for ever",
      { requirements: [{ ...requirement("A"), check: { type: "regex", fields: { pattern: "(a+)+" } } }] },
      "requirements[0].check.pattern",
    ],
    [
      "a path out of the delivery",
      { requirements: [{ ...requirement("A"), check: { type: "file_exists", fields: { path: "../x" } } }] },
      "requirements[0].check.path",
    ],
    [
      "a status that is no number",
      {
        requirements: [
          {
            ...requirement("A"),
            check: { type: "http_status", fields: { url: "https://example.org", status: "ok" } },
          },
        ],
      },
      "requirements[0].check.status",
    ],
    ["a category in capitals", { category: "Code" }, "category"],
    ["no seller", { seller: "" }, "seller"],
    ["a seller that is no address", { seller: "0x123" }, "seller"],
    ["the buyer as the seller", { seller: BUYER }, "seller"],
    ["the escrow as the seller", { seller: VENUE.escrow }, "seller"],
    ["no reward", { reward: "" }, "reward"],
    ["a reward of nothing", { reward: "0" }, "reward"],
    ["a reward with too many decimals", { reward: "1.0000001" }, "reward"],
    ["no deadline", { deliverBy: "" }, "deliverBy"],
    ["a delivery in nine minutes", { deliverBy: writeLocalTime(NOW + 540) }, "deliverBy"],
    [
      "a delivery in over a year",
      { deliverBy: writeLocalTime(NOW + 366 * DAY), adjudicateBy: writeLocalTime(NOW + 367 * DAY) },
      "deliverBy",
    ],
    ["a verdict before the delivery", { adjudicateBy: writeLocalTime(NOW + 2 * DAY) }, "adjudicateBy"],
    ["a verdict after a year", { adjudicateBy: writeLocalTime(NOW + 100 * DAY) }, "adjudicateBy"],
    ["a share above the whole", { sellerShare: "101" }, "sellerShare"],
    ["no rounds", { rounds: "0" }, "rounds"],
    ["validators that are no number", { minValidators: "many" }, "minValidators"],
    ["the seller as a reporter", { reporters: [{ id: "lab", address: SELLER }] }, "reporters[0].address"],
    ["a consent that is not the seller's", { sellerSignature: `0x${"1".repeat(130)}` }, "sellerSignature"],
  ] as [string, Partial<Draft>, string][])
    it(`refuses ${what}, at its field and with a way out`, () => {
      const composition = composing(over);
      expect(composition.composed).to.equal(null);
      expect(fieldsOf(composition)).to.include(field);
      for (const { message, hint } of composition.problems) {
        expect(message).to.match(/^[^a-z].*[.!?]$/s);
        expect(hint).to.not.equal("");
      }
    });

  it("tells everything that is wrong at once", () => {
    expect(fieldsOf(composing({ title: "", seller: "", reward: "x", deliverBy: "" }))).to.include.members([
      "title",
      "seller",
      "reward",
      "deliverBy",
    ]);
  });

  it("finds nothing wrong but composes nothing while no wallet is connected", () => {
    expect(composing({}, null)).to.deep.equal({ composed: null, problems: [] });
  });

  it("takes the seller's consent when it is for exactly these terms", async () => {
    const seller = Wallet.createRandom();
    const over = { seller: toAddress(seller.address) };
    const { agreementId } = composing(over).composed!;
    const { domain, types, message } = acceptanceTypedData(agreementId, VENUE.chainId, VENUE.escrow);
    const sellerSignature = await seller.signTypedData(domain, types, message);
    expect(composing({ ...over, sellerSignature }).composed?.sellerSignature).to.equal(sellerSignature);
    expect(fieldsOf(composing({ ...over, reward: "24", sellerSignature }))).to.deep.equal([
      "sellerSignature",
    ]);
  });
});

function requirement(id: string): Draft["requirements"][number] {
  return { id, text: "It works.", check: null };
}
