import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { Wallet } from "ethers";
import { settlementTypedData, toAddress, writeSettlement, type Hex, type Settlement } from "@assay/protocol";
import { readDeal } from "../../../cli/src/deal/deal-file.ts";
import { openSettlement } from "../../../cli/src/deal/settlement-file.ts";
import { loadExample } from "../../../examples/index.ts";
import { dealFileOf } from "../../../web/src/acts/deal-file.ts";
import { settlementFor, type SettlementSubject } from "../../../web/src/acts/settlement-file.ts";
import { compose } from "../../../web/src/buyer/compose.ts";
import { draftOfDocument } from "../../../web/src/buyer/draft.ts";
import { writeLocalTime } from "../../../web/src/buyer/local-time.ts";
import { BUYER, NOW, SELLER, VENUE } from "../support/venue.ts";

describe("files that pass between the page and the command line", () => {
  let folder: string;
  const buyer = Wallet.createRandom();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-web-files-"));
  });
  after(() => rm(folder, { recursive: true }));

  async function saved(text: string): Promise<string> {
    const path = join(folder, "file.json");
    await writeFile(path, text);
    return path;
  }

  const { composed } = compose(
    draftOfDocument(loadExample("research-brief").agreement, {
      seller: SELLER,
      reward: "3",
      deliverBy: writeLocalTime(NOW + 86_400),
      adjudicateBy: writeLocalTime(NOW + 2 * 86_400),
    }),
    VENUE,
    BUYER,
    NOW,
  );

  it("an agreement saved by the page is opened by the command line, which recomputes all of it", async () => {
    const deal = await readDeal(await saved(dealFileOf(composed!, VENUE)));
    expect(deal.agreementId).to.equal(composed?.agreementId);
    expect(deal.terms).to.deep.equal(composed?.terms);
    expect(Buffer.from(deal.document)).to.deep.equal(Buffer.from(composed!.document));
  });

  const { chainId, escrow } = VENUE;
  const agreementId = composed!.agreementId;
  const subject: SettlementSubject = {
    chainId,
    escrow,
    agreementId,
    terms: { ...composed!.terms, buyer: toAddress(buyer.address) },
  };

  async function halfSigned(sellerAmount = 1_000_000n): Promise<Settlement> {
    const { domain, types, message } = settlementTypedData(agreementId, sellerAmount, chainId, escrow);
    const buyerSignature = (await buyer.signTypedData(domain, types, message)) as Hex;
    return { chainId, escrow, agreementId, sellerAmount, buyerSignature, sellerSignature: null };
  }

  it("a settlement that is half signed passes in both directions", async () => {
    const half = await halfSigned();
    expect(await openSettlement(await saved(writeSettlement(half)))).to.deep.equal(half);
    expect(settlementFor(writeSettlement(half), subject)).to.deep.equal(half);
  });

  for (const [what, change] of [
    ["another amount than was signed", (half) => ({ ...half, sellerAmount: 2n })],
    ["another agreement", (half) => ({ ...half, agreementId: `0x${"1".repeat(64)}` })],
    ["another escrow", (half) => ({ ...half, escrow: SELLER })],
    ["another chain", (half) => ({ ...half, chainId: 1 })],
    ["the buyer's signature as the seller's", (half) => ({ ...half, sellerSignature: half.buyerSignature })],
  ] as [string, (half: Settlement) => Settlement][])
    it(`a settlement with ${what} is refused`, async () => {
      const text = writeSettlement(change(await halfSigned()));
      expect(() => settlementFor(text, subject)).to.throw(Error, /settlement/);
    });

  it("a settlement of more than there is is refused", async () => {
    const text = writeSettlement(await halfSigned(subject.terms.reward + 1n));
    expect(() => settlementFor(text, subject)).to.throw(Error, "more than there is");
  });

  for (const text of ["", "{", "[]", '{"schema":"assay/settlement/1"}', "[".repeat(100_000)])
    it(`a text that is no settlement (${JSON.stringify(text.slice(0, 20))}) is refused in words`, () => {
      expect(() => settlementFor(text, subject)).to.throw(Error, /^This is no settlement\./);
    });
});
