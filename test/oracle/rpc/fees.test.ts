import { expect } from "chai";
import fc from "fast-check";
import { capped, raised, replacing } from "../../../oracle/src/rpc/index.ts";

const price = fc.bigInt({ min: 0n, max: 10n ** 15n });
const fees = fc.record({ maxFeePerGas: price, maxPriorityFeePerGas: price });

describe("prices of a replacement", () => {
  it("are a tenth more than before at the least, and never above the cap", () => {
    fc.assert(
      fc.property(fees, fees, price, (previous, market, cap) => {
        const next = replacing(previous, market, cap);
        if (next === null) {
          expect(raised(previous.maxFeePerGas) > cap).to.equal(true);
          return;
        }
        expect(next.maxFeePerGas <= cap).to.equal(true);
        expect(next.maxPriorityFeePerGas <= next.maxFeePerGas).to.equal(true);
        expect(next.maxFeePerGas * 10n >= previous.maxFeePerGas * 11n).to.equal(true);
      }),
    );
  });

  it("are the market's when that is more", () => {
    const market = { maxFeePerGas: 900n, maxPriorityFeePerGas: 50n };
    expect(replacing({ maxFeePerGas: 100n, maxPriorityFeePerGas: 10n }, market, 10_000n)).to.deep.equal(
      market,
    );
  });

  it("do not exist when the cap leaves no room for a tenth more", () => {
    const market = { maxFeePerGas: 900n, maxPriorityFeePerGas: 50n };
    expect(replacing({ maxFeePerGas: 100n, maxPriorityFeePerGas: 10n }, market, 110n)).to.equal(null);
  });

  it("keep the priority fee below the capped whole", () => {
    expect(capped({ maxFeePerGas: 100n, maxPriorityFeePerGas: 90n }, 50n)).to.deep.equal({
      maxFeePerGas: 50n,
      maxPriorityFeePerGas: 50n,
    });
  });
});
