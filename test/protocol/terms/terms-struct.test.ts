import { Interface, type Result } from "ethers";
import { expect } from "chai";
import fc from "fast-check";
import {
  type TermsStruct,
  ValueError,
  agreementEscrowAbi,
  termsFromEvent,
  toTermsStruct,
} from "@assay/protocol";
import { hash, terms } from "../support/arbitraries.ts";
import { refusalOf } from "../support/refusal.ts";

const escrow = new Interface(agreementEscrowAbi);

describe("terms as ABI codecs carry them", () => {
  it("survive the escrow's calldata", () => {
    fc.assert(
      fc.property(terms, (value) => {
        const calldata = escrow.encodeFunctionData("submit", [toTermsStruct(value), `0x${"00".repeat(32)}`]);
        const decoded = escrow.decodeFunctionData("submit", calldata) as Result & {
          readonly terms: TermsStruct;
        };
        expect(termsFromEvent(decoded.terms)).to.deep.equal(value);
      }),
    );
  });

  it("survive the escrow's event", () => {
    fc.assert(
      fc.property(terms, hash, (value, agreementId) => {
        const log = escrow.encodeEventLog("Funded", [
          agreementId,
          value.buyer,
          value.seller,
          toTermsStruct(value),
        ]);
        const decoded = escrow.decodeEventLog("Funded", log.data, log.topics) as Result & {
          readonly terms: TermsStruct;
        };
        expect(termsFromEvent(decoded.terms)).to.deep.equal(value);
      }),
    );
  });

  it("are returned with EIP-55 addresses and lower-case hashes", () => {
    fc.assert(
      fc.property(terms, (value) => {
        const struct = toTermsStruct(value);
        const shouted: TermsStruct = {
          ...struct,
          buyer: struct.buyer.toLowerCase(),
          agreementHash: `0x${struct.agreementHash.slice(2).toUpperCase()}`,
        };
        expect(termsFromEvent(shouted)).to.deep.equal(value);
      }),
    );
  });

  it("refuse a time that the ABI cannot have given", () => {
    fc.assert(
      fc.property(terms, (value) => {
        const struct: TermsStruct = { ...toTermsStruct(value), deliverBy: 2n ** 48n };
        expect(refusalOf(ValueError, () => termsFromEvent(struct)).code).to.equal("uint_out_of_range");
      }),
      { numRuns: 5 },
    );
  });
});
