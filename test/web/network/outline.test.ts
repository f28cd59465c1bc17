import { expect } from "chai";
import { NETWORKS_SCHEMA, PROFILE_SCHEMA } from "@assay/protocol";
import { ConfigurationError } from "../../../web/src/network/configuration.ts";
import { openNetworks } from "../../../web/src/network/network.ts";
import { outlinesIn } from "../../../web/src/network/outline.ts";

const PROFILE = {
  schema: PROFILE_SCHEMA,
  name: "localnet",
  evm: {
    rpcUrl: "http://127.0.0.1:8545",
    chainId: 31337,
    escrow: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  },
};
const configuration = (...networks: unknown[]): string =>
  JSON.stringify({ schema: NETWORKS_SCHEMA, networks });

describe("what the frame says of the networks", () => {
  it("is what the networks themselves say once they are open", () => {
    const text = configuration(PROFILE, {
      ...PROFILE,
      name: "base",
      evm: { ...PROFILE.evm, chainId: 8453 },
    });
    const opened = openNetworks(text).map(({ name, label, simulated }) => ({ name, label, simulated }));
    expect(outlinesIn(text)).to.deep.equal(opened);
    expect(opened.map(({ simulated }) => simulated.chain)).to.deep.equal([true, false]);
  });

  for (const [name, text] of Object.entries({
    "no JSON": "<!doctype html>",
    "no networks": "{}",
    "a network without a chain": configuration({ name: "x" }),
  }))
    it(`is nothing for ${name}, and to open it tells why`, () => {
      expect(outlinesIn(text)).to.deep.equal([]);
      expect(() => openNetworks(text)).to.throw(ConfigurationError, "/assay.json");
    });

  it("counts for nothing where the whole is refused", () => {
    const text = configuration({ ...PROFILE, unknown: 1 });
    expect(outlinesIn(text)).to.have.length(1);
    expect(() => openNetworks(text)).to.throw(ConfigurationError, "unknown");
  });
});
