import { createHash } from "node:crypto";
import { expect } from "chai";
import fc from "fast-check";
import { type Address, ValueError, adjudicationKey } from "@assay/protocol";
import { address, hash } from "../support/arbitraries.ts";
import { adjudicationKeyByHand, adjudicationKeyPreimageByHand } from "../support/by-hand.ts";
import { refusalOf } from "../support/refusal.ts";
import { identifierVectors } from "../support/vectors.ts";

const fields = fc.record({
  chainId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  escrow: address,
  agreementId: hash,
  agreementHash: hash,
  submissionHash: hash,
});

describe("adjudicationKey", () => {
  for (const [index, vector] of identifierVectors.adjudicationKeys.entries()) {
    it(`gives the vector's key, number ${index}`, () => {
      expect(adjudicationKey(vector)).to.equal(vector.adjudicationKey);
      expect(adjudicationKeyPreimageByHand(vector)).to.equal(vector.preimage);
      const preimage = Buffer.from(vector.preimage.slice(2), "hex");
      expect(`0x${createHash("sha256").update(preimage).digest("hex")}`).to.equal(vector.adjudicationKey);
    });
  }

  it("equals the key written out by hand for any fields", () => {
    fc.assert(
      fc.property(fields, (any) => {
        expect(adjudicationKey(any)).to.equal(adjudicationKeyByHand(any));
      }),
    );
  });

  it("does not depend on letter case", () => {
    const vector = identifierVectors.adjudicationKeys[0]!;
    const lower = { ...vector, escrow: vector.escrow.toLowerCase() as Address };
    expect(adjudicationKey(lower)).to.equal(vector.adjudicationKey);
  });

  it("tells equal hashes in different places apart", () => {
    const one = { ...identifierVectors.adjudicationKeys[0]! };
    const swapped = { ...one, agreementHash: one.submissionHash, submissionHash: one.agreementHash };
    expect(adjudicationKey(swapped)).to.not.equal(adjudicationKey(one));
  });

  it("refuses a chain id that text could carry and JSON could not", () => {
    const fieldsOf = { ...identifierVectors.adjudicationKeys[0]!, chainId: 2 ** 53 };
    expect(refusalOf(ValueError, () => adjudicationKey(fieldsOf)).code).to.equal("chain_id_out_of_range");
  });
});
