import { expect } from "chai";
import { ValueError, documentCid, documentHash } from "@assay/protocol";
import { refusalOf } from "../support/refusal.ts";

describe("documentCid", () => {
  it("is the name that IPFS gives to raw bytes", () => {
    // `ipfs add --cid-version 1 --raw-leaves` of "hello world" without a line feed.
    expect(documentCid(documentHash(Buffer.from("hello world")))).to.equal(
      "bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e",
    );
  });

  it("has 59 characters for every hash", () => {
    for (const digit of ["0", "7", "f"])
      expect(documentCid(`0x${digit.repeat(64)}`)).to.match(/^bafkrei[a-z2-7]{52}$/);
  });

  it("refuses what is no hash", () => {
    expect(refusalOf(ValueError, () => documentCid("0x12")).code).to.equal("hex_malformed");
  });
});
