import { expect } from "chai";
import { agreementEscrowAbi, interfaceOf, verdictQuorumAbi } from "@assay/protocol";

describe("the interface of an ABI", () => {
  it("is made once, however often it is asked for", () => {
    expect(interfaceOf(agreementEscrowAbi)).to.equal(interfaceOf(agreementEscrowAbi));
  });

  it("is that ABI's own", () => {
    expect(interfaceOf(agreementEscrowAbi).getFunction("accept")).not.to.equal(null);
    expect(interfaceOf(verdictQuorumAbi).getFunction("accept")).to.equal(null);
  });
});
