import { expect } from "chai";
import fc from "fast-check";
import {
  SettlementError,
  readSettlement,
  toAddress,
  writeSettlement,
  type Hex,
  type Settlement,
} from "@assay/protocol";

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((value): Hex => `0x${Buffer.from(value).toString("hex")}`);
const signature = fc.option(hex(65), { nil: null });
const settlements: fc.Arbitrary<Settlement> = fc.record({
  chainId: fc.integer({ min: 1 }),
  escrow: hex(20).map((value) => toAddress(value)),
  agreementId: hex(32),
  sellerAmount: fc.bigInt({ min: 0n, max: 2n ** 255n }),
  buyerSignature: signature,
  sellerSignature: signature,
});

const SETTLEMENT: Settlement = {
  chainId: 1,
  escrow: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
  agreementId: `0x${"ab".repeat(32)}`,
  sellerAmount: 5n,
  buyerSignature: "0x01",
  sellerSignature: null,
};

describe("the text of a settlement", () => {
  it("reads as what was written, for any settlement", () => {
    fc.assert(
      fc.property(settlements, (settlement) => {
        expect(readSettlement(writeSettlement(settlement))).to.deep.equal(settlement);
      }),
    );
  });

  for (const [what, text] of [
    ["nothing", ""],
    ["no JSON", "{"],
    ["a member too many", writeSettlement(SETTLEMENT).replace("{", '{"more": 1,')],
    ["a member twice", writeSettlement(SETTLEMENT).replace("{", '{"chainId": 2,')],
    ["another schema", writeSettlement(SETTLEMENT).replace("settlement/1", "settlement/2")],
    ["an amount with a sign", writeSettlement(SETTLEMENT).replace('"5"', '"-5"')],
    ["an amount as a number", writeSettlement(SETTLEMENT).replace('"5"', "5")],
    ["half a byte of a signature", writeSettlement(SETTLEMENT).replace('"0x01"', '"0x1"')],
    ["an address with a wrong checksum", writeSettlement(SETTLEMENT).replace("0x5FbDB", "0x5fbDB")],
  ] as const)
    it(`is refused with ${what}`, () => {
      expect(() => readSettlement(text))
        .to.throw(SettlementError)
        .with.property("code", "SETTLEMENT_INVALID");
    });
});
