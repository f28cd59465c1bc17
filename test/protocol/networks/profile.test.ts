import { expect } from "chai";
import { DocumentError, NETWORKS_SCHEMA, PROFILE_SCHEMA, parseNetworks, parseProfile } from "@assay/protocol";

const PROFILE = {
  schema: PROFILE_SCHEMA,
  name: "somewhere",
  evm: {
    rpcUrl: "https://node.example",
    chainId: 8453,
    escrow: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
  },
};

describe("network profiles", () => {
  it("spell addresses by EIP-55 and know what is left out", () => {
    const profile = parseProfile(JSON.stringify(PROFILE));
    expect(profile.evm.escrow).to.equal("0x70997970C51812dc3A010C7d01b50e0d17dc79C8");
    expect(profile).to.deep.include({ operators: [], gateways: [] });
    expect(profile.evm.startBlock).to.equal(0);
  });

  it("come in lists for the page", () => {
    const text = JSON.stringify({
      schema: NETWORKS_SCHEMA,
      networks: [PROFILE, { ...PROFILE, name: "other" }],
    });
    expect(parseNetworks(text).map(({ name }) => name)).to.deep.equal(["somewhere", "other"]);
  });

  for (const [what, wrong, path] of [
    ["a URL of another scheme", { index: "javascript:alert(1)" }, "index"],
    ["an operator that is no URL", { operators: ["localhost"] }, "operators[0]"],
    ["a member that nobody knows", { rpc: "https://node.example" }, ""],
  ] as const) {
    it(`refuse ${what}, and name it`, () => {
      expect(() => parseProfile(JSON.stringify({ ...PROFILE, ...wrong })))
        .to.throw(DocumentError)
        .with.nested.property("issues[0].path", path);
    });
  }

  it("refuse a list without a network", () => {
    expect(() => parseNetworks(JSON.stringify({ schema: NETWORKS_SCHEMA, networks: [] }))).to.throw(
      DocumentError,
    );
  });
});
